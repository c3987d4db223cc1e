/** The last touch to a build: `node scripts/finish.ts FOLDER`. */
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";
import { startLate } from "./late.ts";
import { writeWorker } from "./worker.ts";

const [folder = "build/client"] = process.argv.slice(2);
const SMALLEST = 500;

letTheTextGoFirst();
forgetWhatNobodyAsksFor();
writeWorker(folder);
compress();

/** What a page built ahead says is in it already; its scripts only make it answer. */
function letTheTextGoFirst(): void {
  for (const name of globSync(`${folder}/**/index.html`)) {
    writeFileSync(name, startLate(readFileSync(name, "utf8")));
  }
}

/** What the router would load of a page inside the app; the app goes there as to another site. */
function forgetWhatNobodyAsksFor(): void {
  for (const name of globSync(`${folder}/**/*.data`)) rmSync(name);
}

/** What never changes is compressed as hard as brotli can, once, so that no server has to. */
function compress(): void {
  for (const name of globSync(`${folder}/**/*.{js,css,svg,webmanifest}`)) {
    const body = readFileSync(name);
    if (body.length > SMALLEST) writeFileSync(`${name}.br`, brotliCompressSync(body));
  }
}
