/**
 * What is reviewed, tried on the open model before it is signed; and beside it another version of it, where there is
 * one. UI.md §5 "Preview", §11 "Versions".
 *
 * Invariants: what is tried is what is signed, so another bundle, other permissions or another model is another trial;
 * only the trial of what is shown selects and colours; when a trial ends, the page is as it was without it.
 */
import type { Json, SandboxClient, SandboxFailure } from "@holdpoint/core/types";
import type { PanelView, TrialView } from "@holdpoint/elements";
import type { VersionTrial } from "@holdpoint/elements/change/versions-view";
import type { Offered } from "@holdpoint/elements/dock/preview";
import type { Opening } from "./opening.js";
import { Stage } from "./stage.js";
import { Trial, type Tryable } from "./trial.js";

interface Around {
  sandbox: SandboxClient;
  opening: Opening;
  changed(): void;
  /** Draws the colours of what is installed again. */
  recolour(): void;
}

export class Preview {
  open = true;
  #shown: Trial | null = null;
  #beside: Trial | null = null;
  /** Trials until now: each has a worker and a copy of the model under a name of its own. */
  #begun = 0;
  readonly #stage: Stage;

  constructor(private readonly around: Around) {
    this.#stage = new Stage(around);
  }

  get #all(): Trial[] {
    return [this.#shown, this.#beside].filter((one) => one !== null);
  }

  /**
   * What is reviewed now; null: nothing is. Something else begins a trial of its own, and what is tried already goes
   * on, also where it is chosen now. While it is not known what stands beside, that stays.
   */
  follow(of: Tryable | null, beside?: Tryable | null): void {
    const before = this.#all;
    const fresh: Trial[] = [];
    const take = (one: Tryable | null): Trial | null => {
      if (!one?.print) return null;
      const { sight, changes } = this.around.opening;
      const key = `${one.print} ${sight} ${changes}`;
      const known = before.find((trial) => trial.key === key);
      if (known) {
        known.of = one;
        return known;
      }
      fresh.push(this.#fresh(one, key));
      return fresh.at(-1) ?? null;
    };
    const last = this.#shown;
    const shown = take(of);
    const kept = shown === this.#beside ? last : this.#beside;
    const other = beside === undefined ? kept : take(beside?.print === of?.print ? null : beside);
    this.#shown = shown;
    this.#beside = shown && other;
    if (shown !== last) {
      if (last) this.#stage.clear();
      last?.appear(null);
      shown?.appear(this.#stage);
    }
    for (const trial of before) if (!this.#all.includes(trial)) trial.end();
    // Who closed it wants the next one of the same extension closed as well.
    const isNew = last?.of.manifest.id !== of?.manifest.id || (this.#beside && before.length < 2);
    if (isNew) this.open = this.#beside !== null || (shown?.hasPanel ?? false);
    if (this.around.opening.sight) for (const trial of fresh) void trial.start();
  }

  #fresh(of: Tryable, key: string): Trial {
    this.#begun += 1;
    const { sandbox, opening, changed } = this.around;
    const selected = (): number[] => this.#stage.untouched;
    return new Trial(of, key, `preview ${this.#begun}`, { sandbox, opening, changed, selected });
  }

  /** The trial whose panel has that name; without a name the one of what is shown. */
  #named(dock: string | undefined): Trial | null {
    return dock === undefined
      ? this.#shown
      : (this.#all.find((trial) => trial.name === dock) ?? null);
  }

  /** Whether a panel of that name is tried. */
  tries(dock: string | undefined): boolean {
    return dock !== undefined && this.#named(dock) !== null;
  }

  /** Another trial of the same: activated anew, with nothing stored, on a fresh copy of the model. */
  async again(dock?: string): Promise<void> {
    const before = this.#named(dock);
    if (!before || !this.around.opening.sight) return;
    const trial = this.#fresh(before.of, before.key);
    trial.after(before);
    before.end();
    if (before === this.#shown) {
      this.#shown = trial;
      this.#stage.clear();
      trial.appear(this.#stage);
    } else this.#beside = trial;
    await trial.start();
  }

  /** What a person presses in the preview that no panel answers. */
  async run(kind: Offered, id: string, dock?: string): Promise<void> {
    await this.#named(dock)?.run(kind, id);
  }

  /** A command that a panel calls. */
  async command(dock: string | undefined, id: string, args: Json | undefined): Promise<void> {
    await this.#named(dock)?.command(id, args);
  }

  state(dock: string, state: Json): void {
    this.#named(dock)?.write(state);
  }

  /** Another of its panels comes to the front. */
  front(id: string, dock?: string): void {
    this.#named(dock)?.front(id);
    this.around.changed();
  }

  /** A panel stood before a person's eyes. */
  saw(print: string, panel: string): void {
    const trial = this.#all.find((one) => one.of.print === print);
    if (!trial || trial.seen.has(panel) || trial.ms === null) return;
    trial.seen.add(panel);
    this.around.changed();
  }

  accept(): void {
    if (this.#shown) this.#shown.accepted = !this.#shown.accepted;
    this.around.changed();
  }

  shows(open: boolean): void {
    this.open = open;
    this.around.changed();
  }

  /** Why what is shown stopped here, in words that a request for a repair can take. */
  get failure(): SandboxFailure | null {
    return this.#shown?.stopped ?? null;
  }

  /** How what is shown stands, for the foot that signs; where that stands `alone`, the panel is not in sight. */
  trial(alone = false): TrialView | null {
    const trial = this.#shown;
    if (!trial) return null;
    const { state, accepted } = trial;
    return {
      ...{ state, accepted, open: this.open && !alone },
      seen: trial.hasSeenAll,
      model: this.around.opening.model.facts?.name ?? "",
      panel: trial.hasPanel,
    };
  }

  /** Of each version that is tried, by its content hash: its fingerprint, and how long it took. */
  versions(): Record<string, VersionTrial> {
    return Object.fromEntries(
      this.#all.flatMap(({ of, state, ms }) =>
        of.version ? [[of.version.hash, { print: of.print, granted: of.granted, state, ms }]] : [],
      ),
    );
  }

  /**
   * What is tried as it is drawn, while it is open: two versions in their order. Where it `picks`, a person points at
   * what is wrong in the one that is signed.
   */
  panels(picks = false): PanelView[] {
    if (!this.open) return [];
    const all = this.#all.filter((trial) => trial.state !== "nomodel");
    return all
      .sort((a, b) => (a.of.version?.at ?? 0) - (b.of.version?.at ?? 0))
      .map((trial) => {
        const shown = trial === this.#shown;
        const panel = trial.panel(all.length > 1 ? { shown } : null);
        return { ...panel, picks: picks && shown };
      });
  }
}
