/** Boots the script pages: device, engine, clients, then the page. */
import { createEditorApi } from "@holdpoint/core/editor";
import { createApi, createChecks, loadCore, openStore } from "../../core.js";
import type { Booted } from "../../pages.js";
import type { Session } from "../../session.js";
import { ScriptsApp } from "./app.js";
import { listen } from "./events.js";
import { KIND } from "./kind.js";
import "./page.js";
import { loadFacts } from "./python.js";

export async function boot(session: Session): Promise<Booted> {
  const page = document.createElement("hp-scripts-page");
  const [core, store, facts] = await Promise.all([loadCore(), openStore(), loadFacts()]);
  const app = new ScriptsApp(page, {
    core,
    checks: createChecks(KIND),
    facts,
    store,
    session,
    api: createApi(() => session.token),
    editor: createEditorApi(() => session.token),
  });
  listen(page, app);
  return { page, app };
}
