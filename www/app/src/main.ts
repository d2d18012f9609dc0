/** Boots the page that the address names; then the skip link, and the offline copy. */
import "@holdpoint/elements/tokens.css";
import { onLanguage, t } from "@holdpoint/elements";
import "./page.css";
import { Credential } from "./credential.js";
import { pageAt } from "./pages.js";

/** The link that comes before everything stands outside of the page element. */
function skipLink(): void {
  const link = document.querySelector(".skip");
  if (link) link.textContent = t("app.skip");
  link?.closest("nav")?.setAttribute("aria-label", t("app.skip"));
}

async function start(): Promise<void> {
  const { boot } = await pageAt(location.pathname).load();
  const { page, app } = await boot(Credential.open());
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

void start();
skipLink();
onLanguage(skipLink);
if (import.meta.env.PROD && "serviceWorker" in navigator)
  void navigator.serviceWorker.register("/sw.js");
