// Requests to the console.

import { messageOf } from "./messages.js";

const token = () => document.body.dataset.token;

/** The answer of a successful request. Throws an Error with the service's message. */
export async function ask(path, options = {}) {
  const answer = await fetch(path, { ...options, headers: { "X-Console-Token": token(), ...options.headers } });
  if (answer.ok) return answer;
  throw new Error(await message(answer));
}

/** POST of JSON; the parsed answer. */
export async function post(path, body) {
  const answer = await ask(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  return answer.json();
}

/** Send a file or a form, reporting the part that is sent; the text of the answer. `onEvent(name, data, headers)` is called for each server-sent event of it. */
export function send(method, path, body, { progress, onEvent, headers = {} } = {}) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, path);
    request.setRequestHeader("X-Console-Token", token());
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    if (progress) request.upload.onprogress = (event) => event.lengthComputable && progress(event.loaded / event.total);
    if (onEvent) request.onprogress = eventReader(request, onEvent);
    request.onload = () => {
      request.onprogress?.();
      if (request.status < 300) resolve(request.responseText);
      else reject(new Error(messageOf(request.responseText, request.status)));
    };
    request.onerror = () => reject(new Error("the service cannot be reached; try again"));
    request.send(body);
  });
}

/** Calls onEvent for every complete event of a text/event-stream that has arrived since the last call. */
function eventReader(request, onEvent) {
  let read = 0;
  return () => {
    if (!request.getResponseHeader("Content-Type")?.startsWith("text/event-stream")) return;
    for (let end = request.responseText.indexOf("\n\n", read); end >= 0; end = request.responseText.indexOf("\n\n", read)) {
      const [, name, data] = request.responseText.slice(read, end).match(/^event: (.*)\ndata: (.*)$/s);
      read = end + 2;
      onEvent(name, JSON.parse(data), request);
    }
  };
}

async function message(answer) {
  return messageOf(await answer.text(), answer.status);
}
