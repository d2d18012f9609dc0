/**
 * Checks of the open model against IDS files, and issues of BCF files: read, shown in one panel, written as files.
 *
 * Invariant: what is shown is of the model that is open, or says that it is not. Whatever runs answers to one turn; an
 * answer to an earlier one is dropped.
 */
import type { ErrorShape, ModelClient, ModelOpenError } from "@holdpoint/core/types";
import {
  type CheckKind,
  type ChecksAsk,
  type ChecksView,
  type TextKey,
  t,
} from "@holdpoint/elements";
import { failureRows, issuesOf } from "@holdpoint/elements/ids/issues";
import { counted } from "@holdpoint/elements/ids/view";
import { saveFile } from "../../save-file.js";
import { csv } from "./answer-file.js";
import type { Opening } from "./opening.js";
import type { PageView } from "./page-view.js";

/** What can be picked. */
export const CHECKED = ".ids,.bcf,.bcfzip";
/** Bytes that are read of a file: what is longer is none, and the module says so. */
const MOST_BYTES = { ids: (10 << 20) + 1, bcf: (256 << 20) + 1 };
/** A check that took at most so long is done again by itself when the model changes. */
const AGAIN_MS = 3_000;
/** Of what fails, in table and 3D. */
const FAILS = "#c8442f";

/** What of the page's controller a check needs. */
interface Host {
  readonly opening: Opening;
  readonly installed: { recolour(): void };
  draw(): void;
  /** `folds`: whether that takes the place of the check. */
  set(ui: Partial<Pick<PageView, "pane" | "pair" | "popover">>, folds: boolean): void;
  toast(text: string): void;
  refused(heading: TextKey, error: ErrorShape): void;
}

/** The entry of a menu, as the button does it: the last check, or a file for the first one. */
export const checkAsked = (): Event =>
  new CustomEvent<ChecksAsk>("hp-checks", { detail: { act: "show" } });

/** The file that was opened last. */
interface Opened {
  kind: CheckKind;
  name: string;
  file: Uint8Array;
}

export class Ids {
  #view: ChecksView | null = null;
  #open = false;
  #file: Opened | null = null;
  /** Rises with each reading. */
  #turn = 0;
  /** The version of the model that the last reading is of. */
  #version = 0;
  #coloured = false;

  constructor(
    private readonly client: Pick<ModelClient, "check" | "endCheck" | "bcf" | "issues">,
    private readonly credential: { readonly principal: string | null },
    private readonly host: Host,
  ) {}

  /** Whether a person has to pick a file for it. */
  needsFile = ({ act }: ChecksAsk): boolean => act === "open" || (act === "show" && !this.#view);

  /** What the panel shows; null while it is closed. */
  get view(): ChecksView | null {
    return this.#open ? this.#view : null;
  }

  /** Whether a file that was picked or dropped is one of these; then it is read. `meant`: it was picked to be one. */
  takes(file: File, meant = false): boolean {
    const [, ending = ""] = /\.(ids|bcf|bcfzip)$/i.exec(file.name) ?? [];
    if (!ending && meant) this.#other(file.name);
    if (!ending) return meant;
    void this.#take(file, ending.toLowerCase() === "ids" ? "ids" : "bcf");
    return true;
  }

  act(ask: ChecksAsk): unknown {
    switch (ask.act) {
      case "open":
        return;
      case "show":
        return this.#show();
      case "close":
        this.fold();
        return this.host.set({ pane: "model", pair: "work" }, false);
      case "again":
        return this.#run();
      case "cancel":
        return this.#cancel();
      case "version":
        if (this.#view?.state === "report") this.#set({ ...this.#view, version: ask.version });
        return;
      case "bcf":
        return this.#export();
      case "csv":
        return this.#table();
    }
  }

  /** The change comes back in its place; what was found stays for the next look. */
  fold(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#bleach();
    this.host.draw();
  }

  /** Before each drawing: another model, or a changed one, is checked again where that is quick. */
  follow(): void {
    const view = this.#view;
    if (
      !this.#open ||
      this.#version === this.host.opening.version ||
      this.host.opening.file === null
    )
      return;
    if (view?.state === "report" && view.ms > AGAIN_MS) {
      if (view.since === "same") this.#view = { ...view, since: "changed" };
    } else if (view && view.state !== "failed" && view.state !== "cancelled") void this.#run();
  }

  async #take(file: File, kind: CheckKind): Promise<void> {
    const bytes = await file.slice(0, MOST_BYTES[kind]).arrayBuffer();
    this.#file = { kind, name: file.name, file: new Uint8Array(bytes) };
    this.#view = null;
    await this.host.opening.settled();
    const read = this.#run();
    this.#show();
    await read;
  }

  /** A file that is neither, picked for a check. */
  #other(name: string): void {
    this.#turn += 1;
    this.#file = null;
    this.#view = { state: "other", kind: "ids", name };
    this.#show();
    this.host.draw();
  }

