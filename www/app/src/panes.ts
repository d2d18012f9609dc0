/** F6 through the panes of a page, and where focus lands in one. */

/** Focuses the next pane (`[data-f6]`) that is in view; `by` is 1 or -1. */
export function cyclePanes(
  root: ShadowRoot | HTMLElement,
  active: Element | null,
  by: number,
): void {
  const all = [...root.querySelectorAll<HTMLElement>("[data-f6]")].filter(
    (pane) => pane.offsetParent !== null,
  );
  const at = all.findIndex((pane) => pane.contains(active));
  const next = all[(at + by + all.length) % all.length];
  if (next) (focusable(next) ?? next).focus();
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
