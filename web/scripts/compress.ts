/** Compresses what never changes as hard as brotli can, once, so that no server has to: `node scripts/compress.ts FOLDER`. */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";

const [folder = "build/client"] = process.argv.slice(2);
const SMALLEST = 500;

for (const name of globSync(`${folder}/**/*.{js,css,svg,webmanifest}`)) {
  const body = readFileSync(name);
  if (body.length > SMALLEST) writeFileSync(`${name}.br`, brotliCompressSync(body));
}
