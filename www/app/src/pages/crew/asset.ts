/** The editor of an asset: its text, and its path; a new path is a move. */
import { about } from "@holdpoint/core/crew";
import { t } from "@holdpoint/elements";
import type { AssetView } from "@holdpoint/elements/crew/view";
import { assetAt } from "./address.js";
import type { Opened } from "./opened.js";
import { citations, counts, improving, kindOf } from "./package-view.js";
import { assetFault } from "./parts.js";
import type { Scope } from "./saving.js";

export class AssetEditor {
  #name: string;

  constructor(
    readonly path: string,
    private readonly opened: Opened,
    private readonly changed: () => void,
  ) {
    this.#name = path;
  }

  get #there(): boolean {
    return this.opened.files[this.path] !== undefined;
  }

  /** Its own file, and the one that it is moved to. */
  scope(): Scope {
    const paths = this.#name === this.path ? [this.path] : [this.path, this.#name];
    return { is: "asset", paths };
  }

  text(text: string): void {
    if (!this.#there || this.opened.files[this.path] === text) return;
    const what = t("crew.edit.field", { name: this.path });
    this.opened.edit({ [this.path]: text }, what, `asset ${this.path}`);
  }

  rename(name: string): void {
    this.#name = name;
    this.changed();
  }

  get #fault(): string {
    return this.#name === this.path ? "" : assetFault(this.#name, this.opened.files);
  }

  /** As it would be called. */
  get name(): string {
    return this.#name;
  }

  get moves(): boolean {
    return this.#name !== this.path;
  }

  off(): string {
    return this.#fault;
  }

  /** Makes the move an edit; the address of the new file. */
  moved(): string {
    const { files, id } = this.opened;
    const content = files[this.path] ?? "";
    const what = t("crew.edit.move", { name: this.path });
    this.opened.edit({ [this.path]: null, [this.#name]: content }, what);
    return assetAt(id, this.#name);
  }

  view(): Omit<AssetView, "package" | "foot" | "conflict" | "undo" | "redo" | "versions"> | null {
    const { pack, files, stored, checked, id } = this.opened;
    const asset = pack.assets.find((one) => one.path === this.path);
    if (!asset) return null;
    const own = checked.findings.filter((one) => about(pack, one).asset === this.path);
    return {
      path: this.path,
      name: this.#name,
      nameFault: this.#fault,
      check: { ...counts(own), state: checked.state },
      text: asset.binary ? "" : (files[this.path] ?? ""),
      binary: asset.binary,
      bytes: asset.bytes,
      all: {
        bytes: pack.assets.reduce((sum, one) => sum + one.bytes, 0),
        count: pack.assets.length,
      },
      kind: kindOf(this.path, asset.binary),
      findings: own,
      cited: citations(this.opened, this.path),
      fresh: stored.files[this.path] === undefined,
      improve: improving(id, { targetType: "asset", targetId: this.path }),
    };
  }
}
