import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { beforeEach, expect, test } from "vitest";

const SOURCE = readFileSync(`${import.meta.dirname}/../../public/app-worker.js`, "utf8");
const ORIGIN = "https://cairn.example";

/** Maps each path to its response. An Error means that the network is lost, and null means that it never responds. */
let network: Record<string, string | Error | null>;
/** Maps the name of each browser cache to its content. */
let cacheStorage: Map<string, Map<string, Response>>;

beforeEach(() => {
  network = { "/dashboard": page("one"), "/assets/one.js": "script one" };
  cacheStorage = new Map();
});

const page = (version: string) => `<script src="/assets/manifest-${version}.js">`;

/** Runs the worker as the build of `version` would write it, in a simulated browser. */
function startWorker(version: string) {
  const listeners: Record<string, (event: object) => void> = {};
  const workerSource = SOURCE.replace("const FILES = [];", `const FILES = ["/assets/${version}.js"];`)
    .replace('const ENTRY = "";', `const ENTRY = "manifest-${version}.js";`)
    .replace("app-development", `app-${version}`);
  const self = {
    location: { origin: ORIGIN },
    addEventListener: (name: string, listener: (event: object) => void) => (listeners[name] = listener),
    skipWaiting: async () => undefined,
  };
  runInNewContext(workerSource, { self, caches, fetch: fakeFetch, URL, setTimeout: shortTimeout });
  const dispatch = async (name: string) => {
    let work: Promise<unknown> = Promise.resolve();
    listeners[name]?.({ waitUntil: (promise: Promise<unknown>) => (work = promise) });
    await work;
  };
  return {
    install: async () => {
      await dispatch("install");
      await dispatch("activate");
    },
    /** Returns null if the worker does not handle the request. */
    respond: async (path: string, { mode = "cors", method = "GET", origin = ORIGIN } = {}) => {
      const responses: Promise<Response>[] = [];
      const request = { url: origin + path, mode, method };
      listeners.fetch?.({ request, respondWith: (promise: Promise<Response>) => responses.push(promise) });
      return responses[0] ? (await responses[0]).text() : null;
    },
  };
}

/** The worker's timeout is four seconds, which is too long for a test. */
const shortTimeout = (callback: () => void) => setTimeout(callback, 1);

async function fakeFetch(request: string | { url: string }): Promise<Response> {
  const path = pathOf(request);
  const body = network[path];
  if (body instanceof Error) throw body;
  if (body === null) return new Promise(() => {});
  return body === undefined ? new Response("no", { status: 404 }) : new Response(body);
}

const pathOf = (request: string | { url: string }) =>
  typeof request === "string" ? request : request.url.slice(ORIGIN.length);

const caches = {
  keys: async () => [...cacheStorage.keys()],
  delete: async (name: string) => cacheStorage.delete(name),
  match: async (request: { url: string }) =>
    [...cacheStorage.values()].map((cache) => cache.get(pathOf(request))?.clone()).find(Boolean),
  open: async (name: string) => {
    const cache = cacheStorage.get(name) ?? new Map<string, Response>();
    cacheStorage.set(name, cache);
    return {
      put: async (path: string, response: Response) => void cache.set(path, response),
      match: async (path: string) => cache.get(path)?.clone(),
      addAll: async (paths: string[]) => {
        const responses = await Promise.all(paths.map(fakeFetch));
        if (responses.some(({ ok }) => !ok)) throw new TypeError("some files are missing");
        for (const [index, path] of paths.entries()) cache.set(path, responses[index] ?? new Response());
      },
    };
  },
};

const goOffline = () => {
  for (const path of Object.keys(network)) network[path] = new TypeError("no network");
};

test("the cached page opens with its scripts when the network is lost or does not respond", async () => {
  const worker = startWorker("one");
  await worker.install();
  goOffline();
  expect(await worker.respond("/dashboard", { mode: "navigate" })).toBe(page("one"));
  expect(await worker.respond("/assets/one.js")).toBe("script one");

  network["/dashboard"] = null;

  expect(await worker.respond("/dashboard", { mode: "navigate" })).toBe(page("one"));
});

test("with a network, the page is loaded from the server", async () => {
  const worker = startWorker("one");
  await worker.install();
  network["/dashboard"] = page("two");

  expect(await worker.respond("/dashboard", { mode: "navigate" })).toBe(page("two"));
});

test("the worker does not handle data requests, writes or requests to other origins", async () => {
  const worker = startWorker("one");
  await worker.install();

  expect(await worker.respond("/rest/v1/waiver_templates")).toBeNull();
  expect(await worker.respond("/auth/v1/token", { method: "POST" })).toBeNull();
  expect(await worker.respond("/assets/one.js", { origin: "https://other.example" })).toBeNull();
});

test("a page of another version is not cached with the scripts of this version", async () => {
  network["/dashboard"] = page("two");

  await expect(startWorker("one").install()).rejects.toThrow("another version");

  expect(cacheStorage.size).toBe(0);
});

test("the scripts of the previous version stay cached for open windows, and older ones are deleted", async () => {
  for (const version of ["one", "two", "three"]) {
    network = { "/dashboard": page(version), [`/assets/${version}.js`]: `script ${version}` };
    // oxlint-disable-next-line no-await-in-loop
    await startWorker(version).install();
  }
  const worker = startWorker("three");
  goOffline();

  expect([...cacheStorage.keys()]).toEqual(["app-two", "app-three"]);
  expect(await worker.respond("/assets/two.js")).toBe("script two");
  expect(await worker.respond("/dashboard", { mode: "navigate" })).toBe(page("three"));
});
