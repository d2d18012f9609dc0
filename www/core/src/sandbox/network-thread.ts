/** The page's side of `network-worker.ts`, which starts with the first request. */

import type { Came, NetworkRequest } from "./network.ts";
import type { NetworkSaid } from "./network-worker.ts";

export class NetworkThread {
  #worker: Worker | undefined;
  readonly #waiting = new Map<number, (came: Came) => void>();
  #sent = 0;

  constructor(private readonly start: () => Worker) {}

  send(request: NetworkRequest, ended: AbortSignal): Promise<Came> {
    const worker = this.#started();
    this.#sent += 1;
    const id = this.#sent;
    const cut = () => worker.postMessage({ cut: id });
    return new Promise<Came>((resolve) => {
      this.#waiting.set(id, resolve);
      worker.postMessage({ id, request });
      if (ended.aborted) cut();
      ended.addEventListener("abort", cut);
    }).finally(() => ended.removeEventListener("abort", cut));
  }

  #started(): Worker {
    if (this.#worker) return this.#worker;
    const worker = this.start();
    worker.onmessage = ({ data: { id, came } }: MessageEvent<NetworkSaid>) => {
      this.#waiting.get(id)?.(came);
      this.#waiting.delete(id);
    };
    // It did not start, as where the page is offline and keeps no copy: the next request starts another one.
    worker.onerror = (event) => {
      event.preventDefault();
      worker.terminate();
      this.#worker = undefined;
      for (const resolve of this.#waiting.values()) resolve({ failure: "unreachable" });
      this.#waiting.clear();
    };
    this.#worker = worker;
    return worker;
  }
}
