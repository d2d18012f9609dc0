/**
 * One's own model: server, name, key and limits; its test; which model is used. States: loading, ready, saving,
 * testing, failed. UI.md §12 "Your model".
 *
 * It emits `hp-save-profile` and `hp-test-profile` with what was typed, and `hp-retry`. A key that is typed stands in
 * its field until it is saved, and nowhere else.
 */
import type { LlmProfileTested } from "@holdpoint/core/crew";
import { html, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { HpElement } from "../../base/element.js";
import { elapsed, when } from "../../base/format.js";
import { icon } from "../../base/icons.js";
import { prose } from "../../base/prose.js";
import { calls, sheets } from "../../base/sheets.js";
import { badges, buttons, forms, ground } from "../../base/styles.js";
import "../../shell/copy.js";
import { t } from "../../text/index.js";
import { detailed, refusal } from "../../text/refusal.js";
import { callHead, column, fields, statusBar } from "../crew.styles.js";
import {
  bodyOf,
  type Draft,
  draftOf,
  elsewhere,
  hostOf,
  isEdited,
  isOwn,
  isTyped,
  keptOf,
} from "./draft.js";
import { styles } from "./model-profile.styles.js";
import { order, used } from "./order.js";
import type { ModelProfileView } from "./view.js";

/** Statuses by which a server says that a key may not do this. */
const KEY_REFUSED: ReadonlySet<number> = new Set([401, 403]);
/** The fields by the pointers of refusals. */
const FIELDS = ["/provider", "/baseUrl", "/model", "/apiKey", "/timeoutSeconds", "/contextWindow"];

@customElement("hp-model-profile")
export class ModelProfile extends HpElement {
  static override styles = [
    ground,
    buttons,
    badges,
    forms,
    sheets,
    calls,
    callHead,
    column,
    fields,
    statusBar,
    styles,
  ];
  @property({ attribute: false }) view!: ModelProfileView;
  @state() private draft: Draft | null = null;

  protected override get state(): string {
    return this.view.busy || this.view.state;
  }

  /** What was saved takes the place of what was typed. */
  protected override willUpdate(changed: PropertyValues): void {
    const before = changed.get("view") as ModelProfileView | undefined;
    const { profile } = this.view;
    const other = before?.profile?.savedAt !== profile?.savedAt || !this.draft;
    const saved = before?.busy === "saving" && this.view.busy === "" && !this.view.refused;
    if (profile && changed.has("view") && (other || saved))
      this.draft = saved ? keptOf(this.draft, profile) : draftOf(profile);
  }

  override render() {
    const { state } = this.view;
    const failed = state === "failed" ? this.#failed() : nothing;
    return html`<div class="body">
        <div class="in mid">
          ${this.#head()}${
            state === "loading"
              ? html`<p class="meta late">${icon("spin", "s spin")} ${t("profile.loading")}</p>`
              : nothing
          }${failed}${this.#form()}${this.#refused()}${this.#tested()}${this.#order()}
        </div>
      </div>
      ${this.#foot()}`;
  }

  #head() {
    return html`<div class="head">
      <div>
        <h1>${t("profile.title")}</h1>
        <p class="meta">${t("profile.lead")}</p>
      </div>
      <div class="end">${this.#health()}</div>
    </div>`;
  }

  #health() {
    const { profile, now } = this.view;
    const at = profile?.lastTestedAt;
    if (!profile || !at || profile.healthStatus === "unknown") return nothing;
    const good = profile.healthStatus === "ok";
    const time = when(Date.parse(at), now);
    return html`<span class="badge ${good ? "pass" : "fail"}" data-testid="hp-health"
      >${icon(good ? "ok" : "bad", "s")}<span
        >${t(good ? "profile.health.ok" : "profile.health.failed", { time })}</span
      ></span
    >`;
  }

  #failed() {
    const { problem } = this.view;
    return html`<section class="call fail" role="alert" aria-labelledby="h-f">
      <h2 id="h-f">${t("profile.failed")}</h2>
      <p>${problem ? prose(refusal(problem)) : nothing}</p>
      <div class="acts-c">
        <button class="btn s" @click=${() => this.emit("hp-retry")}>${t("profile.retry")}</button>
      </div>
    </section>`;
  }

  #set(change: Partial<Draft>): void {
    if (this.draft) this.draft = { ...this.draft, ...change };
  }

  #form() {
    const { draft } = this;
    const { profile } = this.view;
    if (!draft || !profile) return nothing;
    const { system, systemModel } = profile.resolution;
    const none = system === "off" || system === "blocked";
    const theirs = none
      ? t(`profile.provider.system.${system}`)
      : t("profile.provider.system", { name: systemModel ?? "" });
    const option = (value: Draft["provider"], label: string, off = false) => html`<label class="opt"
      ><input
        class="radio"
        type="radio"
        name="provider"
        ?disabled=${off && draft.provider !== value}
        .checked=${live(draft.provider === value)}
        @change=${() => this.#set({ provider: value })}
      /><span>${label}</span></label
    >`;
    const on = isOwn(draft);
    return html`<form class="sheet" aria-label=${t("profile.form")} @submit=${this.#submit}>
      <div class="frm wide">
        <span class="fl" id="l-provider">${t("profile.provider")}</span>
        <div role="radiogroup" aria-labelledby="l-provider">
          ${option("openai-compatible", t("profile.provider.openai-compatible"))}${option(
            "system",
            theirs,
            none,
          )}${option("disabled", t("profile.provider.disabled"))}${this.#message("/provider")}
        </div>
        ${on ? html`${this.#address(draft)}${this.#model(draft)}${this.#key()}${this.#limits(draft)}` : nothing}
      </div>
      <button hidden></button>
    </form>`;
  }

  #submit(event: Event): void {
    event.preventDefault();
    this.save();
  }

  /** Saves what was typed, where it can be. */
  save(): void {
    if (!this.#whyNot()) this.#save();
  }

  /** A field with what was refused of it below. */
  #input(pointer: string, field: "baseUrl" | "model" | "timeout" | "window", more = {}) {
    const { mono = false, digits = false } = more as { mono?: boolean; digits?: boolean };
    const id = pointer.slice(1);
    return html`<input
      class="input ${mono ? "mono" : ""}"
      id=${id}
      .value=${live(this.draft?.[field] ?? "")}
      inputmode=${digits ? "numeric" : "text"}
      autocomplete="off"
      spellcheck="false"
      aria-describedby="m-${id} h-${id}"
      aria-invalid=${this.#at(pointer) ? "true" : nothing}
      @input=${(event: InputEvent) =>
        this.#set({ [field]: (event.target as HTMLInputElement).value })}
    />`;
  }

  #at(pointer: string) {
    const { refused } = this.view;
    return refused?.details?.pointer === pointer ? refused : null;
  }

  #message(pointer: string) {
    const refused = this.#at(pointer);
    const id = `m-${pointer.slice(1)}`;
    return refused
      ? html`<p class="msg bad" id=${id} role="alert">${icon("bad", "s")}<span>${prose(refusal(refused))}</span></p>`
      : nothing;
  }

  #address(_: Draft) {
    return html`<label for="baseUrl">${t("profile.url")}</label>
      <div>
        ${this.#input("/baseUrl", "baseUrl", { mono: true })}${this.#message("/baseUrl")}
        <p class="hint" id="h-baseUrl">${prose(t("profile.url.hint"))}</p>
      </div>`;
  }

  #model(_: Draft) {
    return html`<label for="model">${t("profile.model")}</label>
      <div>${this.#input("/model", "model", { mono: true })}${this.#message("/model")}</div>`;
  }

  #key() {
    const { draft } = this;
    const { profile } = this.view;
    if (!draft || !profile) return nothing;
    const other = elsewhere(draft, profile);
    const masked = profile.apiKeyMasked;
    if (!isTyped(draft, profile) && masked) {
      return html`<span class="fl">${t("profile.key")}</span>
        <div>
          <div class="flex wrap">
            <span class="fp-chip" data-testid="hp-key">${masked}</span
            ><button
              class="btn s"
              type="button"
              data-testid="hp-key-replace"
              @click=${() => this.#take("replaced")}
            >
              ${t("profile.key.replace")}</button
            ><button
              class="btn s quiet danger"
              type="button"
              data-testid="hp-key-remove"
              @click=${() => this.#take("removed")}
            >
              ${t("profile.key.remove")}
            </button>
          </div>
          ${this.#message("/apiKey")}
          <p class="hint">${t("profile.key.hint", { host: hostOf(profile.apiKeyOrigin ?? "") })}</p>
        </div>`;
    }
    return html`<label for="apiKey">${t("profile.key")}</label>
      <div>
        <div class="flex">
          <input
            class="input mono"
            id="apiKey"
            type="password"
            autocomplete="off"
            spellcheck="false"
            aria-describedby="m-apiKey h-apiKey"
            aria-invalid=${this.#at("/apiKey") ? "true" : nothing}
            .value=${live(draft.plain)}
            @input=${(event: InputEvent) =>
              this.#set({ plain: (event.target as HTMLInputElement).value })}
          />${
            masked && !other
              ? html`<button
                  class="btn s quiet"
                  type="button"
                  @click=${() => this.#take("kept")}
                >
                  ${t("profile.key.keep")}
                </button>`
              : nothing
          }
        </div>
        ${this.#message("/apiKey")}
        <p class="hint" id="h-apiKey">${this.#keyHint(other)}</p>
      </div>`;
  }

  /** What is done with the stored key; the focus goes to what stands there then. */
  #take(key: Draft["key"]): void {
    this.#set({ key, plain: "" });
    void this.updateComplete.then(() =>
      this.renderRoot
        .querySelector<HTMLElement>('#apiKey, [data-testid="hp-key-replace"]')
        ?.focus(),
    );
  }

  #keyHint(other: string | null): string {
    if (other) return t("profile.key.other", { host: other });
    const removed = this.draft?.key === "removed" && this.view.profile?.apiKeyMasked;
    return t(removed ? "profile.key.removed" : "profile.key.new");
  }

  #limits(_: Draft) {
    return html`<span class="fl" id="l-limits">${t("profile.limits")}</span>
      <div class="two-in" role="group" aria-labelledby="l-limits">
        <div>
          <label class="meta" for="timeoutSeconds">${t("profile.timeout")}</label>${this.#input(
            "/timeoutSeconds",
            "timeout",
            { digits: true },
          )}${this.#message("/timeoutSeconds")}
        </div>
        <div>
          <label class="meta" for="contextWindow">${t("profile.window")}</label>${this.#input(
            "/contextWindow",
            "window",
            { digits: true },
          )}${this.#message("/contextWindow")}
        </div>
      </div>`;
  }

  /** A refusal that is no field's. */
  #refused() {
    const { refused } = this.view;
    const shown = this.draft && isOwn(this.draft) ? FIELDS : ["/provider"];
    if (!refused || shown.includes(String(refused.details?.pointer))) return nothing;
    return html`<section class="call fail" role="alert" aria-labelledby="h-r">
      <h2 id="h-r">${t("profile.refused")}</h2>
      <p>${prose(refusal(refused))}</p>
      <div class="acts-c"><hp-copy .text=${detailed(refused)}></hp-copy></div>
    </section>`;
  }

  #tested() {
    const { tested, profile } = this.view;
    if (!tested || !profile) return nothing;
    const time = elapsed(tested.latencyMs);
    const key = tested.said !== null && KEY_REFUSED.has(tested.said.status);
    if (tested.ok) {
      return html`<section class="call" role="status" data-testid="hp-tested" aria-labelledby="h-t">
        <h2 id="h-t">${icon("ok", "s c-pass")} ${tested.message}</h2>
        <p>${t("profile.test.seconds", { time })}</p>
      </section>`;
    }
    return html`<section class="call fail" role="alert" data-testid="hp-tested" aria-labelledby="h-t">
      <h2 id="h-t">${key ? t("profile.test.key") : tested.message}</h2>
      <dl class="w3">
        ${
          tested.said
            ? html`<dt>${t("profile.test.what")}</dt>
                <dd>${answered(tested.said, time)}</dd>`
            : nothing
        }
        <dt>${t("profile.test.try")}</dt>
        <dd>
          <ul class="tips">
            ${tested.hints.map((hint) => html`<li>${hint}</li>`)}
          </ul>
        </dd>
        <dt>${t("profile.test.kept")}</dt>
        <dd>${t(profile.savedAt ? "profile.test.kept.saved" : "profile.test.kept.none")}</dd>
        <dt>${t("word.cost")}</dt>
        <dd>${t("profile.test.cost")}</dd>
      </dl>
      <div class="flex wrap acts-c">
        ${
          key && profile.apiKeyMasked
            ? html`<button
                class="btn s primary"
                data-testid="hp-tested-replace"
                @click=${() => this.#take("replaced")}
              >
                ${t("profile.test.replace")}
              </button>`
            : nothing
        }
        <button class="btn s" ?disabled=${this.view.busy !== ""} @click=${() => this.#test()}>
          ${icon("again", "s")}<span>${t("profile.test.again")}</span></button
        ><hp-copy .text=${JSON.stringify(tested, null, 2)}></hp-copy>
      </div>
    </section>`;
  }

  #order() {
    const { profile } = this.view;
    if (!profile) return nothing;
    return html`<section class="sheet" aria-labelledby="h-o">
      <div class="s-h"><h2 id="h-o">${t("profile.order")}</h2></div>
      <p class="used" data-testid="hp-used">${used(profile)}</p>
      <ol class="rows" data-testid="hp-order">
        ${order(profile)}
      </ol>
    </section>`;
  }

  #edited(): boolean {
    const { profile } = this.view;
    return !!this.draft && !!profile && isEdited(this.draft, profile);
  }

  /** Why nothing can be saved; nothing where it can. */
  #whyNot(): string {
    const { busy, offline, profile } = this.view;
    if (!profile || !this.draft) return t("profile.loading");
    if (offline) return t("profile.offline");
    if (busy) return t(`profile.${busy}`);
    return this.#edited() ? "" : t("profile.clean");
  }

  #save(): void {
    const { profile } = this.view;
    if (this.draft && profile) this.emit("hp-save-profile", { body: bodyOf(this.draft, profile) });
  }

  /** What is typed is tried out; where nothing is, the saved profile is asked. */
  #test(): void {
    const { profile } = this.view;
    if (!this.draft || !profile) return;
    const body = this.#edited() ? bodyOf(this.draft, profile) : null;
    this.emit("hp-test-profile", { body });
  }

  #foot() {
    const { profile, busy, offline, now } = this.view;
    if (!profile) return nothing;
    const why = this.#whyNot();
    const saved = profile.savedAt
      ? t("profile.saved", { time: when(Date.parse(profile.savedAt), now) })
      : t("profile.unsaved");
    const off = this.draft ? !isOwn(this.draft) : true;
    return html`<div class="p-foot statusbar">
      <span class="meta" id="why">${saved} ${why}</span>
      <span class="end"
        ><button
          class="btn"
          data-testid="hp-test"
          ?disabled=${offline || busy !== "" || off}
          aria-describedby=${off ? "off" : nothing}
          @click=${() => this.#test()}
        >
          ${busy === "testing" ? icon("spin", "s spin") : icon("test", "s")}<span>${t("profile.test")}</span></button
        ><button
          class="btn ${why ? "" : "primary"}"
          data-testid="hp-save"
          ?disabled=${why !== ""}
          aria-describedby=${why ? "why" : nothing}
          @click=${() => this.#save()}
        >
          ${busy === "saving" ? icon("spin", "s spin") : nothing}<span>${t("profile.save")}</span>
        </button></span
      ><span class="vh" id="off">${t(
        this.draft?.provider === "system" ? "profile.test.system" : "profile.test.off",
      )}</span>
    </div>`;
  }
}

/** What a server said, and how soon. */
function answered({ status, text }: NonNullable<LlmProfileTested["said"]>, time: string): string {
  const said = { status: String(status), time };
  return text ? t("profile.test.said.text", { ...said, text }) : t("profile.test.said", said);
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-model-profile": ModelProfile;
  }
}
