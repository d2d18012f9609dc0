/** An open app as the page draws it. */
import { t } from "@holdpoint/elements";
import type { AppBarView, CodeView, PreviewView } from "@holdpoint/elements/apps/view";
import { bytesOf } from "./binary.js";
import { buildOf, liveAddress, numberOf } from "./facts.js";
import type { OpenApp } from "./opened.js";
import type { OpenAppView, WorkspaceView } from "./page-view.js";

export function viewOf(app: OpenApp, href: string): OpenAppView {
  const { part } = app;
  return {
    bar: barOf(app),
    href,
    work: part === "workspace" ? workOf(app) : null,
    versions: part === "versions" ? app.history.view() : null,
    publish: part === "publish" ? app.publishing.view() : null,
    settings: part === "settings" ? app.settings.view() : null,
    services: part === "services" ? app.services.view() : null,
    exporting: part === "export" ? app.exporting.view() : null,
  };
}

const offOf = (app: OpenApp): string => (app.around.online() ? "" : t("apps.off.offline"));

function barOf(app: OpenApp): AppBarView {
  const { facts, part } = app;
  const { app: known, published, draft } = facts;
  const address = liveAddress(known);
  const number = published?.number ?? (numberOf(known.current_published_revision_id) || null);
  return {
    name: known.name,
    draft: draft.number,
    build: buildOf(facts, offOf(app), Date.now()),
    live: address === null ? null : { number, address },
    part,
    versions: draft.number,
  };
}

function workOf(app: OpenApp): WorkspaceView {
  const { facts, previewing, saving, layout } = app;
  const preview = previewing.view(facts, app.stepping.view("undo"));
  const build = buildOf(facts, offOf(app), Date.now());
  const failed = build.phase === "failed" && !build.superseded;
  return {
    front: app.front,
    preview,
    shown: shownOf(preview),
    code: codeOf(app),
    editors: app.editors,
    build: failed || app.buildShown ? build : null,
    undo: app.stepping.view("undo"),
    redo: app.stepping.view("redo"),
    talk: app.talking.view(),
    review: app.review?.view() ?? null,
    conflict: saving.conflict(layout),
  };
}

/** Which version is in the frame, and why it is not the draft. */
function shownOf({ number, draft, state }: PreviewView): string {
  if (number === null) return "";
  const n = String(number);
  if (state === "building") return t("apps.shown.building", { n, draft: String(draft) });
  if (number !== draft) return t("apps.shown.last", { n });
  return t("apps.version.n", { n });
}

function codeOf(app: OpenApp): CodeView {
  const { editors, saving, facts, checking } = app;
  const { findings } = checking;
  const errors: Record<string, number> = {};
  for (const { path = "", severity } of findings)
    if (severity === "error" && path) errors[path] = (errors[path] ?? 0) + 1;
  return {
    files: editors.paths,
    open: editors.open,
    bytes: editors.open === null ? null : bytesOf(editors.text(editors.open)),
    edited: [...saving.dirty],
    errors,
    findings,
    checked: checking.current,
    saving: saving.saving,
    off: saving.two ? t("apps.off.conflict") : offlineSave(app),
    next: facts.draft.number + 1,
    gate: facts.app.settings.save_gate,
    refused: saving.refused,
  };
}

const offlineSave = (app: OpenApp): string => (app.around.online() ? "" : t("apps.code.offline"));
