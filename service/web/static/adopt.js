// Adopting: the new workbook is downloaded, and the dialog says what was adopted and what was kept.
import { ask, sentence } from "./ask.js";

const ROWS_SHOWN = 8;
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
    list.append(...grouped(kept).map((text) => Object.assign(document.createElement("li"), { textContent: text })));
    parts.push(list);
  }
  return parts;
}

/** Return one line a reason, with the rows it holds for. */
function grouped(kept) {
  const rows = new Map();
  for (const { message, row } of kept) {
    rows.set(message, [...(rows.get(message) ?? []), row]);
  }
  return [...rows].map(([message, found]) => {
    const more = found.length > ROWS_SHOWN ? ` and ${found.length - ROWS_SHOWN} more` : "";
    return `${message} (${found.length === 1 ? "row" : "rows"} ${found.slice(0, ROWS_SHOWN).join(", ")}${more})`;
  });
}
