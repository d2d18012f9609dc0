/**
 * An element in a page that is not ours brings its tokens, and leaves the page's type and ink outside.
 *
 * Our own pages set the tokens once, at their root, and with them `--hp-ground`; so does an element that is a guest,
 * for what it holds. Sizes are pixels here: a foreign page may count its `rem` from anything. Place, size and
 * `color-scheme` stay the page's.
 */
import tokens from "../tokens.css?inline";

/** Pixels of a `rem` where nobody changed it. */
const REM_PX = 16;

const own = tokens
  .replace(/:root(\[[^\]]*\])?/g, (_, attribute?: string) =>
    attribute ? `:host(${attribute})` : ":host",
  )
  .replace(/(\d*\.?\d+)rem\b/g, (_, size: string) => `${Number(size) * REM_PX}px`)
  .replace("color-scheme: light dark;", "color-scheme: inherit;");

/** What a page says of every element (`*`) reaches a guest too, and may not. */
const apart = `
  :host { all: initial; display: block; visibility: inherit; color-scheme: inherit; }
  :host {
    font: var(--w-normal) var(--t-body) / var(--l-body) var(--font) !important;
    letter-spacing: normal !important;
    word-spacing: normal !important;
    text-transform: none !important;
    text-shadow: none !important;
    text-indent: 0 !important;
    text-align: start !important;
    white-space: normal !important;
    color: var(--text) !important;
  }
`;

let sheet: CSSStyleSheet | undefined;

/** Whether nothing around the element has set the tokens. */
const alone = (element: Element): boolean =>
  getComputedStyle(element).getPropertyValue("--hp-ground") === "";

/** Gives an element whose surroundings know no tokens its own; others keep what they inherit. */
export function settle(element: Element, root: ShadowRoot): void {
  if (!alone(element)) return;
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(apart + own);
  }
  root.adoptedStyleSheets = [sheet, ...root.adoptedStyleSheets];
}
