// Opens the app where there is no network: keeps its page and its scripts, and nothing of anybody's.

// Written by the build (scripts/worker.ts).
const FILES = [];
const ENTRY = "";
const CACHE = "app-development";

const PAGE = "/dashboard";
// A network that says nothing for so long is none.
const PATIENCE = 4000;

self.addEventListener("install", (event) => {
  // A window of the version before goes on with its own scripts, which stay for one version more.
  event.waitUntil(keepThisVersion().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => event.waitUntil(forgetOlderVersions()));

// Everything else, the server's data above all, goes its own way.
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(openPage(request));
  else if (address.pathname.startsWith("/assets/")) event.respondWith(script(request));
});

/** Whole or not at all: a page and the very scripts it names. */
async function keepThisVersion() {
  const page = await fetch(PAGE, { cache: "reload" });
  if (!page.ok || !(await page.clone().text()).includes(ENTRY))
    throw new Error("The page is of another version.");
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES);
  await cache.put(PAGE, page);
}

async function forgetOlderVersions() {
  const versions = (await caches.keys()).filter((name) => name.startsWith("app-") && name !== CACHE);
  await Promise.all(versions.slice(0, -1).map((name) => caches.delete(name)));
}

/** The server's page as long as there is one, so that whoever reloads has the newest version. */
async function openPage(request) {
  try {
    const answer = await Promise.race([fetch(request), patience()]);
    if (answer.status < 500) return answer;
    return (await keptPage()) ?? answer;
  } catch {
    return (await keptPage()) ?? fetch(request);
  }
}

const keptPage = () => caches.open(CACHE).then((cache) => cache.match(PAGE));

const patience = () => new Promise((_, reject) => setTimeout(reject, PATIENCE));

/** Its name holds a hash of its content, so that it is the same wherever it comes from. */
async function script(request) {
  return (await caches.match(request)) ?? fetch(request);
}
