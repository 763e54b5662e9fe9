// Pictures of sheets and pages, taken apart in the worker: few marks where a sheet has many lines, in pieces that the page can take one by one.
//
// The pictures are SVG of `spatial preview`: attributes are quoted with ", and neither < nor > stands within them.

const TAG = /<(\/?)([A-Za-z]+)((?:\s[^>]*)?)>/g, PIECE_ELEMENTS = 400, PIECE_CHARACTERS = 60_000, PATH_CHARACTERS = 30_000;

/** { open, pieces, byId }: the opening tag of the picture, its elements as texts of many, and the elements that draw each record, by id. */
export function takeApart(text) {
  const { open, elements } = split(text);
  const byId = new Map(), pieces = [];
  let piece = [], size = 0, run = null;
  const add = (element) => {
    piece.push(element);
    size += element.length;
    if (size >= PIECE_CHARACTERS || piece.length >= PIECE_ELEMENTS) {
      pieces.push(piece.join(""));
      [piece, size] = [[], 0];
    }
  };
  const flush = () => {
    if (run) add(`<path d="${run.data.join("")}"${run.pen}/>`);
    run = null;
  };
  for (const element of elements) {
    const id = attribute(element, "data-entity");
    if (id !== null) byId.set(id, [...(byId.get(id) ?? []), element]);
    const line = outline(element);
    if (!line) {
      flush();
      add(element);
      continue;
    }
    if (run && (run.pen !== line.pen || run.size > PATH_CHARACTERS)) flush();
    run ??= { pen: line.pen, data: [], size: 0 };
    run.data.push(line.data);
    run.size += line.data.length;
  }
  flush();
  if (piece.length) pieces.push(piece.join(""));
  return { open, pieces, byId };
}

/** The opening tag of the document's element, and each of its children as text. */
function split(text) {
  const elements = [];
  let open = "", depth = 0, start = 0;
  for (const { 0: tag, 1: closing, 3: rest, index } of text.matchAll(TAG)) {
    if (!open) {
      open = tag;
      continue;
    }
    if (!closing && depth === 0) start = index;
    if (closing) depth -= 1;
    else if (!rest.endsWith("/")) depth += 1;
    if (depth === 0) elements.push(text.slice(start, index + tag.length));
  }
  return { open, elements };
}

/** { data, pen } of a path or circle that is a bare line: such lines of one pen may be drawn as one path. Null for anything else. */
function outline(element) {
  const [, name, rest] = element.match(/^<(path|circle)((?: [^>]*)?)\/>$/) ?? [];
  if (!name || !rest.includes(' fill="none"') || rest.includes("opacity") || rest.includes("data-source")) return null;
  const pen = rest.replace(/ (?:data-entity|d|cx|cy|r)="[^"]*"/g, "");
  if (name === "path") return { data: attribute(element, "d"), pen };
  const [x, y, radius] = ["cx", "cy", "r"].map((part) => Number(attribute(element, part)));
  return { data: `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0Z`, pen };
}

const patterns = new Map();
const ENTITIES = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&" };

function attribute(element, name) {
  if (!patterns.has(name)) patterns.set(name, new RegExp(`^<[^>]* ${name}="([^"]*)"`));
  const found = element.match(patterns.get(name));
  return found ? found[1].replace(/&(?:lt|gt|quot|apos|amp);/g, (sign) => ENTITIES[sign]) : null;
}
