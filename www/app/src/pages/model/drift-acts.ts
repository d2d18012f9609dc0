/** What a person does with an extension that a new SDK touched. Each way leads to a review, or leaves it as it is. */
import type { ErrorShape } from "@holdpoint/core/types";
import { type DriftAct, type DriftAsk, t } from "@holdpoint/elements";
import type { App } from "./app.js";
import { type Bringing, type Brought, bringing } from "./change-lines.js";
import type { Tried } from "./drift.js";
import type { Live } from "./installed.js";

type Act = (app: App, live: Live, tried: Tried, ask: DriftAsk) => unknown;

const acts: Record<DriftAct, Act> = {
  repair: (app, live, { widened = live.files, causes, sdk }) => {
    const text = t("drift.asked", { name: live.manifest.name, sdk });
    const changelog = causes.map(({ entry }) => entry);
    return bring(app, live, text, null, { type: "Repair", text, files: widened, changelog });
  },
  edit: async (app, live, { widened = live.files }, { path, range }) => {
    await bring(app, live, live.manifest.name, null, bringing(widened, live.record.origin));
    const change = app.changes.current;
    await change?.rested();
    change?.source.open(path ? { path, ...(range ? { range } : {}) } : null);
  },
  review: (app, live, { widened = live.files }) =>
    bring(app, live, live.manifest.name, "range", bringing(widened, live.record.origin)),
  leave: (app, live) => app.drift.leave(live),
  remove: (app, live) => app.extension(live.id, "remove", {}),
  test: (app, live) => app.goOn(t("drift.test.words", { name: live.manifest.name })),
};

export async function driftAct(app: App, ask: DriftAsk): Promise<void> {
  const live = app.installed.all.get(ask.id);
  const tried = live && app.drift.of(live);
  if (tried) await acts[ask.act](app, live, tried, ask);
}

/** A change of it comes to the front; the sheet of the others is found again from the notice. */
async function bring(
  app: App,
  { files }: Live,
  title: string,
  how: Brought | null,
  it: Bringing,
): Promise<void> {
  app.drift.show(false);
  app.set({ pane: "change", pair: "work" });
  await app.changes
    .bring(title, how, it, files)
    .catch((error: ErrorShape) => app.refused("ask.problem", error));
}
