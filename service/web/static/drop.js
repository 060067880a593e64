// Dropping and choosing workbooks: each is sent, and the report on it appears.
import { FRAGMENT, ask, nodes } from "./ask.js";

const form = document.getElementById("drop");
const file = document.getElementById("file");
const reports = document.getElementById("reports");
const kept = new WeakMap(); // a report of a mere check → the file, so that it can be started

/** Listen for files; `done` is called after each. */
export function watchDrops(done) {
  file.addEventListener("change", () => sendAll([...file.files], done));
  form.addEventListener("submit", (event) => event.preventDefault());
  reports.addEventListener("click", (event) => onReport(event, done));
  let inside = 0;
  const carries = (event) => event.dataTransfer?.types.includes("Files");
  window.addEventListener("dragenter", (event) => carries(event) && mark((inside += 1) > 0));
  window.addEventListener("dragleave", (event) => carries(event) && mark((inside -= 1) > 0));
  window.addEventListener("dragover", (event) => carries(event) && event.preventDefault());
  window.addEventListener("drop", (event) => {
    if (carries(event)) {
      event.preventDefault();
      mark((inside = 0) > 0);
      sendAll([...event.dataTransfer.files], done);
    }
  });
}

function mark(dragging) {
  form.classList.toggle("dragging", dragging);
}

async function sendAll(files, done) {
  reports.replaceChildren();
  for (const one of files) {
    await send(one, new FormData(form).get("run"), done);
  }
  file.value = ""; // the same file may be chosen again
}

async function send(one, run, done) {
  const waiting = say(`Checking “${one.name}” …`);
  form.classList.add("sending");
  try {
    waiting.replaceWith(await reportOn(one, run));
  } catch (error) {
    waiting.replaceWith(refusal(one.name, error.message));
  } finally {
    form.classList.remove("sending");
  }
  done();
}

async function reportOn(one, run) {
  const most = Number(form.dataset.maxMb);
  if (one.size > most * 1024 * 1024) {
    throw new Error(`The file is larger than ${most} MB. Remove pictures or sheets that are not needed, or split the questions over several files.`);
  }
  const body = new FormData(form);
  body.set("file", one);
  body.set("run", run);
  const response = await ask(form.action, { method: "POST", body, headers: FRAGMENT });
  if (!response.headers.get("content-type")?.includes("text/html")) {
    throw new Error((await response.json()).message);
  }
  const report = nodes(await response.text()).querySelector(".report");
  kept.set(report, one);
  return report;
}

function onReport(event, done) {
  const report = event.target.closest(".report");
  const start = event.target.closest("[data-start]");
  if (start) {
    const one = kept.get(report);
    report.remove();
    send(one, start.dataset.start, done);
  } else if (event.target.closest("[data-close]")) {
    report.remove();
    file.focus();
  }
}

function say(text) {
  const line = document.createElement("p");
  line.className = "report waiting";
  line.textContent = text;
  reports.prepend(line);
  return line;
}

function refusal(name, text) {
  const report = document.createElement("article");
  report.className = "report bad";
  const title = document.createElement("h3");
  title.textContent = name;
  const reason = document.createElement("p");
  reason.className = "refusal";
  reason.textContent = text;
  report.append(title, reason);
  return report;
}
