/** Boots the model page: device, engine, clients, then the page with files that are picked or dropped. */

import {
  createApi,
  createChecks,
  createModelClient,
  createSandboxClient,
  loadCore,
  openDevice,
} from "../../core.js";
import { App } from "./app.js";
import { listen } from "./events.js";
import { droppedFiles } from "./file-handles.js";
import { KIND } from "./kind.js";
import "./page.js";
import type { Credential } from "../../credential.js";
import type { Booted } from "../../pages.js";

export async function boot(credential: Credential): Promise<Booted> {
  const page = document.createElement("hp-page");
  const [core, store] = await Promise.all([loadCore(), openDevice(credential)]);
  const checks = createChecks(KIND);
  const app = new App(page, {
    core,
    checks,
    store,
    credential,
    api: createApi(credential.asker),
    client: createModelClient,
    sandbox: createSandboxClient(checks),
  });
  listen(page, app, pick);
  drops(app);
  return { page, app };
}

/** Asks for files with an ending. */
function pick(accept: string, take: (files: File[]) => void, multiple = false): void {
  const input = Object.assign(document.createElement("input"), { type: "file", accept, multiple });
  input.addEventListener("change", () => take([...(input.files ?? [])]));
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
    const beside = event
      .composedPath()
      .some((one) => one instanceof HTMLElement && one.dataset.drop === "beside");
    if (event.dataTransfer)
      void droppedFiles(event.dataTransfer).then((files) => app.take(files, beside));
  });
}
