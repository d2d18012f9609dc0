/**
 * The versions of one script: the list with its checkpoints, one compared with now, the one before or another,
 * restoring.
 */
import {
  type Checkpoint,
  FILES,
  local,
  type Step,
  type ToolRevision,
  type VirtualFiles,
} from "@holdpoint/core/editor";
import type { ErrorShape } from "@holdpoint/core/types";
import { format, t } from "@holdpoint/elements";
import { versionName } from "@holdpoint/elements/script/versions";
import type {
  CompareView,
  ProposedFile,
  VersionLine,
  VersionsView,
} from "@holdpoint/elements/script/view";
import { type Around, failed, moment, refused } from "./around.js";

export interface Current {
  tool_id: string;
  revision: string;
  texts(): VirtualFiles;
  unsaved(): boolean;
}

export class Versions {
  state: VersionsView["state"] = "loading";
  problem: ErrorShape | null = null;
  chosen: string | null = null;
  #lines: VersionLine[] = [];
  #next: string | null = null;
  ticked: string[] = [];
  #with: CompareView["with"] = "now";
  /** The older one of two that are compared. */
  #other: VersionLine | null = null;
  #texts = new Map<string, VirtualFiles>();
  #shown: { files: VirtualFiles; before: VirtualFiles | null } | null = null;

  constructor(
    private readonly around: Around,
    private readonly current: () => Current,
  ) {}

  async load(more = false): Promise<void> {
    const { tool_id } = this.current();
    if (this.state === "failed") this.state = "loading";
    try {
      const [page, checkpoints] = await Promise.all([
        this.around.api.revisions(tool_id, more ? this.#next : null),
        more ? [] : this.around.api.checkpoints(tool_id),
      ]);
      const known = more ? this.#lines : [];
      this.#lines = [
        ...known,
        ...page.items.map(revisionLine),
        ...checkpoints.map(checkpointLine),
      ].sort((a, b) => b.at - a.at);
      this.#next = page.next_cursor;
      this.state = "ready";
    } catch (error) {
      this.problem = failed(this.around, error);
      this.state = "failed";
    }
    this.around.changed();
  }

  async choose(id: string): Promise<void> {
    this.chosen = id;
    this.#with = "now";
    await this.#show();
  }

  async compareWith(which: "now" | "before"): Promise<void> {
    this.#with = which;
    await this.#show();
  }

  tick(ids: string[]): void {
    this.ticked = ids;
    this.around.changed();
  }

  /** The older of two on the left, whatever was ticked first. */
  async compareTwo(ids: string[]): Promise<void> {
    const [older, newer] = this.#lines
      .filter((line) => ids.includes(line.id))
      .sort((a, b) => a.at - b.at);
    if (!older || !newer) return;
    this.chosen = newer.id;
    this.#other = older;
    this.#with = "other";
    await this.#show();
  }

  close(): void {
    this.chosen = null;
    this.#shown = null;
  }

