// The list of runs: told by the service while something runs (asked for again where that does not come through),
// changed only where something changed.
import { FRAGMENT, ask, nodes, sentence, trouble } from "./ask.js";
import { localTimes } from "./times.js";

const EVERY = 1000;
const SLOWLY = 10000;
const FIRST_EVENT = 5000;

const box = document.getElementById("runs");
const status = document.getElementById("status");
let timer = 0;
let patience = 0;
let source = null;
let silent = false; // whether something in between keeps events from us

/** Keep the list alive; `refresh` draws it at once. */
export function watchRuns() {
  localTimes(box);
  box.addEventListener("submit", quietly);
  document.addEventListener("visibilitychange", () => (document.hidden ? follow() : isActive() && refresh()));
  follow();
  return { refresh };
}

async function refresh() {
  clearTimeout(timer);
  try {
    const response = await ask(box.dataset.source, { headers: FRAGMENT });
    if (!response.ok) {
      throw new Error(await sentence(response));
    }
    show(await response.text());
    trouble("");
    follow();
  } catch (error) {
    trouble(`${error.message} Trying again.`);
    timer = setTimeout(refresh, SLOWLY / 2);
  }
}

/** Hear of changes while something runs; a hidden page only looks now and then. */
function follow() {
  clearTimeout(timer);
  if (isActive() && !document.hidden && !silent && window.EventSource) {
    source ??= listen();
    return;
  }
  hangUp();
  if (isActive()) {
    timer = setTimeout(refresh, document.hidden ? SLOWLY : EVERY);
  }
}

function listen() {
  const stream = new EventSource(box.dataset.events);
  // a proxy that holds the stream back lets nothing through, not even its first event
  patience = setTimeout(() => {
    silent = true;
    follow();
  }, FIRST_EVENT);
  stream.addEventListener("runs", (event) => {
    clearTimeout(patience);
    show(event.data);
    trouble("");
  });
  stream.addEventListener("end", listenNoMore);
  stream.addEventListener("error", listenNoMore);
  return stream;
}

/** The stream is over: nothing runs any more, or the service went away, which the next look finds out. */
function listenNoMore() {
  hangUp();
  if (isActive()) {
    timer = setTimeout(refresh, EVERY);
  }
}

function hangUp() {
  clearTimeout(patience);
  source?.close();
  source = null;
}

function isActive() {
  return box.querySelector(".runs").dataset.active === "true";
}

/** Send the small forms (cancel, delete) without leaving the page. */
async function quietly(event) {
  const form = event.target;
  if (!form.matches("[data-quiet]")) {
    return;
  }
  event.preventDefault();
  const response = await ask(form.action, { method: "POST", headers: FRAGMENT }).catch((error) => trouble(error.message));
  if (response && !response.ok) {
    trouble(await sentence(response));
  } else if (response) {
    form.closest("[popover]")?.hidePopover();
    await refresh();
    document.getElementById("main").focus({ preventScroll: true });
  }
}

function show(html) {
  const fresh = nodes(html);
  const list = box.querySelector(".runs");
  const next = fresh.querySelector(".runs");
  const known = new Map([...list.children].map((item) => [item.id, item]));
  const focused = document.activeElement?.closest(".run")?.id;
  arrange(list, [...next.children].map((item) => keep(known.get(item.id), item)));
  list.dataset.active = next.dataset.active;
  replaceRest(list, next);
  if (focused && document.activeElement === document.body) {
    document.getElementById(focused)?.querySelector(".actions a")?.focus({ preventScroll: true });
  }
}

/** Bring the list's items in order; those that stay are not touched, so that an open dialog stays open. */
function arrange(list, items) {
  const staying = new Set(items);
  [...list.children].filter((item) => !staying.has(item)).forEach((item) => item.remove());
  items.forEach((item, place) => {
    if (list.children[place] !== item) {
      list.insertBefore(item, list.children[place] ?? null);
    }
  });
}

/** Return the item that stays: the old one with its living part renewed, or the new one when the state changed. */
function keep(old, item) {
  localTimes(item);
  if (old?.dataset.announce !== item.dataset.announce) {
    status.textContent = item.dataset.announce;
  }
  if (!old || old.dataset.state !== item.dataset.state) {
    return item;
  }
  old.dataset.announce = item.dataset.announce;
  const living = old.querySelector("[data-live]");
  const renewed = item.querySelector("[data-live]");
  const bars = [living, renewed].map((part) => part.querySelector("progress"));
  if (bars[0] && bars[1]) {
    bars[0].value = bars[1].value; // moved, not replaced, so that it glides
    living.querySelector(".run-progress").replaceWith(renewed.querySelector(".run-progress"));
  } else if (living.innerHTML !== renewed.innerHTML) {
    living.replaceWith(renewed);
  }
  return old;
}

function replaceRest(list, next) {
  while (list.nextSibling) {
    list.nextSibling.remove();
  }
  list.after(...[...next.parentNode.childNodes].filter((node) => node !== next));
}
