/**
 * Measures the gzipped JavaScript that two pages of the last `npm run build` need for their first view. These
 * are the scripts that their routes import and, for the dashboard, the API client for its first request.
 * Exits with 1 if a page exceeds its budget.
 */
import { globSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

type Route = { id: string; parentId?: string; path?: string; module: string; imports: string[] };
type Manifest = { url: string; entry: { module: string; imports: string[] }; routes: Record<string, Route> };

const BUILD_FOLDER = `${import.meta.dirname}/../build/client`;
const BUDGETS = [
  { path: "signin", dynamicChunks: [], maxBytes: 130_000 },
  { path: "dashboard", dynamicChunks: ["api-client"], maxBytes: 170_000 },
];

const manifest = readManifest();
const failures = BUDGETS.filter(({ path, dynamicChunks, maxBytes }) => {
  const bytes = compressedBytes([...routeScripts(path), ...dynamicChunks.flatMap(chunkFiles)]);
  console.log(`/${path}: ${(bytes / 1000).toFixed(1)} KB of ${maxBytes / 1000} KB`);
  return bytes > maxBytes;
});
process.exitCode = failures.length > 0 ? 1 : 0;

function readManifest(): Manifest {
  const [file] = globSync(`${BUILD_FOLDER}/assets/manifest-*.js`);
  if (!file) throw new Error("There is no build to measure: run `npm run build` first.");
  return JSON.parse(readFileSync(file, "utf8").replace(/^window\.__reactRouterManifest=|;\s*$/g, ""));
}

function routeScripts(path: string): string[] {
  const page = Object.values(manifest.routes).find((route) => route.path === path);
  if (!page) throw new Error(`No route has the path ${path}.`);
  const scripts = [manifest.url, manifest.entry.module, ...manifest.entry.imports];
  for (let route: Route | undefined = page; route; route = manifest.routes[route.parentId ?? ""]) {
    scripts.push(route.module, ...route.imports);
  }
  return scripts;
}

function chunkFiles(name: string): string[] {
  return globSync(`${BUILD_FOLDER}/assets/${name}-*.js`).map((file) => `/assets/${file.split("/").at(-1)}`);
}

function compressedBytes(scripts: string[]): number {
  return [...new Set(scripts)].reduce(
    (sum, file) => sum + gzipSync(readFileSync(BUILD_FOLDER + file)).length,
    0,
  );
}
