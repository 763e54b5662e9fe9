// Requests to the console.

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

/** Send a file or a form, reporting the part that is sent; the text of the answer. */
export function send(method, path, body, progress) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, path);
    request.setRequestHeader("X-Console-Token", token());
    request.upload.onprogress = (event) => event.lengthComputable && progress(event.loaded / event.total);
    request.onload = () => (request.status < 300 ? resolve(request.responseText) : reject(new Error(messageOf(request.responseText, request.status))));
    request.onerror = () => reject(new Error("the service cannot be reached; try again"));
    request.send(body);
  });
}

async function message(answer) {
  return messageOf(await answer.text(), answer.status);
}

function messageOf(text, status) {
  try {
    return JSON.parse(text).error.message;
  } catch {
    return `the service answered ${status}; try again`;
  }
}
