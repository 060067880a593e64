// The server writes UTC; a person reads their own time.

const format = new Intl.DateTimeFormat(navigator.languages, { dateStyle: "medium", timeStyle: "short" });

/** Rewrite the times in a part of the page. */
export function localTimes(part) {
  for (const time of part.querySelectorAll("time[datetime]")) {
    time.textContent = format.format(new Date(time.dateTime));
  }
}
