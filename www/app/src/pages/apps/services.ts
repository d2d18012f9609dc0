/**
 * Services that an app can be set up with: what each asks, and the proposal that is made of the answers. No model is
 * asked; nothing is written before the proposal is applied.
 */
import type { Scaffold } from "@holdpoint/core/apps";
import { isRefusal } from "@holdpoint/core/session";
import type { ErrorShape } from "@holdpoint/core/types";
import { refusal, t } from "@holdpoint/elements";
import type { AppServicesView } from "@holdpoint/elements/apps/view";
import type { FootView } from "@holdpoint/elements/review/approval";
import { AREA } from "../../tab-drafts.js";
import { type Around, failed, refused } from "./around.js";
import type { Facts } from "./facts.js";

const WAITS = "app-offer:";

export interface ServiceEnds {
  facts(): Facts;
  /** Files of the draft. */
  paths(): readonly string[];
  /** The draft is another one than this page knew. */
  moved(): Promise<void>;
}

export class Services {
  #state: AppServicesView["state"] = "loading";
  #problem: ErrorShape | null = null;
  #all: readonly Scaffold[] = [];
  #chosen = "";
  /** By service, so that going back and forth between them loses nothing. */
  readonly #values = new Map<string, Record<string, string>>();
  #errors: Record<string, string> = {};
  #busy = false;
  /** A proposal that was made here and not decided: no conversation leads to it. */
  #waits = "";

  constructor(
    private readonly app: string,
    private readonly around: Around,
    private readonly ends: ServiceEnds,
  ) {}

  async load(): Promise<void> {
    this.#waits ||= (await this.around.store.get<string>(AREA, WAITS + this.app)) ?? "";
    if (this.#state !== "ready") {
      this.#state = "loading";
      this.around.changed();
      try {
        this.#all = await this.around.api.services(this.app);
        this.#chosen = this.#all[0]?.key ?? "";
        this.#state = "ready";
      } catch (error) {
        this.#problem = failed(this.around, error);
        this.#state = "failed";
      }
    }
    this.around.changed();
  }

  choose(key: string): void {
    if (this.#busy) return;
    this.#chosen = key;
    this.#errors = {};
    this.around.changed();
  }

  fill(name: string, value: string): void {
    this.#values.set(this.#chosen, { ...this.#filled, [name]: value });
    const { [name]: _, ...rest } = this.#errors;
    this.#errors = rest;
    this.around.changed();
  }

  get #filled(): Record<string, string> {
    return this.#values.get(this.#chosen) ?? {};
  }

  /** The proposal that was made; null where none was. */
  async propose(): Promise<string | null> {
    if (this.#busy || this.#closed() || !this.#chosen) return null;
    this.#busy = true;
    this.#errors = {};
    this.around.changed();
    try {
      const { id: draft } = this.ends.facts().draft;
      const made = await this.around.api.setUp(this.app, this.#chosen, draft, this.#filled);
      this.around.done();
      this.#values.delete(this.#chosen);
      await this.#keep(made.id);
      return made.id;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const field = /^\/values\/(.+)$/.exec(String(error.details?.pointer ?? ""))?.[1];
      if (field) this.#errors = { [field]: refusal(error) };
      else refused(this.around, "propose", error);
      if (error.code === "REVISION_CONFLICT") await this.ends.moved();
      return null;
    } finally {
      this.#busy = false;
      this.around.changed();
    }
  }

  async #keep(proposal: string): Promise<void> {
    this.#waits = proposal;
    const { store } = this.around;
    if (proposal) await store.put(AREA, WAITS + this.app, proposal);
    else await store.delete(AREA, WAITS + this.app);
  }

  /** A proposal was applied or discarded. */
  async decided(proposal: string): Promise<void> {
    if (this.#waits === proposal) await this.#keep("");
  }

  #closed(): string {
    return this.around.online() ? "" : t("apps.off.offline");
  }

  #foot(): FootView {
    const first = Object.values(this.#errors)[0];
    const closed = this.#closed();
    const main: FootView["main"] = {
      id: "set-up",
      label: t("apps.services.make"),
      look: closed ? "plain" : "primary",
      testid: "hp-scaffold-go",
    };
    if (this.#busy) return { state: "sending", reason: t("apps.services.making"), main };
    return {
      state: closed ? "closed" : "plain",
      reason: first ?? (closed || t("apps.services.free")),
      reasonIcon: first ? "bad" : "info",
      ...(first ? { reasonLook: "c-fail" } : {}),
      main,
    };
  }

  view(): AppServicesView {
    const { app } = this.ends.facts();
    return {
      state: this.#state,
      problem: this.#problem,
      services: this.#all,
      chosen: this.#chosen,
      values: this.#filled,
      errors: this.#errors,
      paths: this.ends.paths(),
      origins: app.settings.connect_origins,
      waits: this.#waits,
      busy: this.#busy,
      foot: this.#state === "ready" ? this.#foot() : null,
    };
  }
}
