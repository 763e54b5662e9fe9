// The page on which a file is dropped: announce it, send it, extract it, show it.

import { post, send } from "./calls.js";
import { StageList } from "./stages.js";

/** Largest file that is sent in the request itself: a part of what a body may have. */
const INLINE_BYTES = 4_000_000;

export function start(form) {
  const [input, progress, bar, trouble] = ["file", "progress", "bar", "trouble"].map((id) => document.getElementById(id));
  const without = document.getElementById("without");
  const stages = new StageList(document.getElementById("stages"), document.getElementById("run"));
  const say = (words, part) => {
    progress.textContent = words;
    bar.hidden = !words;
    if (part === undefined) bar.removeAttribute("value");
    else bar.value = part;
  };
  const run = async (file, target) => {
    trouble.hidden = without.hidden = true;
    stages.reset();
    try {
      location.assign(await extract(form.dataset, file, target, say, stages));
    } catch (error) {
      say("");
      trouble.textContent = error.message;
      trouble.hidden = false;
      without.hidden = !stages.hasEnded("sample");
      without.querySelector("button").onclick = () => run(file, "structured");
    }
  };
  input.addEventListener("change", () => input.files[0] && run(input.files[0], "both"));
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const kind of ["dragenter", "dragover"]) form.addEventListener(kind, (event) => { event.preventDefault(); form.classList.add("over"); });
  for (const kind of ["dragleave", "drop"]) form.addEventListener(kind, () => form.classList.remove("over"));
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file) run(file, "both");
  });
}

/** The address of the document of a file. */
async function extract({ account, most, extensions }, file, target, say, stages) {
  const extension = file.name.split(".").pop().toLowerCase();
  if (!extensions.split(" ").includes(extension)) throw new Error(`.${extension} files are not read; choose ${extensions.replaceAll(" ", ", ")}, or export STEP`);
  if (file.size > Number(most)) throw new Error(`the file has ${file.size.toLocaleString("en")} bytes; choose one of at most ${Number(most).toLocaleString("en")}`);
  const base = `/console/viewer/${account}`;
  const progress = (part) => (part < 1 ? say(`Sending ${file.name}: ${Math.round(100 * part)} %`, part) : say(`Extracting ${file.name}…`));
  say(`Sending ${file.name}…`, 0);
  return file.size <= INLINE_BYTES ? inline(base, file, target, progress, stages) : ahead(base, file, target, progress, stages);
}

/** A small file, in the request itself. */
async function inline(base, file, target, progress, stages) {
  const form = new FormData();
  form.set("target_contract", target);
  form.set("file", file, file.name);
  return `${base}/${await extracted(base, form, { progress }, stages)}`;
}

/** A large file, sent ahead. */
async function ahead(base, file, target, progress, stages) {
  const upload = await post(`${base}/uploads`, { file_name: file.name, size: file.size });
  await send("PUT", `${base}/uploads/${upload.id}`, file, { progress });
  const body = JSON.stringify({ file_name: file.name, upload_id: upload.id, target_contract: target });
  return `${base}/${await extracted(base, body, { headers: { "Content-Type": "application/json" } }, stages)}`;
}

/** The id of the extraction that a request asks for; its stages are listed while they run. */
async function extracted(base, body, options, stages) {
  let id, problem;
  await send("POST", `${base}/extract`, body, { ...options, onEvent: (name, data, request) => {
    stages.link(request.getResponseHeader("X-Request-ID"));
    if (name === "stage") stages.report(data);
    else if (name === "done") id = data.extraction;
    else problem = data.error.message;
  } });
  if (!id) throw new Error(problem ?? "the connection was lost while the file was extracted; its document, if it came to be, is in the list below after a reload");
  return id;
}
