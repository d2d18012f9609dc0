/** What a person does with the open models: on and off, closed, coloured, another beside them. */
import { modelPlaceOf } from "@holdpoint/core/types";
import { type MenuItem, type ModelsAsk, t } from "@holdpoint/elements";
import type { OpenModel } from "../../core.js";
import type { App } from "./app.js";
import { fileAgain } from "./file-handles.js";
import { modelLines, stem } from "./model-lines.js";

export function modelsAct(app: App, ask: ModelsAsk): unknown {
  switch (ask.act) {
    case "on":
    case "off":
      return app.opening.turn(ask.id, ask.act === "on");
    case "colours":
      return colourByModel(app);
    case "add":
      return app.menu({ label: t("models.add"), anchor: ask.anchor, items: addItems(app) });
    case "menu": {
      const model = app.opening.models.of(ask.id);
      const items = model ? modelItems(model, model === app.opening.models.active) : [];
      const label = t("models.options", { name: model?.facts.name ?? "" });
      return app.menu({ label, anchor: ask.anchor, items });
    }
  }
}

function addItems({ opening }: App): MenuItem[] {
  const recent = opening.recent.all.filter(({ id }) => !opening.models.of(id));
  return [
    { heading: t("models.add.menu") },
    { id: "do:add", label: t("models.add.file"), icon: "file" },
    { id: "do:add-sample", label: t("models.add.sample"), icon: "cube" },
    ...(recent.length ? ["line" as const, { heading: t("recent.title") }] : []),
    ...recent.map(
      ({ id, name, handle }): MenuItem => ({
        ...{ id: `do:add-recent:${id}`, label: name, icon: "clock" },
        ...(handle ? {} : { sub: t("recent.again") }),
      }),
    ),
  ];
}

function modelItems({ facts }: OpenModel, active: boolean): MenuItem[] {
  const id = facts.model_id;
  return [
    { heading: facts.name, sub: id },
    "line",
    { id: `do:model-activate:${id}`, label: t("models.activate"), icon: "ext", off: active },
    { id: `do:model-only:${id}`, label: t("models.only"), icon: "isolate" },
    { id: `do:model-select:${id}`, label: t("models.select"), icon: "pick" },
    { id: `do:model-close:${id}`, label: t("models.close"), icon: "cross" },
  ];
}

/** Entries of the menus above, and commands of that name. */
export const modelCommands: Record<string, (app: App, id: string) => unknown> = {
  add: (app) => app.page.emitOpen(true),
  "add-sample": (app) => app.opening.sample(true),
  recent: (app, id) => openRecent(app, id, false),
  "add-recent": (app, id) => openRecent(app, id, true),
  "colour-models": colourByModel,
  "model-activate": (app, id) => app.opening.activate(id),
  "model-only": (app, id) => app.opening.only(id),
  "model-close": close,
  "model-select": (app, id) => {
    const place = app.opening.models.of(id)?.place;
    const own = app.opening.model.rows.filter((row) => modelPlaceOf(row.id) === place);
    return app.select(own.map((row) => row.id));
  },
};

/** By its handle; without one, or where it leads nowhere, a person chooses the file again. */
async function openRecent(app: App, id: string, beside: boolean): Promise<void> {
  const { opening, page } = app;
  const recent = opening.recent.of(id);
  if (!recent) return;
  const { name, handle } = recent;
  const file = handle ? await fileAgain(handle) : null;
  if (!file) {
    app.toast(t("recent.choose", { name }), t("recent.choose.sub"));
    return page.emitOpen(beside);
  }
  await opening.open(file, name, true, beside);
  if (opening.view?.state !== "failed" && !opening.models.of(id))
    app.toast(t("recent.other", { name }));
}

/** A model that was closed comes back with one button. */
async function close(app: App, id: string): Promise<void> {
  const { opening } = app;
  const model = opening.models.of(id);
  if (!model) return;
  const { file, facts } = model;
  await opening.close(id);
  app.toast(t("models.closed", { name: facts.name }), "", () =>
    opening.open(file, facts.name, true, true),
  );
}

/** Each element in the colour of its model, until other colours come. */
function colourByModel({ opening }: App): void {
  const { rows } = opening.model;
  const groups = modelLines(opening.models).flatMap(({ place, name, color }) => {
    const ids = rows.filter(({ id }) => modelPlaceOf(id) === place).map(({ id }) => id);
    return ids.length ? [{ color, ids, value: stem(name) }] : [];
  });
  opening.colour(t("models.by"), groups);
}
