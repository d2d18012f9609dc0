/** A link inside the pages: a plain click goes on without loading again; any other is the browser's. */

export function going(event: MouseEvent, href: string, from: HTMLElement): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
  // Another page of the product is loaded as the browser does it.
  if (!href.startsWith("/crew")) return;
  event.preventDefault();
  from.dispatchEvent(new CustomEvent("hp-go", { detail: { href }, bubbles: true, composed: true }));
}
