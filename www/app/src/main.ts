/** Boots the page that the address names; then the skip link, and the offline copy. */
import "@holdpoint/elements/tokens.css";
import { onLanguage, t } from "@holdpoint/elements";
import "./page.css";
import { showBuilding } from "./building.js";
import { Credential } from "./credential.js";
import { showNoPage } from "./no-page.js";
import { isPage, pageAt } from "./pages.js";

/** The link that comes before everything stands outside of the page element. */
function skipLink(): void {
  const link = document.querySelector(".skip");
  if (link) link.textContent = t("app.skip");
  link?.closest("nav")?.setAttribute("aria-label", t("app.skip"));
}

async function start(): Promise<void> {
  if (!isPage(location.pathname)) return showNoPage();
  const { boot } = await pageAt(location.pathname).load();
  const { page, app } = await boot(await Credential.open());
  addEventListener("online", () => app.setOffline(false));
  addEventListener("offline", () => app.setOffline(true));
  page.id = "page";
  await app.start();
  document.body.append(page);
  document.querySelector(".skip")?.addEventListener("click", (event) => {
    event.preventDefault();
    page.skip();
  });
}

/**
 * Tells the offline copy, for as long as this tab lives, which build it is of: the script that it began with. Its parts
 * are kept until then (`sw.ts`).
 */
function holdBuild(): void {
  const name = `holdpoint-build ${new URL(import.meta.url).pathname}`;
  const tabEnds = new Promise<never>(() => undefined);
  void navigator.locks.request(name, { mode: "shared" }, () => tabEnds);
}

void start();
if (import.meta.hot) showBuilding(import.meta.hot);
skipLink();
onLanguage(skipLink);
if ("serviceWorker" in navigator && "locks" in navigator) {
  if (import.meta.env.PROD) holdBuild();
  void navigator.serviceWorker.register("/sw.js");
}
