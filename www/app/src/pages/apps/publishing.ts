/** What is live of an app: health before it, the one signature, going back, taking it down (app-builder.md §8, §12). */
import type { App, AppPublication } from "@holdpoint/core/apps";
import { isRefusal } from "@holdpoint/core/session";
import type { Diagnostic, ErrorShape } from "@holdpoint/core/types";
import { format, t } from "@holdpoint/elements";
import type { PublishView } from "@holdpoint/elements/apps/view";
import type { FootAction, FootView } from "@holdpoint/elements/review/approval";
import { type Around, refused, type Wanted } from "./around.js";
import { buildOf, type Facts, liveAddress, numberOf, phaseOf } from "./facts.js";

/** Publications that can be gone back to. */
const MAX_HISTORY = 10;

export interface PublishEnds {
  facts(): Facts;
  /** The app as it is now. */
  changed(app: App): Promise<void>;
}

export class Publishing {
  #health: readonly Diagnostic[] | null = null;
  #healthOf = "";
  #problem: ErrorShape | null = null;
  #looking = false;
  #busy = false;
  #history: AppPublication[] = [];
  #once = { of: "", key: "" };
  /** It is published as soon as it is built; ends with the page. */
  #waits = "";

  constructor(
    private readonly app: string,
    private readonly around: Around,
    private readonly ends: PublishEnds,
  ) {}

