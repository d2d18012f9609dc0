/** The versions of an app as a list, newest first: what made each, how it was built, which is drafted and live. */
import { date, dateTime, day, sameDay, time } from "../base/format.js";
import type { IconName } from "../base/icons.js";
import type { EntriesView, Entry } from "../history/view.js";
import { t } from "../text/index.js";
import type { AppVersionsView, VersionLine } from "./view.js";

const marks: Record<VersionLine["origin"], IconName> = {
  app_init: "plus",
  manual_save: "pen",
  file_revert: "history",
  coding_run: "check",
  scaffold: "plus",
  template_reset: "again",
  restore: "history",
  undo: "undo",
  redo: "redo",
  merge: "fork",
};

export function entriesOf(view: AppVersionsView): EntriesView {
  const { lines, now, offline, ticked } = view;
  const group = (title: string, today: boolean) => ({
    title,
    entries: lines.filter((line) => sameDay(line.at, now) === today).map((one) => entry(view, one)),
  });
  return {
    state: view.state,
    problem: view.problem,
    offline,
    groups: [
      group(t("history.today", { date: date(now) }), true),
      group(t("history.before"), false),
    ],
    note: null,
    none: "apps.versions.none",
    more: view.more,
    chosen: view.chosen,
    ticked,
    keep: { off: offline ? t("history.offline") : "" },
    compare: ticked.length ? compareOf(view) : null,
  };
}

function compareOf({ lines, ticked, offline }: AppVersionsView): EntriesView["compare"] {
  const [from, to] = lines
    .filter((line) => ticked.includes(line.id))
    .map((line) => line.number)
    .sort((a, b) => a - b);
  if (from === undefined || to === undefined)
    return { label: t("history.compare.two"), off: t("history.one") };
  const names = { from: String(from), to: String(to) };
  return { label: t("history.compare", names), off: offline ? t("history.offline") : "" };
}

function entry({ lines, now }: AppVersionsView, line: VersionLine): Entry {
  const { id, number, at, label, files, draft, live, build } = line;
  const title = `${number} · ${label || originOf(line)}`;
  const by = label ? originOf(line) : "";
  const size = files ? t("script.files.n", { n: files }) : "";
  const stands = [draft ? t("apps.versions.draft") : "", live ? t("apps.publish.live") : ""];
  const built = build === null ? "" : t(`apps.versions.${build}`);
  return {
    id,
    lead: sameDay(at, now) ? time(at) : day(at),
    mark: {
      icon: live ? "globe" : marks[line.origin],
      look: build === "failed" ? "c-fail" : "c-off",
    },
    title,
    subs: [
      [by, size, built].filter(Boolean).join(" · "),
      stands.filter(Boolean).join(t("app.comma")),
    ],
    signature: "",
    signed: false,
    print: "",
    tick: lines.length > 1 ? t("apps.versions.tick", { n: String(number) }) : "",
    row: true,
    undo: null,
    blocked: "",
    full: dateTime(at),
  };
}

/** What made a version, in words. */
export function originOf({ origin, of }: Pick<VersionLine, "origin" | "of">): string {
  return t(`apps.origin.${origin}`, { n: String(of ?? "") }).trim();
}
