/** Boots the script pages: device, engine, clients, then the page. */
import { createEditorApi } from "@holdpoint/core/editor";
import { createApi, createChecks, loadCore, openDevice } from "../../core.js";
import type { Credential } from "../../credential.js";
import type { Booted } from "../../pages.js";
import { ScriptsApp } from "./app.js";
import { listen } from "./events.js";
import { createRunner } from "./interpreter.js";
import { KIND } from "./kind.js";
import "./page.js";
import { loadFacts } from "./python.js";

export async function boot(credential: Credential): Promise<Booted> {
  const page = document.createElement("hp-scripts-page");
  const [core, store, facts] = await Promise.all([loadCore(), openDevice(credential), loadFacts()]);
  const app = new ScriptsApp(page, {
    core,
    checks: createChecks(KIND),
    facts,
    store,
    runner: createRunner(),
    credential,
    api: createApi(credential.asker),
    editor: createEditorApi(credential.asker),
  });
  listen(page, app);
  return { page, app };
}