  async load(): Promise<void> {
    await Promise.all([this.look(), this.#past()]);
  }

  async #past(): Promise<void> {
    try {
      this.#history = (await this.around.api.publications(this.app)).items;
      this.around.changed();
    } catch (error) {
      refused(this.around, "read", error);
    }
  }

  /** What the edge finds wrong with the draft as a page. */
  async look(): Promise<void> {
    const { draft } = this.ends.facts();
    if (phaseOf(this.ends.facts()) !== "succeeded" || this.#looking) return;
    this.#looking = true;
    this.#problem = null;
    this.around.changed();
    try {
      const { diagnostics } = await this.around.api.health(this.app, draft.id);
      this.#health = diagnostics;
      this.#healthOf = draft.id;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.around.failed(error);
      this.#problem = error;
    } finally {
      this.#looking = false;
      this.around.changed();
    }
  }

  /** The build of the draft stands otherwise than before. */
  moved(shown: boolean): void {
    const facts = this.ends.facts();
    if (this.#waits && this.#waits !== facts.draft.id) this.#waits = "";
    const built = phaseOf(facts) === "succeeded";
    if (built && this.#waits === facts.draft.id) {
      this.#waits = "";
      void this.publish();
    } else if (built && shown && this.#healthOf !== facts.draft.id) void this.look();
  }

  /** Signs once, for when it is built. */
  wait(): void {
    const { draft } = this.ends.facts();
    this.#waits = this.#waits === draft.id ? "" : draft.id;
    this.around.changed();
  }

  async publish(id: string = this.ends.facts().draft.id): Promise<void> {
    if (this.#once.of !== id) this.#once = { of: id, key: crypto.randomUUID() };
    const { key } = this.#once;
    await this.#do("publish", () => this.around.api.publish(this.app, id, key), "apps.published");
  }

  async rollback(id: string): Promise<void> {
    await this.#do("rollback", () => this.around.api.rollback(this.app, id), "apps.back_to");
  }

  async unpublish(): Promise<void> {
    await this.#do("unpublish", () => this.around.api.unpublish(this.app), "apps.unpublished");
  }

  async #do(
    wanted: Wanted,
    act: () => Promise<App>,
    words: "apps.published" | "apps.back_to" | "apps.unpublished",
  ): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    this.around.changed();
    try {
      const app = await act();
      this.#once = { of: "", key: "" };
      const n = String(numberOf(app.current_published_revision_id) || "");
      this.around.done();
      this.around.toast(t(words, { n }), liveAddress(app) ?? "");
      await this.ends.changed(app);
      await this.#past();
    } catch (error) {
      if (isRefusal(error) && error.code !== "OFFLINE") this.#once = { of: "", key: "" };
      this.#unpublished(error);
      refused(this.around, wanted, error);
    } finally {
      this.#busy = false;
      this.around.changed();
    }
  }

  /** What refuses it stands in the list of its health. */
  #unpublished(error: unknown): void {
    if (!isRefusal(error) || error.code !== "PUBLISH_BLOCKED") return;
    const { diagnostics } = error.details ?? {};
    if (!Array.isArray(diagnostics)) return;
    this.#health = diagnostics as unknown as Diagnostic[];
    this.#healthOf = this.ends.facts().draft.id;
  }

  view(): PublishView {
    const facts = this.ends.facts();
    const { app, draft, published } = facts;
    const now = Date.now();
    const live =
      app.status === "published"
        ? (published?.number ?? numberOf(app.current_published_revision_id))
        : null;
    const health = this.#healthOf === draft.id ? this.#health : null;
    const state = this.#state(facts, health);
    return {
      state,
      draft: draft.number,
      print: format.fingerprint(draft.files_hash),
      live,
      liveAt: app.status === "published" && app.published_at ? Date.parse(app.published_at) : null,
      address: liveAddress(app),
      was: app.current_published_revision_id !== null,
      slug: app.slug,
      health,
      healthProblem: this.#problem,
      looking: this.#looking,
      build: buildOf(facts, this.around.online() ? "" : t("apps.off.offline"), now),
      history: this.#past10(app),
      foot: this.#foot(facts, state),
      busy: this.#busy,
      now,
    };
  }

  #past10(app: App): PublishView["history"] {
    const current = app.status === "published" ? app.current_published_revision_id : null;
    let live = false;
    return this.#history.slice(0, MAX_HISTORY).map((one) => {
      const isLive = !live && one.kind !== "unpublish" && one.revision_id === current;
      live ||= isLive;
      return {
        seq: one.publish_seq,
        id: one.revision_id,
        number: numberOf(one.revision_id) || null,
        kind: one.kind,
        at: Date.parse(one.at),
        live: isLive,
        back: one.kind !== "unpublish" && one.revision_id !== current,
      };
    });
  }

  #state({ app, draft, build }: Facts, health: readonly Diagnostic[] | null): PublishView["state"] {
    if (!this.around.online()) return "offline";
    if (app.status === "published" && app.current_published_revision_id === draft.id)
      return "published";
    const phase = build?.build_status ?? draft.build_status;
    if (phase === "failed") return "failed";
    if (phase !== "succeeded") return "pending";
    if (health?.some(({ severity }) => severity === "error")) return "blocked";
    return this.#looking && !health ? "loading" : "ready";
  }

  #foot({ app, draft, published }: Facts, state: PublishView["state"]): FootView {
    const n = String(draft.number);
    const take: FootAction = {
      id: "unpublish",
      label: t("apps.unpublish"),
      testid: "hp-unpublish",
      off: this.#busy || state === "offline",
      alt: true,
    };
    const before = app.status === "published" ? [take] : [];
    const main: FootView["main"] = {
      id: "publish",
      label: t("apps.publish", { n }),
      icon: "check",
      look: "sign",
      testid: "hp-publish",
      mono: true,
      print: format.fingerprint(draft.files_hash),
    };
    if (this.#busy) return { state: "sending", reason: t("apps.publish.sending"), main, before };
    if (state === "ready") {
      const reason =
        published && app.status === "published"
          ? t("apps.publish.hold", { n, live: String(published.number) })
          : t("apps.publish.hold.first", { n });
      return { state: "waits", reason, main, before };
    }
    if (state === "published")
      return {
        state: "done",
        reason: t("apps.publish.is", { n }),
        reasonIcon: "globe",
        main: this.#open(app),
        before,
      };
    if (state === "pending") return this.#pending(draft.id, before);
    const reason = t(`apps.publish.off.${state}`);
    return { state: "closed", reason, reasonLook: "c-hold", main, before };
  }

  #pending(draft: string, before: FootAction[]): FootView {
    const waits = this.#waits === draft;
    const label = t(waits ? "apps.publish.wait.not" : "apps.publish.wait");
    return {
      state: "plain",
      reason: t(waits ? "apps.publish.waits" : "apps.publish.off.pending"),
      reasonIcon: "clock",
      main: { id: "publish-wait", label, look: "plain", testid: "hp-publish-wait" },
      before,
    };
  }

  #open(app: App): FootView["main"] {
    return {
      ...{ id: "open-page", label: t("apps.publish.open"), icon: "ext", look: "plain" },
      testid: "hp-open-page",
      title: liveAddress(app) ?? "",
    };
  }
}
