/** What stands at an address that no page has: that there is none, and where there are some. */
import { preferred, setLanguage, t } from "@holdpoint/elements";
import { pageAt, pages } from "./pages.js";

export function showNoPage(): void {
  setLanguage(preferred(navigator.languages, pageAt("/").languages));
  const main = Object.assign(document.createElement("main"), { id: "page", className: "no-page" });
  main.tabIndex = -1;
  main.append(
    words("h1", t("page.none", { path: location.pathname })),
    words("p", t("page.none.text")),
    links(),
  );
  document.title = `${t("page.none.title")} – ${t("app.name")}`;
  document.body.append(main);
}

const words = (tag: string, text: string): HTMLElement =>
  Object.assign(document.createElement(tag), { textContent: text });

/** The pages that there are. */
function links(): HTMLElement {
  const list = document.createElement("ul");
  for (const { href, title } of pages) {
    const item = document.createElement("li");
    item.append(Object.assign(document.createElement("a"), { href, textContent: t(title) }));
    list.append(item);
  }
  return list;
}
