// Adopting: the new workbook is downloaded, and the dialog says what was adopted and what was kept.
import { ask, sentence } from "./ask.js";

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** Listen for the adopt forms, also those that appear later. */
export function watchAdoptions() {
  document.addEventListener("submit", (event) => {
    if (event.target.matches("[data-adopt]")) {
      event.preventDefault();
      adopt(event.target);
    }
  });
}

async function adopt(form) {
  const outcome = form.querySelector(".outcome");
  const button = form.querySelector(".primary");
  button.disabled = true;
  try {
    const response = await ask(form.dataset.adopt, {
      method: "POST",
      body: new FormData(form),
      headers: { Accept: "application/json" },
    });
    if (!response.ok) {
      throw new Error(await sentence(response));
    }
    const reply = await response.json();
    save(reply.name, reply.content);
    outcome.replaceChildren(...summary(reply));
  } catch (error) {
    outcome.textContent = error.message;
  } finally {
    button.disabled = false;
  }
}

function save(name, base64) {
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes], { type: XLSX }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

function summary({ name, adopted, kept }) {
  const parts = [`“${name}” was downloaded: ${adopted} adopted, ${kept.length} kept as they were.`];
  if (kept.length) {
    const list = document.createElement("ul");
    list.append(...kept.map(({ message }) => Object.assign(document.createElement("li"), { textContent: message })));
    parts.push(list);
  }
  return parts;
}
