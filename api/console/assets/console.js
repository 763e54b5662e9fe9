// What every page of the console does in the browser: live parts, confirmations, copying. It works without, too.
"use strict";

/** Replace a live part of the page by what the server shows now, every so many seconds that the part names. */
function refresh(part) {
  const seconds = Number(part.dataset.refresh);
  if (!seconds) return;
  setTimeout(async () => {
    const current = document.getElementById(part.id);
    if (document.hidden || current.contains(document.activeElement) || String(getSelection())) return refresh(current);
    try {
      const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
      if (answer.redirected) return location.reload();
      const fresh = answer.ok && new DOMParser().parseFromString(await answer.text(), "text/html").getElementById(part.id);
      if (fresh) {
        keepScroll(current, fresh);
        return refresh(document.getElementById(part.id));
      }
    } catch { /* the server is out of reach; the page shows what it showed */ }
    refresh(current);
  }, seconds * 1000);
}

/** Name the cells of tables whose rows are stacked on a narrow screen by the heads of their columns. */
function label(part) {
  for (const table of part.querySelectorAll(".stacks table")) {
    const heads = [...table.tHead.rows[0].cells].map((head) => head.textContent);
    for (const row of table.tBodies[0].rows) [...row.cells].forEach((cell, place) => { cell.dataset.label = heads[place]; });
  }
}

function keepScroll(current, fresh) {
  const places = [...current.querySelectorAll(".scroll")].map((box) => box.scrollLeft);
  const adopted = document.importNode(fresh, true);
  label(adopted);
  current.replaceWith(adopted);
  adopted.querySelectorAll(".scroll").forEach((box, place) => { box.scrollLeft = places[place] ?? 0; });
}

label(document);
document.querySelectorAll("[data-refresh]").forEach(refresh);

/** Show the page that is open in a menu that scrolls. `scrollIntoView` would let the next Tab start behind it, not at the page's first link. */
function centre(entry) {
  const menu = entry.closest("nav");
  const [inside, around] = [entry.getBoundingClientRect(), menu.getBoundingClientRect()];
  menu.scrollLeft += inside.left + inside.width / 2 - (around.left + around.width / 2);
}
document.querySelectorAll("nav [aria-current]").forEach(centre);

document.addEventListener("submit", (event) => {
  const question = event.target.dataset.confirm;
  if (question && !confirm(question)) event.preventDefault();
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
  button.textContent = "Copied";
});
