/**
 * The frame in which scripts run: a document of no origin without a network, which holds workers and does nothing else.
 *
 * Its policy says so, and so does the page's, which it inherits and which therefore names this script by its hash
 * (`worker/src/headers.rs`). It is a text, for what a bundler makes of a function has another hash each time.
 */

/** Compiles the interpreter once, starts workers with it and ends them. */
export const FRAME_SCRIPT = `"use strict";
const workers = new Map();
let url = "", module, library;
const say = (what) => parent.postMessage(what, "*");
onmessage = async ({ data, source, ports }) => {
  if (source !== parent) return;
  if (data.is === "load") {
    try {
      module = await WebAssembly.compile(data.wasm);
      library = data.library;
      url = URL.createObjectURL(new Blob(data.scripts, { type: "text/javascript" }));
      say({ is: "loaded", problem: "" });
    } catch (error) {
      say({ is: "loaded", problem: String(error) });
    }
  }
  if (data.is === "start") {
    const worker = new Worker(url);
    const { id, is, ...given } = data;
    worker.onerror = (event) => say({ is: "broken", id, problem: String(event.message) });
    worker.postMessage({ ...given, module, library, port: ports[0] }, [ports[0]]);
    workers.set(id, worker);
  }
  if (data.is === "end") {
    workers.get(data.id)?.terminate();
    workers.delete(data.id);
  }
};
say({ is: "up" });
`;

/** What `script-src` names it by; a test computes it anew. */
export const FRAME_HASH = "sha256-fnp8V3wvXO/YJvENoKUPJIN1OXBIwFab6CfAZfouZiU=";

/** The document. Workers inherit its policy: they reach nobody and load no script. */
export const FRAME_DOCUMENT = `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" \
content="default-src 'none'; script-src '${FRAME_HASH}' 'wasm-unsafe-eval'; worker-src blob:">\
<script>${FRAME_SCRIPT}</script>`;
