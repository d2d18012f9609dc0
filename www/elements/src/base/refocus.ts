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

const STOPS =
  "button:not(:disabled), input:not(:disabled, [hidden]), select, textarea, a[href], [tabindex='0']";

/**
 * From now on, when a drawing of `host` takes away what had the focus, the focus goes to the first stop of the nearest
 * place around that still stands.
 */
export function keepFocus(host: Host): void {
  let had: Element | null = null;
  let around: Element[] = [];
  host.addController({
    hostUpdate(): void {
      had = host.shadowRoot?.activeElement ?? null;
      around = [];
      for (let at = had?.parentElement; at; at = at.parentElement) around.push(at);
    },
    hostUpdated(): void {
      if (!had || had.isConnected || !nowhereBut(host)) return;
      const stops = around
        .filter((place) => place.isConnected)
        .map((place) => (place.matches(STOPS) ? place : place.querySelector(STOPS)));
      (stops.find((stop) => stop !== null) as HTMLElement | undefined)?.focus();
    },
  });
}
