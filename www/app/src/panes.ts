/** F6 through the panes of a page, and where focus lands in one. */

/** Focuses the next pane (`[data-f6]`) that is in view; `by` is 1 or -1. */
export function cyclePanes(
  root: ShadowRoot | HTMLElement,
  active: Element | null,
  by: number,
): void {
  const all = panesIn(root).filter((pane) => pane.offsetParent !== null);
  const at = all.findIndex((pane) => holds(pane, active));
  const next = all[(at + by + all.length) % all.length];
  if (next) (focusable(next) ?? next).focus();
}

/** The panes of a page, also those that an element of it draws. */
function panesIn(root: ParentNode): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>("*")].flatMap((element) => {
    if (element.matches("[data-f6]")) return [element];
    return element.shadowRoot ? panesIn(element.shadowRoot) : [];
  });
}

/** Whether what has the focus is in a pane, shadow roots included. */
function holds(pane: HTMLElement, active: Element | null): boolean {
  let at: Node | null = active;
  for (
    let inner = active?.shadowRoot?.activeElement;
    inner;
    inner = inner.shadowRoot?.activeElement
  )
    at = inner;
  while (at && at !== pane) at = at instanceof ShadowRoot ? at.host : at.parentNode;
  return at === pane;
}

/** The first element inside that takes focus, shadow roots included. */
function focusable(root: ParentNode): HTMLElement | null {
  for (const element of root.querySelectorAll<HTMLElement>("*")) {
    if (element.shadowRoot) {
      const inner = focusable(element.shadowRoot);
      if (inner) return inner;
    }
    if (
      element.matches(
        "button:not(:disabled), input:not(:disabled), select, textarea:not(:disabled), a[href], [tabindex='0']",
      ) &&
      element.offsetParent !== null
    )
      return element;
  }
  return null;
}
