/**
 * The requests of a call that waits for them: whether they may be sent, and what came of them.
 *
 * Invariants: what nobody has signed sends nothing; nothing goes to a host that was not granted, whatever the sandbox
 * says; a call waits for all its requests together no longer than `MAX_WAIT_MS`.
 */

import { platform } from "../platform.ts";
import type { RunningExtension } from "../types.ts";
import type { Came, NetworkRequest } from "./network.ts";

/** Requests of an extension within a minute (ifc-sdk.md §2). */
const MAX_A_MINUTE = 60;
const MINUTE_MS = 60_000;
/** How long a call may wait in all: requests that follow each other do not add up to more. */
const MAX_WAIT_MS = 60_000;

/** A request of a call, by its number there. */
export type OpenRequest = NetworkRequest & { id: number };
export type NetworkReply = Came & { id: number };
/** What a call waits for; `alone`: no other may run before it ended. */
export interface Waits {
  requests: OpenRequest[];
  alone: boolean;
}

/** When each extension last asked, as far as a minute goes. */
export class Minutes {
  readonly #times = new Map<string, number[]>();

  /** Counts one more, unless it is one too many. */
  allow(extension: string): boolean {
    const now = performance.now();
    const recent = (this.#times.get(extension) ?? []).filter((time) => time > now - MINUTE_MS);
    this.#times.set(extension, recent);
    if (recent.length >= MAX_A_MINUTE) return false;
    recent.push(now);
    return true;
  }
}

/** The requests of one call. */
export class Requests {
  readonly #coming = new Map<number, Promise<void>>();
  readonly #came: NetworkReply[] = [];
  #until: number | undefined;

  constructor(
    private readonly extension: RunningExtension,
    private readonly minutes: Minutes,
    private readonly ended: AbortSignal,
  ) {}

  /** Sends them side by side with those that are under way. */
  send(requests: OpenRequest[]): void {
    this.#until ??= performance.now() + MAX_WAIT_MS;
    for (const { id, ...request } of requests) {
      const coming = this.#answer(request).then((came) => {
        this.#coming.delete(id);
        this.#came.push({ id, ...came });
      });
      this.#coming.set(id, coming);
    }
  }

  /** What has come; waits until something has. */
  async replies(): Promise<NetworkReply[]> {
    if (this.#came.length === 0) await Promise.race(this.#coming.values());
    return this.#came.splice(0);
  }

  async #answer(request: NetworkRequest): Promise<Came> {
    const { extension } = this;
    const host = hostOf(request.url);
    const grant = `network.fetch:${host}`;
    if (host === null || !extension.granted.some((one) => one.toLowerCase() === grant))
      return { failure: "unreachable" };
    const asked = { host, method: request.method };
    if (extension.trial) {
      extension.asked?.(asked);
      return { failure: "held" };
    }
    if (!this.minutes.allow(extension.key)) return { failure: "tooMany" };
    extension.asked?.(asked);
    const left = (this.#until ?? 0) - performance.now();
    const timeoutMs = Math.max(0, Math.min(request.timeoutMs, left));
    return platform.send({ ...request, timeoutMs }, this.ended);
  }
}

/** The host of an address that an extension may ask: https, without port, user or password. */
function hostOf(url: string): string | null {
  try {
    const { protocol, host, port, username, password } = new URL(url);
    return protocol === "https:" && !port && !username && !password ? host : null;
  } catch {
    return null;
  }
}
