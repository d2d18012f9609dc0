/**
 * Which version is in the frame, and its address.
 *
 * Invariant: the last version that was built stays until the draft's build has succeeded and its address came; a new
 * address of the same version is not another page (app-builder.md §7 "keep last good").
 */
import type { PreviewAddress } from "@holdpoint/core/apps";
import { isRefusal } from "@holdpoint/core/session";
import type { ErrorShape } from "@holdpoint/core/types";
import type { Device, PreviewView, RuntimeError, StepView } from "@holdpoint/elements/apps/view";
import type { Around } from "./around.js";
import { type Facts, phaseOf } from "./facts.js";
import { Sources } from "./sources.js";

/** An address that ends so soon is made anew. */
const ENDS_MS = 5 * 60_000;
/** Failures of an app that are listed; a page can have any number. */
const MAX_ERRORS = 5;
/** There is no origin on which apps could be shown: nothing of it is the page's. */
const CLOSED = "PREVIEW_ORIGIN_MISSING";

interface Shown {
  revision: string;
  number: number;
  address: string;
  ends: number;
}

export class Previewing {
  device: Device = "full";
  route = "#/";
  /** A person points at an element. */
  picking = false;
  /** Of the frame: the browser keeps nothing for it, and a person was told so. */
  #storage: "kept" | "missing" | "told" = "kept";
  #shown: Shown | null = null;
  #problem: ErrorShape | null = null;
  #asking: string | null = null;
  #errors: RuntimeError[] = [];
  readonly #sources = new Sources((of, asset) => this.around.api.sourceMap(this.app, of, asset));

  constructor(
    private readonly around: Around,
    private readonly app: string,
  ) {}

  /** The app in the frame failed; the same failure is one, however often it is told. */
  failed(error: RuntimeError): void {
    const same = (one: RuntimeError): boolean =>
      one.message === error.message && one.asset === error.asset && one.line === error.line;
    const rest = this.#errors.filter((one) => !same(one));
    this.#errors = [...rest, error].slice(-MAX_ERRORS);
    this.around.changed();
    void this.#find(error);
  }

  /** Says where in the source it failed. */
  async #find(error: RuntimeError): Promise<void> {
    const shown = this.#shown;
    const source = shown && (await this.#sources.of(shown.revision, error));
    if (!source) return;
    this.#errors = this.#errors.map((one) => (one === error ? { ...one, source } : one));
    this.around.changed();
  }

  /** The browser keeps nothing for the frame, which is said until a person has read it. */
  storage(is: "missing" | "told"): void {
    if (this.#storage !== "told") this.#storage = is;
    this.around.changed();
  }

  /** It is loaded anew. */
  again(): void {
    this.#errors = [];
    void this.#renew();
    this.around.changed();
  }

  /** The draft is shown as soon as it is built; before the first time, the newest version that was. */
  async follow(facts: Facts): Promise<void> {
    const { draft, published } = facts;
    if (phaseOf(facts) === "succeeded") return this.#show(draft.id, draft.number);
    if (this.#shown) return this.#renew();
    const last = await this.#lastGood();
    const other = last ?? (published ? { id: published.id, number: published.number } : null);
    if (other && !this.#shown) await this.#show(other.id, other.number);
  }

  async #lastGood(): Promise<{ id: string; number: number } | null> {
    try {
      const { items } = await this.around.api.versions(this.app);
      return items.find((one) => one.build_status === "succeeded") ?? null;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return null;
    }
  }

  async #show(revision: string, number: number): Promise<void> {
    if (this.#shown?.revision === revision) return this.#renew();
    await this.#ask(revision, number);
  }

  async #renew(): Promise<void> {
    const shown = this.#shown;
    if (shown && shown.ends - Date.now() < ENDS_MS) await this.#ask(shown.revision, shown.number);
  }

  async #ask(revision: string, number: number): Promise<void> {
    if (this.#asking === revision || !this.around.online()) return;
    this.#asking = revision;
    try {
      const { preview_url: address, expires_at }: PreviewAddress = await this.around.api.preview(
        this.app,
        revision,
      );
      // A newer version may have come meanwhile.
      if (this.#asking === revision) {
        if (this.#shown?.revision !== revision) this.#errors = [];
        this.#shown = { revision, number, address, ends: Date.parse(expires_at) };
        this.#problem = null;
      }
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.#problem = error;
      if (error.code !== CLOSED) this.around.failed(error);
    } finally {
      if (this.#asking === revision) this.#asking = null;
      this.around.changed();
    }
  }

  pick(on: boolean): void {
    this.picking = on && this.#shown !== null;
    this.around.changed();
  }

  /** `undo`: the way back to the version before. */
  view(facts: Facts, undo: StepView): PreviewView {
    const shown = this.#shown;
    return {
      address: shown?.address ?? null,
      shown: shown?.revision ?? "",
      state: stateOf(facts, shown),
      number: shown?.number ?? null,
      draft: facts.draft.number,
      problem: shown ? null : this.#problem,
      print: "",
      device: this.device,
      route: this.route,
      errors: this.#errors,
      storage: this.#storage !== "missing",
      picking: this.picking,
      undo,
    };
  }
}

function stateOf(facts: Facts, shown: Shown | null): PreviewView["state"] {
  const phase = phaseOf(facts);
  if (shown?.revision === facts.draft.id) return "ready";
  if (phase === "queued" || phase === "running") return "building";
  if (phase === "failed") return shown ? "last-good" : "failed";
  return shown ? "last-good" : "none";
}
