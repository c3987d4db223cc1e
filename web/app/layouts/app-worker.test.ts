import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { beforeEach, expect, test } from "vitest";

const SOURCE = readFileSync(`${import.meta.dirname}/../../public/app-worker.js`, "utf8");
const ORIGIN = "https://cairn.example";

/** What the network has; an Error is a network that is gone, null one that never answers. */
let network: Record<string, string | Error | null>;
/** What the browser keeps, by version. */
let shelves: Map<string, Map<string, Response>>;

beforeEach(() => {
  network = { "/dashboard": page("one"), "/assets/one.js": "script one" };
  shelves = new Map();
});

const page = (version: string) => `<script src="/assets/manifest-${version}.js">`;

/** A worker as the build of this version would have written it, in a browser of our own. */
function worker(version: string) {
  const listeners: Record<string, (event: object) => void> = {};
  const built = SOURCE.replace("const FILES = [];", `const FILES = ["/assets/${version}.js"];`)
    .replace('const ENTRY = "";', `const ENTRY = "manifest-${version}.js";`)
    .replace("app-development", `app-${version}`);
  const self = {
    location: { origin: ORIGIN },
    addEventListener: (name: string, listener: (event: object) => void) => (listeners[name] = listener),
    skipWaiting: async () => undefined,
  };
  runInNewContext(built, { self, caches, fetch: ask, URL, setTimeout: hurry });
  const happen = async (name: string) => {
    let work: Promise<unknown> = Promise.resolve();
    listeners[name]?.({ waitUntil: (promise: Promise<unknown>) => (work = promise) });
    await work;
  };
  return {
    install: async () => {
      await happen("install");
      await happen("activate");
    },
    /** Null when the worker leaves it to the browser. */
    answer: async (path: string, { mode = "cors", method = "GET", origin = ORIGIN } = {}) => {
      const given: Promise<Response>[] = [];
      const request = { url: origin + path, mode, method };
      listeners.fetch?.({ request, respondWith: (promise: Promise<Response>) => given.push(promise) });
      return given[0] ? (await given[0]).text() : null;
    },
  };
}

/** Nobody waits four seconds here. */
const hurry = (act: () => void) => setTimeout(act, 1);

async function ask(request: string | { url: string }): Promise<Response> {
  const path = pathOf(request);
  const found = network[path];
  if (found instanceof Error) throw found;
  if (found === null) return new Promise(() => {});
  return found === undefined ? new Response("no", { status: 404 }) : new Response(found);
}

const pathOf = (request: string | { url: string }) =>
  typeof request === "string" ? request : request.url.slice(ORIGIN.length);

const caches = {
  keys: async () => [...shelves.keys()],
  delete: async (name: string) => shelves.delete(name),
  match: async (request: { url: string }) =>
    [...shelves.values()].map((shelf) => shelf.get(pathOf(request))?.clone()).find(Boolean),
  open: async (name: string) => {
    const shelf = shelves.get(name) ?? new Map<string, Response>();
    shelves.set(name, shelf);
    return {
      put: async (path: string, response: Response) => void shelf.set(path, response),
      match: async (path: string) => shelf.get(path)?.clone(),
      addAll: async (paths: string[]) => {
        const answers = await Promise.all(paths.map(ask));
        if (answers.some(({ ok }) => !ok)) throw new TypeError("not all of them are there");
        for (const [index, path] of paths.entries()) shelf.set(path, answers[index] ?? new Response());
      },
    };
  },
};

const lose = () => {
  for (const path of Object.keys(network)) network[path] = new TypeError("no network");
};

test("without a network, or with one that says nothing, the kept page opens with its scripts", async () => {
  const one = worker("one");
  await one.install();
  lose();
  expect(await one.answer("/dashboard", { mode: "navigate" })).toBe(page("one"));
  expect(await one.answer("/assets/one.js")).toBe("script one");

  network["/dashboard"] = null;

  expect(await one.answer("/dashboard", { mode: "navigate" })).toBe(page("one"));
});

test("with a network the server's own page is opened, the newest there is", async () => {
  const one = worker("one");
  await one.install();
  network["/dashboard"] = page("two");

  expect(await one.answer("/dashboard", { mode: "navigate" })).toBe(page("two"));
});

test("the server's data, what is sent, and other sites are none of its business", async () => {
  const one = worker("one");
  await one.install();

  expect(await one.answer("/rest/v1/waiver_templates")).toBeNull();
  expect(await one.answer("/auth/v1/token", { method: "POST" })).toBeNull();
  expect(await one.answer("/assets/one.js", { origin: "https://elsewhere.example" })).toBeNull();
});

test("a page of another version is not kept with the scripts of this one", async () => {
  network["/dashboard"] = page("two");

  await expect(worker("one").install()).rejects.toThrow("another version");

  expect(shelves.size).toBe(0);
});

test("an open window keeps the scripts of its version while the next one moves in; those before go", async () => {
  for (const version of ["one", "two", "three"]) {
    network = { "/dashboard": page(version), [`/assets/${version}.js`]: `script ${version}` };
    // oxlint-disable-next-line no-await-in-loop
    await worker(version).install();
  }
  const three = worker("three");
  lose();

  expect([...shelves.keys()]).toEqual(["app-two", "app-three"]);
  expect(await three.answer("/assets/two.js")).toBe("script two");
  expect(await three.answer("/dashboard", { mode: "navigate" })).toBe(page("three"));
});
