/**
 * The page while it is developed keeps no offline copy: each file comes from the sources as they are. Where its server
 * does not answer, a sentence says so in place of the browser's page.
 */
declare const self: ServiceWorkerGlobalScope;

/** The document `away.html`. */
declare const AWAY: string;

self.addEventListener("install", () => void self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  if (event.request.mode !== "navigate") return;
  const headers = { "content-type": "text/html; charset=utf-8" };
  event.respondWith(fetch(event.request).catch(() => new Response(AWAY, { status: 503, headers })));
});

export {};
