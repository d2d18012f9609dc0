/** Where the focus goes when what had it is gone: after what was emitted came back and is drawn. */
export function refocus(on: () => HTMLElement | null | undefined): void {
  requestAnimationFrame(() => requestAnimationFrame(() => on()?.focus()));
}
