/**
 * One proposal from its arrival to its end: previewed here at once, by the edge as well, chosen place by place, signed.
 *
 * Invariant: Apply is open only while what is shown is what the edge would apply (script-tool.md §11).
 */
import {
  type Accept,
  type ApplyRequest,
  FILES,
  type FileId,
  local,
  type Preview,
  type VirtualFiles,
} from "@holdpoint/core/editor";
import { isRefusal } from "@holdpoint/core/session";
import { format, t } from "@holdpoint/elements";
import { placesOf } from "@holdpoint/elements/diff/view";
import type { Reason } from "@holdpoint/elements/review/view";
import {
  type ProposalView,
  type ProposedFile,
  type ScriptView,
  takenPlaces,
} from "@holdpoint/elements/script/view";
import type { ProposalCard } from "@holdpoint/elements/talk/view";
import { type Around, failed } from "./around.js";
import { type Chosen, carried } from "./choosing.js";
import type { KeptProposal } from "./draft.js";
import { NewFindings } from "./new-findings.js";
import { marks, notes, Worded } from "./reasons.js";

/** Choices that follow each other quickly are one question to the edge. */
const SETTLE_MS = 150;
const none: readonly Reason[] = [];

export interface Surroundings {
  tool_id: string;
  texts(): VirtualFiles;
  text(path: FileId): string;
  blocked(): "saving" | "elsewhere" | "";
}

export class Proposing {
  kept: KeptProposal | null = null;
  phase: "previewing" | "ready" | "applying" = "previewing";
  confirmed = false;
  /** The edge saw something else than the page. */
  elsewhere = false;
  #whole: Preview | null = null;
  #shown: Preview | null = null;
  #edge: Preview | null = null;
  #files: ProposedFile[] = [];
  #taken: Accept = {};
  /** What was chosen while it was shown against other texts, until it is shown against these. */
  #before: Chosen | null = null;
  #question = 0;
  #movedAt = 0;
  #cut: AbortController | null = null;
  readonly #findings: NewFindings;
  readonly #worded = new Worded();

  constructor(
    private readonly around: Around,
    private readonly script: Surroundings,
  ) {
    this.#findings = new NewFindings(around);
  }

  /** Shows a proposal: previewed here, then by the edge. Says whether there is a preview. */
  async show(kept: KeptProposal, chosen: Chosen | null = null): Promise<boolean> {
    this.close();
    this.kept = kept;
    this.#movedAt = 0;
    this.#before = chosen;
    this.#preview(kept);
    if (this.#whole) void this.#askEdge(0);
    else await this.#askEdge(0);
    this.around.changed();
    return this.#whole !== null;
  }

  close(): void {
    this.#question += 1;
    this.#cut?.abort();
    this.kept = this.#whole = this.#shown = this.#edge = null;
    this.#files = [];
    this.#taken = {};
    this.phase = "previewing";
    this.confirmed = this.elsewhere = false;
  }

  /** Against the texts of now: what was shown goes, and the tick with it; what was chosen stays. */
  async again(): Promise<void> {
    const { kept } = this;
    if (!kept) return;
    const location = this.#moved().length ? {} : kept.location;
    const chosen = this.#chosen();
    await this.show({ ...kept, base: this.script.texts(), location, at: Date.now() }, chosen);
  }

  #chosen(): Chosen {
    return this.#before ?? { files: this.#files, taken: this.#taken };
  }

