/** The value of a panel that a person points at: what names it, and what it shows. */

export interface Picked {
  where: string;
  shows: string;
}

/** What a panel shows, from the closest to the widest. */
const VALUES = "td, th[scope=row], dd, li, p, h3, svg";

const told = (element: Element | null | undefined): string =>
  (element?.textContent ?? "").replace(/\s+/g, " ").trim();

/** Null where nothing is shown. */
export function picked(at: Element, panel: Element): Picked | null {
  const value = at.closest(VALUES);
  if (!value || !panel.contains(value)) return null;
  const shows =
    value instanceof SVGElement ? (value.getAttribute("aria-label") ?? "") : told(value);
  return shows ? { where: named(value, panel), shows } : null;
}

function named(value: Element, panel: Element): string {
  if (value.matches("td, th")) {
    const row = value.parentElement;
    const column = value.closest("table")?.querySelectorAll("thead th")[
      [...(row?.children ?? [])].indexOf(value)
    ];
    const names = value.matches("td") ? [row?.querySelector("th"), column] : [column];
    return names.map(told).filter(Boolean).join(" · ");
  }
  if (value.matches("dd")) return told(value.previousElementSibling);
  // The heading that it stands under.
  const headings = [...panel.querySelectorAll("h2, h3")];
  const above = headings.filter(
    (one) => one !== value && one.compareDocumentPosition(value) & Node.DOCUMENT_POSITION_FOLLOWING,
  );
  return told(above.at(-1));
}
