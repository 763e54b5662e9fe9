// The pages of a document as the service draws them: read once, painted in parts, asked what is where.

import { messageOf } from "./messages.js";
import { markAt, paint } from "./painter.js";
import { read } from "./picture.js";

/** What can be asked of pages, by name; each answers { value, transfer }. pause: what lets others of the thread run between slices of work. */
export function pageCalls(pause) {
  const pictures = new Map();

  /** Load a page: { box: [x, y, width, height], marks: their number, tints, hasUnsure }, as `read` describes them. */
  async function openPage(url) {
    if (!pictures.has(url)) {
      const answer = await fetch(url);
      const body = await answer.text();
      if (!answer.ok) throw new Error(messageOf(body, answer.status));
      const picture = await read(body, pause);
      pictures.set(url, { ...picture, byId: index(picture.marks) });
    }
    const { box, marks, tints, hasUnsure } = pictures.get(url);
    return { value: { box, marks: marks.length, tints, hasUnsure } };
  }

  /** A bitmap of a part of a page, as `paint` describes it; lit: [[id, kind]] for those marks alone, lit. */
  async function paintPage(url, part, lit) {
    const { marks, byId } = pictures.get(url);
    const chosen = lit ? lit.flatMap(([id, kind]) => (byId.get(id) ?? []).map((mark) => [mark, kind])) : marks.map((mark) => [mark, null]);
    const bitmap = await paint(chosen, part, pause);
    return { value: bitmap, transfer: [bitmap] };
  }

  /** { id, words } of what is at a point; null for nothing. */
  function pointedAt(url, point, reach) {
    const mark = markAt(pictures.get(url).marks, point, reach);
    return { value: mark && { id: mark.id, words: mark.words } };
  }

  /** The box round what records draw, as [left, top, right, bottom]; null where nothing of them is drawn. */
  function boxOf(url, ids) {
    const boxes = ids.flatMap((id) => pictures.get(url).byId.get(id) ?? []).map((mark) => mark.box);
    const side = (place, extreme) => extreme(...boxes.map((box) => box[place]));
    return { value: boxes.length ? [side(0, Math.min), side(1, Math.min), side(2, Math.max), side(3, Math.max)] : null };
  }

  return { openPage, paintPage, pointedAt, boxOf };
}

/** The marks of each record: the tint of a text that was understood rather than its letters. */
function index(marks) {
  const byId = new Map();
  for (const mark of marks) {
    if (mark.id === null) continue;
    const known = byId.get(mark.id);
    if (!known || (mark.isSource && !known[0].isSource)) byId.set(mark.id, [mark]);
    else if (mark.isSource === known[0].isSource) known.push(mark);
  }
  return byId;
}
