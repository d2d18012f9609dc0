/**
 * The geometry of one file in a Web Worker of its own: an element a call, some elements a message.
 *
 * Between two messages it listens: another order comes in while it works. It ends with its file.
 */

import init, { GeometryHandle } from "../../wasm/geometry/geometry.js";
import { Batch, type Meshed } from "./batch.ts";
import type { GeometryRequest, GeometryResponse } from "./protocol.ts";
import { Queue } from "./queue.ts";

declare const self: {
  postMessage(message: GeometryResponse, moved?: Transferable[]): void;
  onmessage: ((event: MessageEvent<GeometryRequest>) => void) | null;
};

/** Work between two messages, in ms. */
const SLICE_MS = 80;

const ready = init({
  module_or_path: new URL("../../wasm/geometry/geometry_bg.wasm", import.meta.url),
});
/** Lets a message in; a timer of no length is held back by browsers, a message is not. */
const turn = new MessageChannel();

let queue: Queue | undefined;

const breath = (): Promise<void> =>
  new Promise((resolve) => {
    turn.port1.onmessage = () => resolve();
    turn.port2.postMessage(null);
  });

/** What the module says itself is an `Error`; anything else ended it. */
const isSaid = (error: unknown): error is Error =>
  error instanceof Error && error.constructor === Error;

async function begin({ file, groups, careful }: GeometryRequest & { type: "begin" }) {
  await ready;
  queue = new Queue(groups);
  const handle = new GeometryHandle(new Uint8Array(await file.arrayBuffer()));
  const [x = 0, y = 0, z = 0] = handle.origin();
  self.postMessage({ type: "begun", origin: [x, y, z], unit: handle.unit() });
  let more = true;
  while (more) {
    more = slice(handle, queue, careful ? 0 : SLICE_MS);
    await breath();
  }
}

/** Meshes until time or message is full; `false` when there is no more to do here. */
function slice(handle: GeometryHandle, from: Queue, ms: number): boolean {
  const until = performance.now() + ms;
  const batch = new Batch();
  let id: number | undefined;
  let lost = false;
  do {
    id = from.next();
    if (id !== undefined) lost = !meshed(handle, id, batch);
  } while (id !== undefined && !lost && !batch.full && performance.now() < until);
  if (!batch.empty) self.postMessage(...batch.take());
  if (id === undefined) self.postMessage({ type: "done" });
  else if (lost) self.postMessage({ type: "lost", id });
  return id !== undefined && !lost;
}

/** `false`: the module is lost with that element. */
function meshed(handle: GeometryHandle, id: number, batch: Batch): boolean {
  try {
    batch.add(id, handle.element(id) as Meshed);
    return true;
  } catch (error) {
    if (!isSaid(error)) return false;
    batch.fail(id, error.message);
    return true;
  }
}

self.onmessage = ({ data }: MessageEvent<GeometryRequest>) => {
  if (data.type === "order") {
    queue?.order(data.storeys);
    return;
  }
  begin(data).catch((error: unknown) =>
    self.postMessage({ type: "failed", message: String(error) }),
  );
};