  async #show(): Promise<void> {
    const line = this.#line();
    if (!line) return;
    try {
      const files = await this.#files(line.revision_id);
      const before = this.#base(line);
      this.#shown = { files, before: before ? await this.#files(before.revision_id) : null };
    } catch (error) {
      refused(this.around, "read", error);
      this.close();
    }
    this.around.changed();
  }

  /** The version on the left; null: the one of now stands on the right. */
  #base(line: VersionLine): VersionLine | null | undefined {
    if (this.#with === "before") return this.#before(line);
    return this.#with === "other" ? this.#other : null;
  }

  async #files(revision: string): Promise<VirtualFiles> {
    const known =
      this.#texts.get(revision) ??
      (await this.around.api.revision(this.current().tool_id, revision)).virtual_files;
    this.#texts.set(revision, known);
    return known;
  }

  /** Why the version in front cannot be restored, in words; empty while it can. */
  #restorable(same: boolean): string {
    if (!this.around.online()) return t("script.compare.restore.offline");
    if (same) return t("script.compare.restore.same");
    return this.current().unsaved() ? t("script.compare.restore.unsaved") : "";
  }

  #line(): VersionLine | undefined {
    return this.#lines.find((line) => line.id === this.chosen);
  }

  #before(line: VersionLine): VersionLine | undefined {
    const revisions = this.#lines.filter((one) => one.kind === "revision");
    return revisions[revisions.findIndex((one) => one.revision_id === line.revision_id) + 1];
  }

  async restore(): Promise<Step | null> {
    const line = this.#line();
    if (!line) return null;
    const { tool_id, revision } = this.current();
    return this.around.api.restore(
      tool_id,
      revision,
      line.kind === "checkpoint" ? { checkpoint_id: line.id } : { revision_id: line.revision_id },
    );
  }

  /** When the version in front came to be. */
  get at(): number {
    return this.#line()?.at ?? Date.now();
  }

  get time(): string {
    return format.time(this.at);
  }

  async keep(title: string): Promise<void> {
    try {
      const kept = await this.around.api.keep(this.current().tool_id, title);
      this.#lines = [checkpointLine(kept), ...this.#lines];
      this.around.toast(t("script.kept.checkpoint", { title }));
    } catch (error) {
      refused(this.around, "checkpoint", error);
    }
    this.around.changed();
  }

  #printed: { of: VirtualFiles; over: VirtualFiles; print: string } | null = null;

  /** The fingerprint of what a restore changes; looked up again when a text moved. */
  #print(of: VirtualFiles, over: VirtualFiles): string {
    const known = this.#printed;
    if (known?.of === of && FILES.every((path) => known.over[path] === over[path]))
      return known.print;
    const hash = local.resultHash(this.around.core, over, of);
    this.#printed = { of, over, print: hash ? format.fingerprint(hash) : "" };
    return this.#printed.print;
  }

  view(): VersionsView {
    return {
      state: this.state,
      problem: this.problem,
      lines: this.#named(),
      more: this.#next !== null,
      chosen: this.#with === "other" ? null : this.chosen,
      ticked: this.ticked,
      now: Date.now(),
      offline: !this.around.online(),
      keeping: this.current().unsaved(),
    };
  }

  /** The oldest of all is the one that the script was made with. */
  #named(): VersionLine[] {
    const first =
      this.#next === null ? this.#lines.findLast((line) => line.kind === "revision") : undefined;
    return this.#lines.map((line) =>
      line === first && line.cause === "hand" ? { ...line, cause: "create", files: [] } : line,
    );
  }

  compare(layout: "split" | "uni"): CompareView | null {
    const [line, shown] = [this.#line(), this.#shown];
    if (!line || !shown) return null;
    const now = this.current().texts();
    const [left, right] =
      this.#with !== "now" ? [shown.before ?? shown.files, shown.files] : [shown.files, now];
    const files = FILES.filter((path) => left[path] !== right[path]).map(
      (path): ProposedFile => ({
        path,
        before: left[path],
        after: right[path],
        diff: this.around.core.textDiff(left[path], right[path]),
      }),
    );
    const same = FILES.every((path) => shown.files[path] === now[path]);
    const time = this.time;
    const other =
      this.#with === "other" && this.#other
        ? { from: versionName(this.#other, Date.now()), to: versionName(line, Date.now()) }
        : null;
    if (other)
      return {
        title: t("script.compare.two", other),
        with: "other",
        left: other.from,
        right: other.to,
        files,
        equal: FILES.length - files.length,
        print: "",
        restorable: "",
        layout,
      };
    return {
      title: line.kind === "checkpoint" && !line.auto ? line.title : t("script.compare", { time }),
      with: this.#with,
      left: this.#with === "now" ? time : t("script.compare.with.before"),
      right: this.#with === "now" ? t("diff.now") : time,
      files,
      equal: FILES.length - files.length,
      print: this.#print(shown.files, now),
      restorable: this.#restorable(same),
      layout,
    };
  }
}

function revisionLine(one: ToolRevision): VersionLine {
  return {
    id: one.revision_id,
    kind: "revision",
    cause: one.cause,
    title: "",
    at: moment(one.at),
    files: FILES.filter((path) => one.changed_files?.includes(path)),
    auto: false,
    revision_id: one.revision_id,
    print: one.proposal?.result_hash ? format.fingerprint(one.proposal.result_hash) : "",
  };
}

function checkpointLine(one: Checkpoint): VersionLine {
  return {
    id: one.checkpoint_id,
    kind: "checkpoint",
    cause: "",
    title: one.title,
    at: moment(one.at),
    files: [],
    auto: one.auto,
    revision_id: one.revision_id,
    print: "",
  };
}
