/**
 * A version of an app as a file, or what makes one version of another: what it begins with, its size, its name, and the
 * command that makes a commit of it in one's own clone (app-builder.md §11).
 */
import type { AppVersion, ExportFormat } from "@holdpoint/core/apps";
import type { ErrorShape } from "@holdpoint/core/types";
import { format, t } from "@holdpoint/elements";
import type { AppExportView } from "@holdpoint/elements/apps/view";
import type { FootView } from "@holdpoint/elements/review/approval";
import { saveFile } from "../../save-file.js";
import { type Around, failed } from "./around.js";
import { type Facts, numberOf } from "./facts.js";

/** Of a text that is exported so much is shown, in bytes and lines. */
const BEGIN_BYTES = 8_192;
const BEGIN_LINES = 40;
const ENDINGS = { patch: "patch", commit: "json", zip: "zip" } as const;

interface Wanted {
  format: ExportFormat;
  /** Empty: from nothing. */
  from: string;
  to: string;
}

export class Exporting {
  #state: AppExportView["state"] = "loading";
  #problem: ErrorShape | null = null;
  #versions: AppVersion[] = [];
  #wanted: Wanted = { format: "zip", from: "", to: "" };
  #made: { file: Blob; begins: string } | null = null;
  #fault: ErrorShape | null = null;
  #question = 0;

  constructor(
    private readonly app: string,
    private readonly around: Around,
    private readonly facts: () => Facts,
  ) {}

  async load(): Promise<void> {
    if (this.#state === "failed") this.#state = "loading";
    this.around.changed();
    try {
      this.#versions = (await this.around.api.versions(this.app)).items;
      this.#state = "ready";
    } catch (error) {
      this.#problem = failed(this.around, error);
      this.#state = "failed";
      return this.around.changed();
    }
    await this.want({});
  }

  /** What is exported, as far as it is another now. */
  async want(change: Partial<Wanted>): Promise<void> {
    const wanted = { ...this.#wanted, ...change };
    if (!wanted.to) wanted.to = this.facts().draft.id;
    this.#wanted = wanted;
    this.#question += 1;
    const question = this.#question;
    this.#made = null;
    this.#fault = null;
    this.around.changed();
    try {
      const { format: as, to } = wanted;
      const file = await this.around.api.exported(this.app, as, to, this.#from || null);
      const begins = as === "zip" ? "" : beginOf(await file.slice(0, BEGIN_BYTES).text(), as);
      if (question === this.#question) this.#made = { file, begins };
    } catch (error) {
      const fault = failed(this.around, error);
      if (question === this.#question) this.#fault = fault;
    }
    this.around.changed();
  }

  /** An archive holds a whole version, whatever it is compared with. */
  get #from(): string {
    return this.#wanted.format === "zip" ? "" : this.#wanted.from;
  }

  get #name(): string {
    const { format: as, to } = this.#wanted;
    const numbers = [this.#from, to].filter(Boolean).map(numberOf).join("-");
    return `${this.facts().app.slug}-${numbers}.${ENDINGS[as]}`;
  }

  download(): void {
    if (this.#made) saveFile(this.#made.file, this.#name);
  }

  get #command(): string {
    const { from, to } = this.#wanted;
    const branch = `${this.facts().app.slug}-${numberOf(to)}`;
    const rest = from ? ` --from ${from}` : "";
    const edge = location.origin;
    return `holdpoint app export ${this.app} --edge ${edge} --into . --branch ${branch}${rest} --to ${to}`;
  }

  #foot(): FootView {
    const made = this.#made;
    const main: FootView["main"] = {
      id: "download",
      label: t("apps.export.download"),
      icon: "down",
      look: made ? "primary" : "plain",
      testid: "hp-download",
    };
    if (made) {
      const words = { name: this.#name, size: format.bytes(made.file.size) };
      return { state: "plain", reason: t("apps.export.file", words), main };
    }
    if (this.#fault) return { state: "closed", reason: t("apps.export.none"), main };
    return { state: "sending", reason: t("apps.export.making"), main };
  }

  view(): AppExportView {
    const { app, draft } = this.facts();
    const live = app.status === "published" ? app.current_published_revision_id : null;
    return {
      state: this.#state,
      problem: this.#problem,
      versions: this.#versions.map(({ id, number }) => ({
        ...{ id, number, draft: id === draft.id, live: id === live },
      })),
      ...this.#wanted,
      begins: this.#made?.begins ?? "",
      making: !this.#made && !this.#fault,
      fault: this.#fault,
      command: this.#command,
      foot: this.#state === "ready" ? this.#foot() : null,
    };
  }
}

/** The first lines; a commit is one line as it comes. */
function beginOf(text: string, as: ExportFormat): string {
  if (as === "commit") return text;
  return text.split("\n").slice(0, BEGIN_LINES).join("\n");
}
