// Opens the app without a network. It caches the page and its scripts, and no user data.

// The build fills in these three constants (see scripts/app-worker.ts): the files to cache, the script by which a page
// of this version can be recognised, and the name of the cache.
const FILES = [];
const ENTRY = "";
const CACHE = "app-development";

const PAGE = "/dashboard";
// A network without a response for this long counts as offline.
const TIMEOUT_MS = 4000;

self.addEventListener("install", (event) => {
  // A window of the previous version continues with its own scripts, which stay cached for one more version.
  event.waitUntil(cacheThisVersion().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => event.waitUntil(deleteOlderVersions()));

// The worker handles only pages and assets. It never handles requests for data.
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(openPage(request));
  else if (address.pathname.startsWith("/assets/")) event.respondWith(openAsset(request));
});

/** Caches the page together with exactly the scripts it refers to, or nothing. */
async function cacheThisVersion() {
  const page = await fetch(PAGE, { cache: "reload" });
  if (!page.ok || !(await page.clone().text()).includes(ENTRY))
    throw new Error("The page belongs to another version.");
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES);
  await cache.put(PAGE, page);
}

async function deleteOlderVersions() {
  const versions = (await caches.keys()).filter((name) => name.startsWith("app-") && name !== CACHE);
  await Promise.all(versions.slice(0, -1).map((name) => caches.delete(name)));
}

/** Prefers the server's page, so that a reload shows the newest version. */
async function openPage(request) {
  try {
    const response = await Promise.race([fetch(request), rejectAfterTimeout()]);
    if (response.status < 500) return response;
    return (await cachedPage()) ?? response;
  } catch {
    return (await cachedPage()) ?? fetch(request);
  }
}

const cachedPage = () => caches.open(CACHE).then((cache) => cache.match(PAGE));

const rejectAfterTimeout = () => new Promise((_, reject) => setTimeout(reject, TIMEOUT_MS));

/** The name of an asset contains a hash of its content, so a cached copy is never stale. */
async function openAsset(request) {
  return (await caches.match(request)) ?? fetch(request);
}
