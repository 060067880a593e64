// One way to ask the service, with errors as sentences.

export const FRAGMENT = { "X-Fragment": "true" };

/** Ask, and return the response; a lost login leads to the login page, a lost service to a sentence. */
export async function ask(url, options = {}) {
  let response;
  try {
    response = await fetch(url, { ...options, credentials: "same-origin" });
  } catch {
    throw new Error("flagbook cannot be reached. Is the service still running?");
  }
  if (response.status === 401) {
    location.reload();
  }
  return response;
}

/** Return the sentence of an error response. */
export async function sentence(response) {
  try {
    return (await response.json()).message;
  } catch {
    return `The service answered with ${response.status}.`;
  }
}

/** Turn HTML of our own templates into nodes. */
export function nodes(html) {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  return holder.content;
}

/** Show or clear the line of trouble above the list. */
export function trouble(text) {
  const line = document.getElementById("trouble");
  line.hidden = !text;
  if (line.textContent !== text) {
    line.textContent = text;
  }
}
