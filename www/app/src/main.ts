/** Boots the page: token, store, core, clients; then events, drops, the network, and the offline copy. */
import "@holdpoint/elements/tokens.css";
import { onLanguage, t } from "@holdpoint/elements";
import "./page.css";
import "./page.js";
import { App } from "./app.js";
import {
  createApi,
  createChecks,
  createModelClient,
  createSandboxClient,
  loadCore,
  openStore,
} from "./core.js";
import { listen } from "./events.js";
import type { Page } from "./page.js";
import { Session } from "./session.js";

const session = Session.open();

/** The model page, or the script pages with an editor of their own. */
const start = (): Promise<void> =>
  /^\/scripts(\/|$)/.test(location.pathname)
    ? import("./scripts/boot.js").then(({ bootScripts }) => bootScripts(session))
    : boot();

async function boot(): Promise<void> {
  const page = document.createElement("hp-page") as Page;
  const [core, store] = await Promise.all([loadCore(), openStore()]);
  const checks = createChecks();
  const app = new App(page, {
    core,
    checks,
    store,
    session,
    api: createApi(() => session.token),
    client: createModelClient(),
    sandbox: createSandboxClient(checks),
  });
  listen(page, app, () => pick((file) => void app.opening.open(file, file.name)));
  addEventListener("online", () => app.setOffline(false));
  addEventListener("offline", () => app.setOffline(true));
  drops(app);
  page.id = "page";
  await app.start();
  document.body.append(page);
  document.querySelector(".skip")?.addEventListener("click", () => page.skip());
}

/** The link that comes before everything stands outside of the page element. */
function skipLink(): void {
  const link = document.querySelector(".skip");
  if (link) link.textContent = t("app.skip");
  link?.closest("nav")?.setAttribute("aria-label", t("app.skip"));
}

function pick(take: (file: File) => void): void {
  const input = Object.assign(document.createElement("input"), { type: "file", accept: ".ifc" });
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (file) take(file);
  });
  input.click();
}

function drops(app: App): void {
  const carries = (event: DragEvent): boolean =>
    event.dataTransfer?.types.includes("Files") ?? false;
  window.addEventListener("dragover", (event) => {
    if (carries(event)) {
      event.preventDefault();
      if (!app.ui.dropping) app.set({ dropping: true });
    }
  });
  window.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) app.set({ dropping: false });
  });
  window.addEventListener("drop", (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    app.set({ dropping: false });
    const file = event.dataTransfer?.files[0];
    if (file) void app.opening.open(file, file.name);
  });
}

void start();
skipLink();
onLanguage(skipLink);
if (import.meta.env.PROD && "serviceWorker" in navigator)
  void navigator.serviceWorker.register("/sw.js");
