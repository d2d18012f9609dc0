/** The actions of the foot and of the sheets, by their ids. */
import { saveAnswer } from "./answer-file.js";
import type { App } from "./app.js";
import type { Change } from "./change.js";

const acts: Record<string, (app: App, change: Change | null) => unknown> = {
  approve: (_, change) => change?.approve(),
  adjust: (_, change) => change?.adjusts(true),
  cancel: (_, change) => change?.session.stop(),
  stop: (_, change) => change?.session.stop(),
  install: (_, change) => change?.signing.install(),
  source: (_, change) => change?.source.open(null),
  save: (_, change) => change?.source.save(),
  drop: (_, change) => change?.source.drop(),
  back: (app, change) => {
    app.changes.showHistory(false);
    change?.adjusts(false);
    change?.promoting.leave();
    change?.wrong.leave();
    app.wishes.leave();
    app.wrongPanel.leave();
    change?.source.leave(false);
  },
  another: (_, change) => change?.send({ type: "AnotherVersion" }),
  retry: (_, change) => change?.send({ type: "Retry" }),
  discard: (_, change) => change?.send({ type: "Discard" }),
  again: (app) => app.again(),
  make: (_, change) => change?.promoting.open(),
  promote: (_, change) => change?.promoting.go(),
  wrong: (app, change) => {
    change?.wrong.open();
    if (!app.preview.open) app.trying.show(true);
  },
  test: (app) => app.wrong?.go("then"),
  "test-alone": (app) => app.wrong?.go("alone"),
  wishes: (app) => {
    app.wishes.open();
    app.set({ pane: "change", pair: "work", popover: null });
  },
  "wishes-keep": (app) => app.wishes.keep(),
  once: (_, change) => change?.send({ type: "RunOnce" }),
  plan: (_, change) => change?.send({ type: "AsTool" }),
  rerun: (_, change) => change?.edit(change.view.files),
  export: (_, change) => change && saveAnswer(change.view),
  preview: (app) => app.trying.show(),
  here: (app) => app.changes.takeOver(),
  history: (app) => {
    app.leaveAside();
    app.changes.showHistory(!app.changes.history);
  },
  list: (app) => app.changes.showHistory(true),
  new: (app) => {
    app.leaveAside();
    return app.changes.close();
  },
  widen: (app) => app.set({ wide: !app.ui.wide }),
  compare: (app) => app.changes.compare(),
};

/** Nothing where no action has the id. */
export const act = (app: App, id: string): unknown => acts[id]?.(app, app.changes.current);
