/**
 * Sends the requests of extensions, in a Web Worker of its own: its response says in its own content policy that it may
 * reach other hosts, which the page may not (`worker/src/headers.rs`). No code of an extension runs here.
 */

import { type Came, type NetworkRequest, send } from "./network.ts";

/** A request under a number, or that nobody waits for it any more. */
export type NetworkAsked = { id: number; request: NetworkRequest } | { cut: number };
export interface NetworkSaid {
  id: number;
  came: Came;
}

declare const self: {
  postMessage(message: NetworkSaid): void;
  onmessage: ((event: MessageEvent<NetworkAsked>) => void) | null;
};

const open = new Map<number, AbortController>();

self.onmessage = async ({ data }: MessageEvent<NetworkAsked>) => {
  if ("cut" in data) return open.get(data.cut)?.abort();
  const ended = new AbortController();
  open.set(data.id, ended);
  const came = await send(data.request, ended.signal);
  open.delete(data.id);
  self.postMessage({ id: data.id, came });
};
