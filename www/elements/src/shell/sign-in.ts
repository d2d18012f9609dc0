/** Sign in: token missing, unknown, ended. Alone on the page. UI.md §3. */
import { css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { buttons, forms, ground } from "../base/styles.js";
import { t } from "../text/index.js";

/** A proxy key: `hp_`, environment, account, id, secret, crc (gateway.md §3). */
const TOKEN_CHARS = 85;

const own = css`
  :host { background: var(--canvas); height: 100%; overflow: auto; }
  .si {
    width: min(440px, 100% - 2 * var(--s-6));
    margin: clamp(24px, 14vh, 140px) auto var(--s-8);
    display: grid;
    gap: var(--s-8);
  }
  .top { display: grid; gap: var(--s-6); }
  .soft { color: var(--text-2); }
  h1 {
    font-size: var(--t-title);
    line-height: var(--l-title);
    letter-spacing: -.01em;
    font-weight: var(--w-strong);
  }
  form {
    display: grid;
    gap: var(--s-3);
    background: var(--surface);
    border: 1px solid var(--line-2);
    border-radius: var(--r-2);
    padding: var(--s-6);
    font-size: var(--t-small);
  }
  .input { min-height: var(--control); }
  .input[aria-invalid="true"] { border-color: var(--fail-fill); }
  .block { margin-top: var(--s-3); }
  .note { display: flex; gap: var(--s-4); }
  .note .i { margin-top: 1px; }
  p.c-fail { color: var(--fail); }
`;

@customElement("hp-sign-in")
export class SignIn extends HpElement {
  static override styles = [ground, buttons, forms, own];
  @property() reason: "missing" | "unknown" | "expired" | "offline" = "missing";
  @property({ type: Boolean }) sending = false;
  /** The token that was refused, so that its end can be compared. */
  @property() refused = "";
  @state() private open = false;
  @state() private text = "";

  protected override get state(): string {
    return this.sending ? "sending" : this.reason;
  }

  override render() {
    const wrong =
      this.reason === "unknown" &&
      this.refused !== "" &&
      (this.text === "" || this.text.trim() === this.refused);
    const length = wrong && this.refused !== "dev" && this.refused.length !== TOKEN_CHARS;
    return html`<div class="si" role="main">
      <div class="top">
        <h1 tabindex="-1">${t(`signin.${this.reason}`)}</h1>
        <p class="soft" role=${this.reason === "missing" ? nothing : "alert"}>
          ${t(`signin.${this.reason}.text`)}
        </p>
        <form @submit=${this.#send}>
          <label class="strong" for="tok">${t("signin.token")}</label>
          <div class="flex">
            <input
              class="input mono"
              id="tok"
              data-testid="hp-token"
              type=${this.open ? "text" : "password"}
              autocomplete="off"
              spellcheck="false"
              .value=${this.text}
              aria-invalid=${wrong}
              aria-describedby="tok-h"
              @input=${(event: Event) => (this.text = (event.target as HTMLInputElement).value)}
            />
            <button
              type="button"
              class="btn icon"
              aria-label=${this.open ? t("signin.hide") : t("signin.show")}
              aria-pressed=${this.open}
              @click=${() => (this.open = !this.open)}
            >
              ${icon("eye")}
            </button>
          </div>
          <p class="meta ${length ? "c-fail" : ""}" id="tok-h">
            ${
              length
                ? t("signin.length", { n: this.refused.length, of: TOKEN_CHARS })
                : html`${t("signin.begins")} <code>hp_</code>.`
            }
          </p>
          <button
            class="btn primary block"
            type="submit"
            data-testid="hp-sign-in"
            ?disabled=${this.sending}
          >
            ${this.sending ? icon("spin", "s spin") : nothing}<span>${t("signin.go")}</span>
          </button>
        </form>
      </div>
      <p class="meta quiet note">${icon("lock", "s")}<span>${t("signin.tab")}</span></p>
    </div>`;
  }

  protected override firstUpdated(): void {
    this.renderRoot.querySelector<HTMLElement>("#tok")?.focus();
  }

  #send(event: Event): void {
    event.preventDefault();
    const token = this.text.trim();
    if (token) this.emit("hp-token", { token });
  }
}
