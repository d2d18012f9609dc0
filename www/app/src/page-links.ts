/** The pages of the product in the bar and in the account menu. UI.md §2. */
import { type MenuItem, t } from "@holdpoint/elements";
import { css, html, type TemplateResult } from "lit";
import { type PageName, pages } from "./pages.js";

/** The links in the bar; hidden where it is narrow, since the account menu has them. */
export function pageLinks(current: PageName): TemplateResult {
  return html`<nav class="pages" aria-label=${t("app.pages")}>
    <ul>
      ${pages.map(
        (page) =>
          html`<li>
            <a href=${page.href} aria-current=${page.name === current ? "page" : "false"}
              >${t(page.title)}</a
            >
          </li>`,
      )}
    </ul>
  </nav>`;
}

/** The same as entries of a menu: `page:/scripts`. */
export const pageItems = (current: PageName): MenuItem[] =>
  pages
    .filter((page) => page.name !== current)
    .map((page) => ({
      id: `page:${page.href}`,
      label: t(page.title),
      icon: page.icon,
    }));

export const pageLinksStyle = css`
  .pages ul { display: flex; gap: var(--s-1); list-style: none; margin: 0; padding: 0; }
  .pages a {
    display: flex;
    align-items: center;
    height: var(--bar);
    padding: 0 var(--s-4);
    color: var(--text-2);
    text-decoration: none;
    font-size: var(--t-small);
    font-weight: var(--w-medium);
    border-block: 2px solid transparent;
  }
  .pages a:hover { color: var(--text); }
  .pages a[aria-current="page"] { color: var(--text); border-bottom-color: var(--action); }
  .pages a:focus-visible { outline-offset: -4px; }
  @media (max-width: 767px) { .pages { display: none; } }
`;
