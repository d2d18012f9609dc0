/** The versions of a script and its checkpoints, as a list: by day, each with what made it. Pure. */
import { date, dateTime, day, sameDay, time, when } from "../base/format.js";
import type { IconName } from "../base/icons.js";
import type { EntriesView, Entry } from "../history/view.js";
import { has, t } from "../text/index.js";
import type { VersionLine, VersionsView } from "./view.js";

const marks: Record<string, { icon: IconName; look: string }> = {
  apply: { icon: "check", look: "c-pass" },
  hand: { icon: "pen", look: "c-off" },
  undo: { icon: "undo", look: "c-off" },
  redo: { icon: "redo", look: "c-off" },
  restore: { icon: "history", look: "c-off" },
  create: { icon: "plus", look: "c-off" },
};

/** What a version is called beside another one: the name that a person gave it, else its time. */
export const versionName = (line: VersionLine, now: number): string =>
  line.title && !line.auto ? line.title : when(line.at, now);

export function entriesOf(view: VersionsView): EntriesView {
  const { lines, now, offline, keeping } = view;
  const group = (title: string, today: boolean) => ({
    title,
    entries: lines.filter((line) => sameDay(line.at, now) === today).map((one) => entry(view, one)),
  });
  const closed = t(offline ? "history.offline" : "history.keep.off");
  return {
    state: view.state,
    problem: view.problem,
    offline,
    groups: [
      group(t("history.today", { date: date(now) }), true),
      group(t("history.before"), false),
    ],
    note: null,
    none: "script.versions.none",
    more: view.more,
    chosen: view.chosen,
    ticked: view.ticked,
    keep: { off: keeping || offline ? closed : "" },
    compare: view.ticked.length ? compareOf(view) : null,
  };
}

function compareOf({ lines, ticked, offline, now }: VersionsView): EntriesView["compare"] {
  const [from = "", to] = lines
    .filter((line) => ticked.includes(line.id))
    .sort((a, b) => a.at - b.at)
    .map((line) => versionName(line, now));
  if (to === undefined) return { label: t("history.compare.two"), off: t("history.one") };
  return { label: t("history.compare", { from, to }), off: offline ? t("history.offline") : "" };
}

function entry({ lines, now }: VersionsView, line: VersionLine): Entry {
  const title = titleOf(line);
  const at = when(line.at, now);
  return {
    id: line.id,
    lead: sameDay(line.at, now) ? time(line.at) : day(line.at),
    mark: markOf(line),
    title,
    subs: [t(byOf(line)), line.files.join(", ")],
    signature: "",
    signed: false,
    print: line.print,
    tick: lines.length > 1 ? t("script.versions.tick", { title, time: at }) : "",
    row: true,
    undo: null,
    blocked: "",
    full: dateTime(line.at),
  };
}

function markOf({ kind, auto, cause }: VersionLine): Entry["mark"] {
  if (kind === "checkpoint") return { icon: "flag", look: auto ? "c-off" : "c-run" };
  return marks[cause] ?? { icon: "file", look: "c-off" };
}

function byOf({ kind, auto }: VersionLine) {
  if (kind === "revision") return "script.version.by";
  return auto ? "script.version.auto" : "script.version.checkpoint.by";
}

function titleOf({ kind, auto, title, cause }: VersionLine): string {
  if (kind === "checkpoint") return auto ? t("script.version.checkpoint") : title;
  const key = `script.version.${cause}`;
  return has(key) ? t(key) : cause;
}
