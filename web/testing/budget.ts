/**
 * Measures the gzipped JavaScript that a page of the last `npm run build` needs for its first view: everything its
 * routes import, and the client of its first request. Exits with 1 when a page exceeds its budget.
 */
import { globSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

type Route = { id: string; parentId?: string; path?: string; module: string; imports: string[] };
type Manifest = { url: string; entry: { module: string; imports: string[] }; routes: Record<string, Route> };

const BUILD = `${import.meta.dirname}/../build/client`;
const BUDGETS = [
  { path: "signin", onDemand: [], limit: 130_000 },
  { path: "dashboard", onDemand: ["api-client"], limit: 170_000 },
];

const manifest = readManifest();
const failures = BUDGETS.filter(({ path, onDemand, limit }) => {
  const size = total([...routeScripts(path), ...onDemand.flatMap(chunks)]);
  console.log(`/${path}: ${(size / 1000).toFixed(1)} KB of ${limit / 1000} KB`);
  return size > limit;
});
process.exitCode = failures.length > 0 ? 1 : 0;

function readManifest(): Manifest {
  const [file] = globSync(`${BUILD}/assets/manifest-*.js`);
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

function chunks(name: string): string[] {
  return globSync(`${BUILD}/assets/${name}-*.js`).map((file) => `/assets/${file.split("/").at(-1)}`);
}

function total(scripts: string[]): number {
  return [...new Set(scripts)].reduce((sum, file) => sum + gzipSync(readFileSync(BUILD + file)).length, 0);
}
