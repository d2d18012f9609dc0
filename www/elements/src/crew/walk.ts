/**
 * A path walked without a model: one step at a time, what it reads and writes, what its agent would be told, what
 * nothing sets before it. States: step, unread (its file cannot be read), gone (the path is no longer there).
 *
 * Left and right arrows step, Home and End lead to the ends, Escape leaves.
 */
import { css, html, nothing, type PropertyValues } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { integer } from "../base/format.js";
import { icon } from "../base/icons.js";
import { calls, sheets } from "../base/sheets.js";
import { badges, buttons, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { chains, hops } from "./chain.js";
import { callHead, column } from "./crew.styles.js";
import { going } from "./going.js";
import { typeWord } from "./shapes.js";
import type { WalkFile, WalkStepView, WalkVariable, WalkView } from "./view.js";

const own = css`
  :host { display: grid; gap: var(--s-5); grid-template-columns: minmax(0, 1fr); }
  .top { display: flex; flex-wrap: wrap; gap: var(--s-3) var(--s-5); align-items: center; }
  .top .end { margin-inline-start: auto; display: flex; gap: var(--s-3); }
  h2 { font-size: var(--t-head); line-height: var(--l-head); font-weight: var(--w-strong); }
  h2:focus-visible { outline-offset: 4px; }
  .way { padding: var(--s-4) var(--s-5); }
  .s-h .end { margin-inline-start: auto; }
  .io { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .io > section + section { border-inline-start: 1px solid var(--line); }
  .rows .end { margin-inline-start: auto; color: var(--text-2); white-space: nowrap; }
  .rows .nm { overflow-wrap: anywhere; }
  .rows .sub { display: block; }
  .none { padding: var(--s-3) var(--s-5); }
  pre {
    margin: 0;
    padding: var(--s-4) var(--s-5);
    font: var(--t-code) / var(--l-code) var(--mono);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    max-height: 360px;
    overflow: auto;
  }
  pre:focus-visible { outline-offset: -2px; }
  .takes { padding: var(--s-4) var(--s-5); border-top: 1px solid var(--line); font-size: var(--t-small); }
  @media (max-width: 767px) {
    .io { grid-template-columns: minmax(0, 1fr); }
    .io > section + section { border-inline-start: 0; border-top: 1px solid var(--line); }
    .top .end { margin-inline-start: 0; width: 100%; }
    .top .end .btn { flex: 1; }
  }
`;

@customElement("hp-crew-walk")
export class CrewWalk extends HpElement {
  static override styles = [ground, buttons, badges, sheets, calls, callHead, column, chains, own];
  @property({ attribute: false }) view!: WalkView;
  @query("h2") private heading!: HTMLElement | null;

  protected override get state(): string {
    const { step } = this.view;
    if (!step) return "gone";
    return step.isRead ? "step" : "unread";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener("keydown", this.#keys);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.removeEventListener("keydown", this.#keys);
  }

  /** Whoever begins a walk goes on by arrow from there. */
  protected override firstUpdated(changed: PropertyValues): void {
    super.firstUpdated(changed);
    this.heading?.focus();
  }

  #keys = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const { at, way } = this.view;
    const keys: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1 };
    // A prompt scrolls to its ends by these.
    if (!(event.composedPath()[0] as Element).matches("pre"))
      Object.assign(keys, { Home: 0, End: way.length - 1 });
    const to = keys[event.key];
    if (event.key === "Escape") this.#leave();
    else if (to === undefined) return;
    else this.#to(to);
    event.preventDefault();
    event.stopPropagation();
  };

  #to(at: number): void {
    if (this.view.way[at]) this.emit("hp-walk-to", { at });
  }

  #leave(): void {
    this.emit("hp-walk-leave");
  }

  override render() {
    const { name, path, of, at, way, step } = this.view;
    if (!step) return this.#gone();
    return html`<div class="top">
        <button class="btn s" data-testid="hp-walk-leave" @click=${this.#leave}>
          ${icon("back", "s")}<span>${t("crew.walk.leave")}</span>
        </button>
        <h2 tabindex="-1">${t("crew.walk.title", { name, n: path, of })}</h2>
        <span class="end"
          ><button
            class="btn s"
            data-testid="hp-walk-back"
            aria-disabled=${at === 0}
            @click=${() => this.#to(at - 1)}
          >
            ${t("crew.walk.back")}</button
          ><button
            class="btn s"
            data-testid="hp-walk-on"
            aria-disabled=${at === way.length - 1}
            @click=${() => this.#to(at + 1)}
          >
            <span>${t("crew.walk.on")}</span>${icon("cr", "s")}
          </button></span
        >
      </div>
      <p class="meta">${t("crew.walk.lead")}</p>
      <section class="sheet way" aria-label=${t("crew.walk.way")}>${hops(way, at)}</section>
      ${this.#step(step)}`;
  }

  #gone() {
    return html`<section class="call hold" role="alert">
      <h2 tabindex="-1">${t("crew.walk.gone")}</h2>
      <p>${t("crew.walk.gone.text")}</p>
      <div class="flex wrap acts-c">
        <button class="btn s primary" data-testid="hp-walk-leave" @click=${this.#leave}>
          ${t("crew.walk.leave")}
        </button>
      </div>
    </section>`;
  }

  #step(step: WalkStepView) {
    const { at, way } = this.view;
    const { title, type, agent, gone, href, takes } = step;
    return html`<section class="sheet" aria-labelledby="h-ws" data-testid="hp-walk-step">
        <div class="s-h">
          <h3 id="h-ws" translate="no">${t("crew.walk.step", { n: at + 1, of: way.length, title })}</h3>
          <span class="badge plain">${typeWord(type)}</span
          ><span class="meta">${agent || nobody(gone)}</span>
          <a class="btn s end" href=${href} @click=${(event: MouseEvent) => going(event, href, this)}
            >${t("crew.paths.show")}</a
          >
        </div>
        ${step.isRead ? this.#sides(step) : nothing}
        ${
          takes
            ? html`<p class="takes">
                ${t("crew.walk.takes")} <b translate="no">${takes.to}</b>
                <span class="quiet" translate="no">${takes.label}</span>
              </p>`
            : html`<p class="takes">${t("crew.walk.ends")}</p>`
        }
      </section>
      ${step.isRead ? this.#prompt(step) : this.#unread(href)}`;
  }

  #sides(step: WalkStepView) {
    return html`<div class="io">
      <section aria-labelledby="h-wr">
        <h4 class="lab" id="h-wr">${t("crew.walk.reads")}</h4>
        ${this.#reads(step)}
      </section>
      <section aria-labelledby="h-ww">
        <h4 class="lab" id="h-ww">${t("crew.walk.writes")}</h4>
        ${this.#writes(step)}
      </section>
    </div>`;
  }

  #reads({ files, variables }: WalkStepView) {
    if (!files.length && !variables.length)
      return html`<p class="none">${t("crew.walk.reads.none")}</p>`;
    return html`<ul class="rows">
      ${files.map((one) => this.#file(one))}${variables.map((one) => this.#variable(one))}
    </ul>`;
  }

  #file({ path, is, by, tokens, href }: WalkFile) {
    const sub = is === "written" ? t("crew.walk.by", { title: by }) : t(`crew.walk.file.${is}`);
    return html`<li data-is=${is}>
      ${icon(is === "missing" ? "med" : "file", is === "missing" ? "c-hold" : "")}
      <div>
        ${
          href
            ? html`<a class="nm" href=${href} @click=${(event: MouseEvent) => going(event, href, this)}
                ><span translate="no">${path}</span></a
              >`
            : html`<span class="nm" translate="no">${path}</span>`
        }<span class="sub">${sub}</span>
      </div>
      ${tokens === null ? nothing : html`<span class="end">${t("crew.walk.tokens", { n: tokens })}</span>`}
    </li>`;
  }

  #variable({ name, is, by }: WalkVariable) {
    const sub = is === "set" ? t("crew.walk.set", { title: by }) : t(`crew.walk.variable.${is}`);
    return html`<li data-is=${is}>
      ${icon(is === "missing" ? "med" : "code", is === "missing" ? "c-hold" : "")}
      <div><code class="nm" translate="no">${name}</code><span class="sub">${sub}</span></div>
    </li>`;
  }

  #writes({ writes, sets }: WalkStepView) {
    if (!writes.length && !sets.length)
      return html`<p class="none">${t("crew.walk.writes.none")}</p>`;
    return html`<ul class="rows">
      ${writes.map(
        (path) =>
          html`<li>${icon("file")}<div><span class="nm" translate="no">${path}</span></div></li>`,
      )}${sets.map(
        (name) =>
          html`<li>${icon("code")}<div><code class="nm" translate="no">${name}</code></div></li>`,
      )}
    </ul>`;
  }

  #unread(href: string) {
    return html`<section class="call hold" data-testid="hp-walk-unread">
      <h3>${t("crew.walk.unread")}</h3>
      <p>${t("crew.walk.unread.text")}</p>
      <div class="flex wrap acts-c">
        <a class="btn s" href=${href} @click=${(event: MouseEvent) => going(event, href, this)}
          >${t("crew.walk.unread.go")}</a
        >
      </div>
    </section>`;
  }

  #prompt({ prompt, tokens }: WalkStepView) {
    const { soFar, all } = this.view;
    const roles = { system: "crew.walk.system", user: "crew.walk.user" } as const;
    return html`<section class="sheet" aria-labelledby="h-wp">
      <div class="s-h">
        <h3 id="h-wp">${t("crew.walk.prompt")}</h3>
        <span class="end meta"
          ><b data-testid="hp-walk-tokens">${t("crew.walk.tokens", { n: tokens })}</b> ·
          ${t("crew.walk.so_far", { n: integer(soFar), of: integer(all) })}</span
        >
      </div>
      ${prompt.map(
        ({ role, content }) =>
          html`<h4 class="lab">${t(roles[role])}</h4>
            <pre class="scroll" tabindex="0" role="group" aria-label=${t(roles[role])} translate="no">${content}</pre>`,
      )}
      <p class="none meta">${t("crew.walk.prompt.text")}</p>
    </section>`;
  }
}

const nobody = (gone: string): string =>
  gone ? t("crew.node.agent.gone", { id: gone }) : t("crew.node.agent.none");

declare global {
  interface HTMLElementTagNameMap {
    "hp-crew-walk": CrewWalk;
  }
}
