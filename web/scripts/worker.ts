/** Tells the app's worker what belongs to this build, so that it can open the app without a network. */
import { createHash } from "node:crypto";
import { globSync, readFileSync, writeFileSync } from "node:fs";

type Route = { id: string; module: string };

/** Of the fonts only what Latin script needs: the others are fetched when a name asks for them. */
const FONT = /(-public|inter-latin-wght)/;
const PUBLIC = /^(routes\/marketing|layouts\/(plain|public))/;

export function writeWorker(folder: string): void {
  const name = `${folder}/app-worker.js`;
  const files = filesOf(folder);
  const page = readFileSync(`${folder}/__spa-fallback.html`, "utf8");
  const entry = /\/assets\/manifest-[\w-]+\.js/.exec(page)?.[0];
  if (!entry) throw new Error("The page of the app does not name its version.");
  const worker = readFileSync(name, "utf8");
  const version = createHash("sha256")
    .update(JSON.stringify([files, page, worker]))
    .digest("hex")
    .slice(0, 12);
  const written = worker
    .replace("const FILES = [];", `const FILES = ${JSON.stringify(files)};`)
    .replace('const ENTRY = "";', `const ENTRY = ${JSON.stringify(entry)};`)
    .replace("app-development", `app-${version}`);
  writeFileSync(name, written);
}

/** What the rooms behind the sign-in consist of; public pages have no script, and are never kept. */
function filesOf(folder: string): string[] {
  const assets = globSync(`${folder}/assets/*.{js,css,woff2}`).map((file) => file.slice(folder.length));
  const left = publicScripts(folder);
  return assets.filter((file) => !left.has(file) && (!file.endsWith(".woff2") || FONT.test(file))).toSorted();
}

function publicScripts(folder: string): Set<string> {
  const [manifest = ""] = globSync(`${folder}/assets/manifest-*.js`);
  const text = readFileSync(manifest, "utf8").replace(/^window\.__reactRouterManifest=|;\s*$/g, "");
  const routes: Route[] = Object.values(JSON.parse(text).routes);
  return new Set(routes.filter(({ id }) => PUBLIC.test(id)).map(({ module }) => module));
}
