/** Writes the list of this build's files into the app's service worker, so that it can open the app offline. */
import { createHash } from "node:crypto";
import { globSync, readFileSync, writeFileSync } from "node:fs";

type Route = { id: string; module: string };

/** Only the fonts with Latin characters are cached. If a name has other characters, the browser fetches their font. */
const CACHED_FONT = /(-public|inter-latin-wght)/;
const PUBLIC_ROUTE = /^(routes\/marketing|layouts\/(plain|public))/;

export function writeAppWorker(folder: string): void {
  const workerFile = `${folder}/app-worker.js`;
  const files = appFiles(folder);
  const page = readFileSync(`${folder}/__spa-fallback.html`, "utf8");
  const entry = /\/assets\/manifest-[\w-]+\.js/.exec(page)?.[0];
  if (!entry) throw new Error("The app's page does not contain the address of its manifest.");
  const source = readFileSync(workerFile, "utf8");
  const version = createHash("sha256")
    .update(JSON.stringify([files, page, source]))
    .digest("hex")
    .slice(0, 12);
  const worker = source
    .replace("const FILES = [];", `const FILES = ${JSON.stringify(files)};`)
    .replace('const ENTRY = "";', `const ENTRY = ${JSON.stringify(entry)};`)
    .replace("app-development", `app-${version}`);
  writeFileSync(workerFile, worker);
}

/** Returns all assets, except for the scripts of public pages and the fonts that are not cached. */
function appFiles(folder: string): string[] {
  const assets = globSync(`${folder}/assets/*.{js,css,woff2}`).map((file) => file.slice(folder.length));
  const scriptsToExclude = publicScripts(folder);
  return assets
    .filter((file) => !scriptsToExclude.has(file) && (!file.endsWith(".woff2") || CACHED_FONT.test(file)))
    .toSorted();
}

function publicScripts(folder: string): Set<string> {
  const [manifest = ""] = globSync(`${folder}/assets/manifest-*.js`);
  const text = readFileSync(manifest, "utf8").replace(/^window\.__reactRouterManifest=|;\s*$/g, "");
  const routes: Route[] = Object.values(JSON.parse(text).routes);
  return new Set(routes.filter(({ id }) => PUBLIC_ROUTE.test(id)).map(({ module }) => module));
}
