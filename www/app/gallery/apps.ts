/** Each state of the pages of apps (UI.md §13) as an `AppsPageView`, from the same fixtures. */
import { t } from "@holdpoint/elements";
import type { AppReviewView, PreviewView } from "@holdpoint/elements/apps/view";
import type { AppsPageView, OpenAppView, WorkspaceView } from "../src/pages/apps/page-view.js";
import * as f from "./apps-fixtures.js";
import * as r from "./apps-review.js";

const page = (): AppsPageView => ({
  ...{ signIn: null, indicator: f.indicator, offline: false, menu: null, toast: null },
  ...{ problem: null, theme: "light", density: "comfortable", language: "en", now: f.now },
  ...{ list: null, away: null, pane: "preview", budgetOpen: false, chatWidth: 392 },
  ...{ currency: "USD", app: f.app({}) },
});

const open = (app: Partial<OpenAppView>, more: Partial<AppsPageView> = {}): AppsPageView => ({
  ...page(),
  ...more,
  app: f.app(app),
});
const work = (change: Partial<WorkspaceView>, more: Partial<AppsPageView> = {}): AppsPageView =>
  open({ work: { ...f.work(), ...change } }, more);
const preview = (change: Partial<PreviewView>, more: Partial<AppsPageView> = {}): AppsPageView =>
  work({ preview: { ...f.preview(), ...change } }, more);
const asking = (
  change: Partial<WorkspaceView["talk"]["composer"]>,
  more: Partial<AppsPageView> = {},
): AppsPageView => {
  const talk = f.talk();
  return work(
    { talk: { ...talk, composer: { ...talk.composer, ...change } } },
    { pane: "chat", ...more },
  );
};
const review = (change: Partial<AppReviewView>, more: Partial<AppsPageView> = {}): AppsPageView =>
  work({ review: { ...r.review(), ...change } }, { pane: "change", ...more });
type Part = "versions" | "publish" | "settings" | "services" | "export";
const part = (name: Part, view: object): AppsPageView => {
  const app = f.app({ work: null });
  const of = name === "export" ? "exporting" : name;
  return { ...page(), app: { ...app, bar: { ...app.bar, part: name }, [of]: view } };
};

const states: Record<string, () => AppsPageView> = {
  "apps-list": () => ({ ...page(), app: null, list: f.list() }),
  "apps-empty": () => ({ ...page(), app: null, list: { ...f.list(), apps: [] } }),
  "apps-missing": () => ({ ...page(), app: null, away: { state: "missing", problem: null } }),
  "apps-workspace": () => work({}),
  "apps-code": () => work({ front: "code" }, { pane: "code" }),
  "apps-select": () => preview({ picking: true }),
  "apps-asking": () =>
    asking({
      draft: "Mark what is overdue, see @due",
      several: [{ raw: "@due", candidates: ["src/lib/due.ts", "src/lib/due.test.ts"] }],
      tokens: [
        { id: "t1", mark: "pick", label: '"Due date"', places: f.places, at: null },
        { id: "t2", mark: "bad", label: "2 errors of the preview", places: [], at: null },
      ],
    }),
  "apps-running": () => asking({ since: f.now - 18_000, draft: "Filter the table by trade" }),
  "apps-queued": () => asking({ since: f.now - 18_000, queued: "Filter the table by trade" }),
  "apps-proposal": () => review({}),
  "apps-lost": () => review(r.lost()),
  "apps-unverified": () => review(r.unverified()),
  "apps-result-building": () => review(r.building()),
  "apps-result-failed": () => review(r.unbuildable()),
  "apps-stale": () => review({ stale: true }),
  "apps-result": () => review({}, { pane: "result" }),
  "apps-conflict": () => work({ conflict: f.conflict(), front: "code" }, { pane: "code" }),
  "apps-build-failed": () =>
    open({
      bar: { ...f.app({}).bar, draft: 15, build: f.failed() },
      work: {
        ...f.work(),
        preview: { ...f.preview(), state: "last-good", draft: 15 },
        shown: t("apps.shown.last", { n: "14" }),
        build: f.failed(),
      },
    }),
  "apps-save-failed": () =>
    work({ front: "code", code: { ...f.code(), ...f.refused() } }, { pane: "code" }),
  "apps-preview-error": () => preview({ errors: f.errors, undo: { on: true, reason: "" } }),
  "apps-no-storage": () => preview({ storage: false }),
  "apps-offline": () => asking({ off: t("composer.off.offline") }, { offline: true }),
  "apps-budget": () =>
    asking({ off: t("error.BUDGET_EXHAUSTED"), more: "/usage?budget=mei&ask=250000" }),
  "apps-versions": () => part("versions", f.versions()),
  "apps-publish": () => part("publish", f.publish("ready")),
  "apps-publish-pending": () => part("publish", f.publish("pending")),
  "apps-publish-blocked": () => part("publish", f.publish("blocked")),
  "apps-published": () => ({
    ...part("publish", f.publish("published")),
    toast: { text: t("apps.published", { n: "14" }), sub: "" },
  }),
  "apps-settings": () => part("settings", f.settings()),
  "apps-services": () => part("services", f.services()),
  "apps-services-waits": () => part("services", { ...f.services(), errors: {}, waits: "cs_1" }),
  "apps-export": () => part("export", f.exporting()),
  "apps-export-refused": () =>
    part("export", {
      ...f.exporting(),
      begins: "",
      fault: { code: "STORAGE_UNAVAILABLE", message: "Try again: the store does not answer." },
      foot: { ...f.exporting().foot, state: "closed", reason: t("apps.export.none") },
    }),
};

export const appsStateNames = Object.keys(states);
export const appsViewOf = (name: string): AppsPageView | undefined => states[name]?.();
