/** Post-processes a build: `node scripts/finish.ts FOLDER`. */
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";
import { writeAppWorker } from "./app-worker.ts";
import { deferScripts } from "./defer-scripts.ts";
import { removeUnusedStyles } from "./remove-unused-styles.ts";

const [folder = "build/client"] = process.argv.slice(2);
const MIN_BYTES_TO_COMPRESS = 500;

rewritePages();
removeRouteData();
writeAppWorker(folder);
compress();

/** Defers the scripts of prerendered pages, which already show their content, and removes unused styles. */
function rewritePages(): void {
  for (const name of globSync(`${folder}/**/index.html`)) {
    writeFileSync(name, removeUnusedStyles(deferScripts(readFileSync(name, "utf8"))));
  }
}

/** Removes the data with which the router could show public pages. The app loads the pages themselves. */
function removeRouteData(): void {
  for (const name of globSync(`${folder}/**/*.data`)) rmSync(name);
}

/** Compresses static files once with the best brotli quality, so that no server has to do it per request. */
function compress(): void {
  for (const name of globSync(`${folder}/**/*.{js,css,json,svg,webmanifest}`)) {
    const body = readFileSync(name);
    if (body.length > MIN_BYTES_TO_COMPRESS) writeFileSync(`${name}.br`, brotliCompressSync(body));
  }
}
