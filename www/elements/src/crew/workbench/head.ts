/** What is talked about: target, mode, workflow, session, and which model answers. UI.md §12 "Workbench". */
import { css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../../base/element.js";
import { icon } from "../../base/icons.js";
import { badges, buttons, ground } from "../../base/styles.js";
import { visible } from "../../base/unseen.js";
import { t } from "../../text/index.js";
import { earlier } from "./earlier.js";
import type { HeadView } from "./view.js";

const styles = css`
  .vbar {
    display: flex;
    align-items: center;
    gap: var(--s-2) var(--s-4);
    min-height: 48px;
    padding: var(--s-2) var(--s-5) var(--s-2) var(--pad);
    background: var(--surface);
    min-width: 0;
  }
  h1 {
    font-size: var(--t-head);
    line-height: var(--l-head);
    font-weight: var(--w-strong);
    letter-spacing: -.005em;
    overflow-wrap: anywhere;
    min-width: 0;
  }
  .badge { flex: none; }
  .of { flex: 0 1 auto; min-width: 8em; white-space: normal; overflow-wrap: anywhere; }
  .end { margin-inline-start: auto; display: flex; align-items: center; gap: var(--s-3); }
  .only-n { display: none; }
  .pill {
    display: inline-flex;
    align-items: center;
    gap: var(--s-3);
    min-height: var(--control-s);
    padding: 0 var(--s-4);
    border: 1px solid var(--line-2);
    border-radius: var(--r-2);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    color: var(--text-2);
    text-decoration: none;
    background: var(--surface);
  }
  .pill .strong { color: var(--text); overflow-wrap: anywhere; }
  .pill.fail {
    border-color: var(--fail-line);
    background: var(--fail-tint);
    color: var(--fail);
  }
  .pill.fail .lnk { text-decoration: underline; text-underline-offset: 2px; }
  @media (max-width: 979px) {
    .vbar { flex-wrap: wrap; border-bottom: 1px solid var(--line-2); padding-block: var(--s-4); }
    h1 { max-width: calc(100% - 60px); }
    .of { min-width: 0; }
    .end { margin-inline-start: 0; }
    .hide-n { display: none; }
    .only-n { display: inline-flex; }
  }
`;

@customElement("hp-wb-head")
export class WorkbenchHead extends HpElement {
  static override styles = [ground, buttons, badges, styles];
  @property({ attribute: false }) view!: HeadView;

  protected override get state(): string {
    return this.view.model.state;
  }

  override render() {
    const { name, type, id, mode, workflow, project, session, back } = this.view;
    return html`<div class="vbar" data-testid="wb-header">
      <a
        class="btn quiet icon"
        href=${back}
        aria-label=${t("wb.back")}
        data-testid="wb-back"
        >${icon("back")}</a
      >
      <h1 translate="no">${visible(name)}</h1>
      <span class="badge plain of" data-testid="wb-target-badge">${t(`wb.type.${type}`, { id })}</span>
      <span class="badge plain" data-testid="wb-mode-badge">${t(`wb.mode.${mode}`)}</span>
      <span class="meta hide-n"
        >${workflow ? html`<span translate="no">${workflow}</span> · ` : nothing}${
          project ? html`${t("wb.in.project", { name: project })} · ` : nothing
        }<span class="mono" data-testid="wb-session">${session}</span></span
      >
      <div class="end">${this.#pill(this.view.model)}${earlier(name, "only-n")}</div>
    </div>`;
  }

  #pill({ state, name, why, href }: HeadView["model"]) {
    if (state === "loading") return nothing;
    if (state === "none")
      return html`<a class="pill fail" href=${href} data-testid="wb-provider-pill" title=${why}
        >${icon("bad", "s")}<span
          >${t("wb.model.none")}: <span class="lnk">${t("wb.model.set.short")}</span></span
        ><span class="vh">${why}</span></a
      >`;
    return html`<a class="pill" href=${href} data-testid="wb-provider-pill"
      >${icon("ok", "s c-pass")}<span
        >${t(`wb.model.${state}`)}
        <span class="strong" translate="no">${name}</span></span
      ></a
    >`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-wb-head": WorkbenchHead;
  }
}
