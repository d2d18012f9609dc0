/** Where the focus goes when what had it goes: in the same turn in which that is drawn; no key falls between. */
import type { ReactiveControllerHost } from "lit";
import { focused } from "./focused.js";

type Host = ReactiveControllerHost & HTMLElement;

/** `on` is looked for in the next drawing of `host`. Whoever is elsewhere by then stays there. */
export function refocus(host: Host, on: () => HTMLElement | null | undefined): void {
  const once = {
    hostUpdated(): void {
      host.removeController(once);
      if (nowhereBut(host)) on()?.focus();
    },
  };
  host.addController(once);
}

/** Whether the focus is on nothing, or inside `host`. */
export function nowhereBut(host: HTMLElement): boolean {
  const at = focused();
  return at === null || at === document.body || host.shadowRoot?.contains(at) === true;
}
