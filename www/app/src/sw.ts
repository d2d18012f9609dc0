/** The offline copy: everything that the page is built of, kept at the first visit. The build writes the list in. */
declare const self: ServiceWorkerGlobalScope;
declare const ASSETS: string[];
declare const BUILD: string;

const CACHE = `holdpoint-${BUILD}`;
/** What belongs to the edge is never answered from the copy. */
const EDGE = /^\/(api|gateway|v1)\//;

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(ASSETS))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  const old = caches
    .keys()
    .then((names) =>
      Promise.all(
        names
          .filter((name) => name.startsWith("holdpoint-") && name !== CACHE)
          .map((name) => caches.delete(name)),
      ),
    );
  event.waitUntil(old.then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin || EDGE.test(url.pathname))
    return;
  event.respondWith(event.request.mode === "navigate" ? page(event.request) : asset(event.request));
});

/** The page from the network while there is one, so that a new build is seen at once. */
async function page(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match("./", { cacheName: CACHE })) ?? Response.error();
  }
}

async function asset(request: Request): Promise<Response> {
  return (await caches.match(request, { cacheName: CACHE, ignoreSearch: true })) ?? fetch(request);
}

export {};