  #show(): void {
    this.#open = true;
    this.#paint();
    this.host.set({ pane: "panels", pair: "dock", popover: null }, false);
  }

  /** Reads the file on the model as it is now. */
  async #run(): Promise<void> {
    const opened = this.#file;
    if (!opened) return;
    this.#turn += 1;
    const turn = this.#turn;
    const { kind, name } = opened;
    const before = this.#view;
    this.#version = this.host.opening.version;
    this.#view =
      before?.state === "report"
        ? { ...before, since: "running" }
        : { state: "running", kind, name };
    const began = performance.now();
    const view = await this.#read(opened, began, before);
    if (turn !== this.#turn) return;
    this.#view = view;
    this.#paint();
    this.host.draw();
  }

  async #read(opened: Opened, began: number, before: ChecksView | null): Promise<ChecksView> {
    const { kind, name, file } = opened;
    // The page draws that it runs, before the model is busy.
    await Promise.resolve();
    this.host.draw();
    try {
      if (kind === "bcf") return { state: "topics", name, topics: await this.client.issues(file) };
      const report = await this.client.check(file);
      const version = before?.state === "report" ? before.version : "3.0";
      const ms = performance.now() - began;
      return {
        ...{ state: "report", name, report, version, ms, at: Date.now() },
        ...{ since: "same", exporting: false },
      };
    } catch (error) {
      return { state: "failed", kind, name, error: error as ModelOpenError };
    }
  }

  /** Ends what runs; the model itself was not busy with it. */
  #cancel(): void {
    const opened = this.#file;
    if (!opened) return;
    this.#turn += 1;
    this.client.endCheck();
    this.#set({ state: "cancelled", kind: opened.kind, name: opened.name });
  }

  #set(view: ChecksView): void {
    this.#view = view;
    this.host.draw();
  }

  // ── what fails, in table and 3D ────────────────────────────────────────────────────────────────────────────────

  #paint(): void {
    const view = this.#view;
    const ids = this.#open && view?.state === "report" ? counted(view.report).elements : [];
    if (ids.length === 0 || !view) {
      this.#bleach();
      return;
    }
    this.#coloured = true;
    this.host.opening.colour(view.name, [{ color: FAILS, ids, value: t("ids.legend.fails") }]);
  }

  #bleach(): void {
    if (!this.#coloured) return;
    this.#coloured = false;
    this.host.installed.recolour();
  }

  // ── files ──────────────────────────────────────────────────────────────────────────────────────────────────────

  async #export(): Promise<void> {
    const view = this.#view;
    if (view?.state !== "report" || view.exporting) return;
    const about = {
      author: this.credential.principal || t("app.name"),
      created: new Date().toISOString(),
    };
    const topics = issuesOf(view.report).map((one) => ({
      ...{ guid: crypto.randomUUID(), viewpoint: crypto.randomUUID() },
      ...one,
      ...about,
    }));
    this.#set({ ...view, exporting: true });
    try {
      const file = await this.client.bcf(topics, view.version);
      const name = `${fileName(view.report.title || view.name.replace(/\.ids$/i, ""))}.bcf`;
      // Bytes of a worker never lie in memory that is shared.
      const content = file as Uint8Array<ArrayBuffer>;
      saveFile(new Blob([content], { type: "application/octet-stream" }), name);
      this.host.toast(t("toast.saved", { file: name }));
    } catch (error) {
      this.host.refused("bcf.export.problem", error as ErrorShape);
    }
    const now = this.#view;
    if (now?.state === "report") this.#set({ ...now, exporting: false });
  }

  #table(): void {
    const view = this.#view;
    if (view?.state !== "report") return;
    const columns = [
      t("ids.csv.specification"),
      t("ids.csv.requirement"),
      t("ids.csv.reason"),
      t("ids.csv.type"),
      t("ids.csv.name"),
      t("ids.csv.global_id"),
    ];
    const rows = failureRows(view.report).map((cells) => ({ element: null, cells }));
    const table = {
      title: "",
      of_elements: false,
      columns,
      rows,
      total: rows.length,
      elements: [],
    };
    const text = csv({ text: "", figure: null, facts: [], tables: [table] });
    const name = `${fileName(view.name.replace(/\.ids$/i, ""))}.csv`;
    saveFile(new Blob([text], { type: "text/csv" }), name);
    this.host.toast(t("toast.saved", { file: name }));
  }
}

/** A title as a name of a file. */
const fileName = (title: string): string =>
  title
    .replace(/[\\/:*?"<>|\p{Cc}]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 120) || "ids";