  take(path: string, id: string, taken: boolean): void {
    const file = this.#files.find((one) => one.path === path);
    if (!file || this.phase === "applying") return;
    const ids = new Set(this.#taken[path]);
    if (taken) ids.add(id);
    else ids.delete(id);
    this.#taken = {
      ...this.#taken,
      [path]: file.diff.hunks.map((hunk) => hunk.id).filter((one) => ids.has(one)),
    };
    if (this.kept) this.kept = { ...this.kept, taken: this.#accept() ?? null };
    this.confirmed = false;
    this.#edge = null;
    this.#select();
    void this.#askEdge(SETTLE_MS);
    this.around.changed();
  }

  /** The failures, when the ops fit nowhere; null while there is a diff to show. */
  failed(): ScriptView["failed"] {
    if (!this.#whole || this.#whole.ok) return null;
    return {
      errors: this.#whole.error_details,
      message: this.#whole.errors[0] ?? "",
      online: this.around.online(),
    };
  }

  /** What the model is told of the attempt that failed or was not wanted. */
  feedback(): {
    ops: KeptProposal["ops"];
    error_details: Preview["error_details"];
    discarded_reason?: string;
  } | null {
    if (!this.kept) return null;
    const moved = this.#moved();
    return {
      ops: this.kept.ops,
      error_details: this.#whole?.error_details ?? [],
      ...(moved.length
        ? { discarded_reason: `The texts changed since: ${moved.join(", ")}.` }
        : {}),
    };
  }

  /** The request that signs exactly what is shown. */
  signature(revision: string): ApplyRequest | null {
    const [kept, shown] = [this.kept, this.#shown];
    if (!kept || !shown?.meta.patch_id || !shown.meta.result_hash || this.closed()) return null;
    const token = this.#edge?.meta.confirm_token;
    return {
      tool_id: this.script.tool_id,
      ...this.#asked(kept),
      virtual_files: this.script.texts(),
      base_revision_id: revision,
      base_hash: shown.meta.base_hash,
      patch_id: shown.meta.patch_id,
      result_hash: shown.meta.result_hash,
      ...(token ? { confirm_token: token } : {}),
    };
  }

  /** A refusal brought a fresh preview: it replaces what was shown, and the person looks again. */
  refused(preview: Preview | null, base: VirtualFiles): void {
    if (!this.kept) return;
    this.#before = this.#chosen();
    this.kept = { ...this.kept, base, at: Date.now() };
    this.phase = "ready";
    this.confirmed = false;
    this.#preview(this.kept);
    // What the refusal brought may be all of the proposal: a part of it is asked for.
    const fresh = this.kept.taken ? null : preview;
    this.#edge = fresh;
    this.elsewhere = fresh !== null && this.#shown !== null && !local.agrees(this.#shown, fresh);
    if (!fresh) void this.#askEdge(0);
    this.around.changed();
  }

  /** What was shown, for the record of an apply: texts before and after of the files that change, how many places. */
  result(): {
    before: Partial<VirtualFiles>;
    after: Partial<VirtualFiles>;
    places: number;
    of: number;
  } {
    const paths = FILES.filter((path) => this.#shown?.changed_files.includes(path));
    const pick = (texts: VirtualFiles): Partial<VirtualFiles> =>
      Object.fromEntries(paths.map((path) => [path, texts[path]]));
    return this.kept && this.#shown
      ? {
          before: pick(this.kept.base),
          after: pick(this.#shown.after_virtual_files),
          places: takenPlaces(this.#taken),
          of: placesOf(this.#files),
        }
      : { before: {}, after: {}, places: 0, of: 0 };
  }

  /** What would be applied, to be run before it is; null where nothing can be. */
  proposed(): { before: VirtualFiles; after: VirtualFiles; print: string } | null {
    const [kept, shown] = [this.kept, this.#shown];
    if (!kept || !shown?.ok || shown.changed_files.length === 0) return null;
    return { before: kept.base, after: shown.after_virtual_files, print: this.print };
  }

  get print(): string {
    return this.#shown?.meta.result_hash ? format.fingerprint(this.#shown.meta.result_hash) : "";
  }

  /** A text moved: whether it is one that the proposal was shown for is compared here, before any call. */
  moved(): void {
    if (this.kept && this.#moved().length && !this.#movedAt) this.#movedAt = Date.now();
    if (!this.#moved().length) this.#movedAt = 0;
  }

  view(layout: ProposalView["layout"]): ProposalView | null {
    const [kept, shown, whole] = [this.kept, this.#shown, this.#whole];
    if (!kept || !shown || !whole?.ok) return null;
    const moved = this.#moved();
    const told = this.#edge ?? shown;
    return {
      id: kept.id,
      words: kept.words,
      phase: this.phase,
      preview: { ...shown, verdict: shown.ok ? told.verdict : whole.verdict },
      files: this.#files,
      taken: this.#taken,
      notes: notes(whole),
      repaired: kept.repaired,
      examples: null,
      reasons: this.#looks ? this.#reasons() : none,
      findings: this.#findings.of(told, kept.base),
      confirmed: this.confirmed,
      closed: this.closed(),
      print: this.print,
      layout,
      stale: moved.length || this.elsewhere ? this.#stale(kept, moved) : null,
    };
  }

  #stale({ at: since }: KeptProposal, paths: FileId[]): NonNullable<ProposalView["stale"]> {
    return { paths, at: this.#movedAt || Date.now(), since, elsewhere: paths.length === 0 };
  }

  card(): ProposalCard | null {
    if (!this.kept || !this.#whole) return null;
    const moved = this.#moved();
    return {
      state: this.#state(this.#whole, moved.length > 0 || this.elsewhere),
      files: this.#files.length,
      places: placesOf(this.#files),
      taken: takenPlaces(this.#taken),
      at: this.#movedAt || this.kept.at,
      stalePath: moved[0] ?? "tool.py",
    };
  }

  #state(whole: Preview, stale: boolean): ProposalCard["state"] {
    if (!whole.ok) return "reject";
    if (stale) return "stale";
    return (this.#edge ?? whole).verdict === "confirm" ? "confirm" : "clean";
  }

  /** Why Apply is off, in words; empty while it can be signed. */
  closed(): string {
    const shown = this.#shown;
    if (this.phase === "applying") return t("script.off.applying");
    if (!shown) return t("script.off.previewing");
    if (this.#moved().length || this.elsewhere) return t("script.off.stale");
    if (!this.#whole?.ok) return t("script.off.rejected");
    if (this.#files.length > 0 && takenPlaces(this.#taken) === 0) return t("script.off.none");
    if (!shown.ok) return t("script.off.rejected");
    if (shown.changed_files.length === 0) return t("script.off.unchanged");
    const blocked = this.script.blocked();
    if (blocked) return t(`script.off.${blocked}`);
    if (!this.#edge)
      return this.around.online() ? t("script.off.previewing") : t("script.off.offline");
    if (!this.#looks || this.confirmed) return "";
    const one = this.#reasons().length === 1;
    return t("script.off.confirm", {
      tick: t(one ? "script.confirm.tick.one" : "script.confirm.tick"),
    });
  }

  /** Page or edge asks a person to look before signing. */
  get #looks(): boolean {
    return [this.#shown, this.#edge].some((one) => one?.meta.requires_confirmation);
  }

  /** What has to be looked at before it is signed. */
  #reasons(): readonly Reason[] {
    const [kept, whole, told] = [this.kept, this.#whole, this.#edge ?? this.#shown];
    return kept && whole ? this.#worded.of(told ?? whole, whole, this.#files, kept.base) : none;
  }

  /** The targeted files whose text is not the one that was previewed. */
  #moved(): FileId[] {
    const { kept } = this;
    if (!kept || this.phase === "applying") return [];
    const targeted = new Set(kept.ops.map((op) => op.target_file));
    return FILES.filter((path) => targeted.has(path) && this.script.text(path) !== kept.base[path]);
  }

  /** Nothing is sent while every place is taken: the ops are what is applied. */
  #accept(): Accept | undefined {
    const all = this.#files.every(
      (file) => (this.#taken[file.path]?.length ?? 0) === file.diff.hunks.length,
    );
    return all ? undefined : this.#taken;
  }

  /** What is asked of an engine, here and there: the ops, and of their places those that are taken. */
  #asked(kept: KeptProposal, chosen = true): local.LocalRequest {
    const accept = chosen ? this.#accept() : undefined;
    return {
      active_file: kept.active,
      virtual_files: kept.base,
      ops: kept.ops,
      ...kept.location,
      ...(accept ? { accept } : {}),
    };
  }

  #preview(kept: KeptProposal): void {
    try {
      this.#seen(local.preview(this.around.core, this.#asked(kept, false)));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // This build of the engine cannot preview: the edge's answer is shown instead.
      this.#whole = this.#shown = null;
    }
  }

  #seen(whole: Preview): void {
    const kept = this.kept;
    if (!kept) return;
    this.#whole = this.#shown = whole;
    this.#files = FILES.filter((path) => whole.changed_files.includes(path)).map((path) => ({
      path,
      before: kept.base[path],
      after: whole.after_virtual_files[path],
      diff: this.around.core.textDiff(kept.base[path], whole.after_virtual_files[path]),
      marks: marks(whole, path),
    }));
    // What fits nowhere has no changes to choose from: the choice waits.
    const [before, had] = [this.#before, kept.taken];
    if (before && !whole.ok) return;
    this.#before = null;
    this.#taken = before
      ? carried(before, this.#files)
      : Object.fromEntries(
          this.#files.map((file) => [
            file.path,
            file.diff.hunks
              .map((hunk) => hunk.id)
              .filter((id) => !had || (had[file.path] ?? []).includes(id)),
          ]),
        );
    this.kept = { ...kept, taken: this.#accept() ?? null };
    if (this.kept.taken) this.#select();
  }

  #select(): void {
    const { kept } = this;
    if (!kept) return;
    try {
      this.#shown = local.preview(this.around.core, this.#asked(kept));
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  }

  /** The edge's preview of the same; a later question makes an earlier answer worthless. */
  async #askEdge(wait: number): Promise<void> {
    const { kept } = this;
    this.#question += 1;
    const mine = this.#question;
    this.#cut?.abort();
    this.#cut = new AbortController();
    if (!kept || !this.around.online()) {
      this.phase = "ready";
      return;
    }
    if (this.#shown) this.phase = "previewing";
    await new Promise((resolve) => setTimeout(resolve, wait));
    if (mine !== this.#question) return;
    try {
      const answer = await this.around.api.preview(
        { tool_id: this.script.tool_id, ...this.#asked(kept) },
        kept.id,
        this.#cut.signal,
      );
      if (mine !== this.#question || this.kept?.id !== kept.id) return;
      if (!this.#whole) this.#seen(answer);
      // Another reason to look is another preview: the tick was not for it.
      if (String(answer.meta.reasons) !== String((this.#edge ?? this.#shown)?.meta.reasons))
        this.confirmed = false;
      this.#edge = answer;
      this.elsewhere = this.#shown !== null && !local.agrees(this.#shown, answer);
    } catch (error) {
      if (mine !== this.#question) return;
      failed(this.around, error);
    }
    this.phase = "ready";
    this.around.changed();
  }

  /** The network is back: what was only previewed here is asked of the edge. */
  reconnected(): void {
    if (this.kept && !this.#edge && this.phase !== "applying") void this.#askEdge(0);
  }

  /** From here to the answer nothing is typed. */
  applying(on: boolean): void {
    this.phase = on ? "applying" : "ready";
    this.around.changed();
  }
}
