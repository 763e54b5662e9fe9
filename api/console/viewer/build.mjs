// Bundles the scripts of the viewer into ../assets, with the licences of what is bundled: `make assets`.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const OUT = "../assets";
const result = await build({
  entryPoints: { viewer: "src/main.js", "viewer-solids": "src/solids.js", "viewer-worker": "src/worker.js" },
  outdir: OUT, bundle: true, minify: true, format: "esm", target: ["es2022"], charset: "utf8", legalComments: "none", metafile: true,
});
const packages = new Set();
for (const input of Object.keys(result.metafile.inputs)) {
  const found = input.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//);
  if (found) packages.add(found[1]);
}
const licences = [...packages].sort().map((name) => {
  const { version, license } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8"));
  return `${name} ${version} (${license})\n\n${readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim()}\n`;
});
writeFileSync(`${OUT}/viewer-licenses.txt`, licences.join(`\n${"-".repeat(80)}\n\n`));

// What the bundle was made from: a test compares it with the sources, so that a change of them without `make assets` is noticed.
const sources = ["build.mjs", "package-lock.json", ...readdirSync("src").sort().map((name) => `src/${name}`)];
const digest = createHash("sha256");
for (const name of sources) digest.update(`${name}\n`).update(readFileSync(name));
writeFileSync(`${OUT}/viewer-sources.txt`, `${digest.digest("hex")}\n`);
