/**
 * The offline copy: everything that a build of the page is made of, kept at the first visit. The build writes the list
 * in.
 *
 * Invariant: the copy of a build stays while a tab that may have come from that build is open, because the tab loads
 * parts of it late and the server has those of the newest build only.
 */
declare const self: ServiceWorkerGlobalScope;
declare const ASSETS: string[];
declare const BUILD: string;

const COPIES = "holdpoint-";
const CACHE = `${COPIES}${BUILD}`;
/** As `main.ts` has it: how the lock of a tab begins. */
const BUILD_LOCK = "holdpoint-build ";
/** The interpreter of scripts: kept when it was loaded first, for all builds. */
const LATE = /\/assets\/python\//;
const PYTHON = "python";
/** What belongs to the edge is never answered from the copy. */
const EDGE = /^\/(api|gateway|v1|admin)\//;

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(ASSETS))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(forgetOldBuilds().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin || EDGE.test(url.pathname))
    return;
  if (LATE.test(url.pathname)) return event.respondWith(late(event));
  if (event.request.mode !== "navigate") return event.respondWith(asset(event.request));
  event.respondWith(page(event.request));
  // The last tab of an old build may have gone since.
  event.waitUntil(forgetOldBuilds());
});

/** The page from the network while there is one, so that a new build is seen at once. */
async function page(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match("./", { cacheName: CACHE })) ?? Response.error();
  }
}

/** Names of built files are made of their content: whichever copy has one has the right one. */
async function asset(request: Request): Promise<Response> {
  const options = { ignoreSearch: true };
  return (
    (await caches.match(request, { ...options, cacheName: CACHE })) ??
    (await caches.match(request, options)) ??
    fetch(request)
  );
}

/** From the copy, else from the network, and kept. A file of another version of the same name goes. */
async function late(event: FetchEvent): Promise<Response> {
  const { request } = event;
  const copy = await caches.open(PYTHON);
  const known = await copy.match(request);
  if (known) return known;
  const response = await fetch(request);
  if (response.ok) event.waitUntil(keep(copy, request, response.clone()));
  return response;
}

async function keep(copy: Cache, request: Request, response: Response): Promise<void> {
  await copy.put(request, response);
  const stem = (url: string): string => url.replace(/-[\w-]{8}(\.\w+)$/, "$1");
  for (const old of await copy.keys())
    if (old.url !== request.url && stem(old.url) === stem(request.url)) await copy.delete(old);
}

/** Deletes the copies of builds that no tab comes from. */
async function forgetOldBuilds(): Promise<void> {
  const copies = (await caches.keys()).filter((name) => name.startsWith(COPIES) && name !== CACHE);
  if (copies.length === 0) return;
  const entries = await openEntries();
  if (entries === null) return;
  for (const name of copies) {
    const copy = await caches.open(name);
    const used = await Promise.all([...entries].map((entry) => copy.match(entry)));
    if (used.every((found) => found === undefined)) await caches.delete(name);
  }
}

/**
 * The scripts that open tabs began with, which name their builds: each tab holds one lock of that name. Null while
 * there are not as many locks as tabs, because a tab still loads or an earlier version of this page is in it.
 */
async function openEntries(): Promise<Set<string> | null> {
  const tabs = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const { held = [] } = await navigator.locks.query();
  const entries = held.flatMap(({ name }) =>
    name?.startsWith(BUILD_LOCK) ? [name.slice(BUILD_LOCK.length)] : [],
  );
  return entries.length === tabs.length ? new Set(entries) : null;
}

export {};
