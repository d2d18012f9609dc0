/**
 * What differs between the places where the core runs: where modules come from, and how a thread starts.
 *
 * A place is one file beside this one. `platform.ts` names the browser's; the packed package has a tree for each place.
 */

import type { Came, NetworkRequest } from "../sandbox/network.ts";

/** The modules with the checks of one kind each. */
export type CheckName = "check-extension" | "check-script" | "check-crew" | "check-app";
/** Modules that live in a thread. */
export type ThreadName = CheckName | "sandbox";
/** The Wasm modules that every place has. */
export type ModuleName = ThreadName | "core" | "python" | "crew" | "archive";

/** Answers one message after the other; `ask` rejects where the thread was lost. */
export interface Thread<Asked, Said> {
  ask(message: Asked): Promise<Said>;
  /** What is not answered yet never will be. */
  end(): void;
}

export interface Platform {
  /** The compiled module, fetched when it is asked for. */
  compiled(name: ModuleName): Promise<WebAssembly.Module>;
  thread<Asked, Said>(name: ThreadName): Promise<Thread<Asked, Said>>;
  /** Sends a request of an extension; `ended` takes it back. */
  send(request: NetworkRequest, ended: AbortSignal): Promise<Came>;
}
