/** Beside the editor: the conversation and the field in which a person asks, or the versions. */
import { FILES, MAX_MESSAGE_CHARS } from "@holdpoint/core/editor";
import { html, nothing } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { heads } from "../base/sheets.js";
import { buttons, ground } from "../base/styles.js";
import "../history/history.js";
import "../talk/composer.js";
import type { Composer } from "../talk/composer.js";
import "../talk/conversation.js";
import type { ComposerView, ConversationView } from "../talk/view.js";
import { t } from "../text/index.js";
import { drawer } from "./drawer.styles.js";
import { entriesOf } from "./versions.js";
import type { ChatView, VersionsView } from "./view.js";

@customElement("hp-drawer")
export class Drawer extends HpElement {
  static override styles = [ground, buttons, heads, drawer];
  @property({ attribute: false }) view!: ChatView;
  /** The versions, where they are in front. */
  @property({ attribute: false }) versions: VersionsView | null = null;
  @query("hp-composer") private composer!: Composer | null;

  override render() {
    return this.versions ? this.#versions(this.versions) : this.#chat();
  }

  #versions(view: VersionsView) {
    const n = view.lines.filter((line) => line.kind === "revision").length;
    return html`<div class="p-head">
        <h2>${t("script.versions")}</h2>
        <span class="meta trunc"
          >${view.state === "ready" ? t("script.versions.count", { n }) : nothing}</span
        >
        <div class="end">
          <button
            class="btn quiet s icon"
            aria-label=${t("script.versions.back")}
            @click=${() => this.emit("hp-drawer", { drawer: "chat" })}
          >
            ${icon("cross")}
          </button>
        </div>
      </div>
      <hp-history class="rest" .view=${entriesOf(view)}></hp-history>`;
  }

  #chat() {
    const { view } = this;
    return html`<div class="p-head">
        <h2>${t("script.chat")}</h2>
        <span class="meta trunc">${t("script.chat.kept")}</span>
        <div class="end">
          <button
            class="btn quiet s icon"
            data-testid="hp-clear"
            aria-label=${t("talk.clear")}
            ?disabled=${view.turns.length === 0}
            @click=${() => this.emit("hp-clear")}
          >
            ${icon("trash")}
          </button>
          <button
            class="btn quiet s icon close"
            aria-label=${t("script.chat.close")}
            @click=${() => this.emit("hp-drawer", { drawer: null })}
          >
            ${icon("cross")}
          </button>
        </div>
      </div>
      <hp-conversation
        class="body"
        tabindex="0"
        .view=${conversation(view)}
        @hp-fill=${(event: CustomEvent<{ text: string }>) => this.fill(event.detail.text)}
      ></hp-conversation>
      <div class="foot"><hp-composer .view=${composer(view)}></hp-composer></div>`;
  }

  override focus(): void {
    this.composer?.focus();
  }

  fill(text: string): void {
    this.composer?.fill(text);
  }
}

function conversation(view: ChatView): ConversationView {
  const { state, problem, offline, turns, outcome, running, examples, beside, now } = view;
  return {
    ...{ state, problem, offline, turns, outcome, running, examples, beside, now },
    intro: view.empty ? "script.chat.intro" : null,
    note: "script.chat.note",
    live: false,
    clearable: false,
  };
}

function composer(view: ChatView): ComposerView {
  const { mode, draft, last, off, over, now, running, since, outcome } = view;
  return {
    ...{ mode, draft, last, off, over, now },
    modes: ["chat", "edit"],
    label: t("script.message"),
    placeholder: t(
      mode === "edit" ? "script.message.placeholder" : "script.message.placeholder.chat",
    ),
    hint: along(view),
    sending: false,
    since: running ? since : null,
    waits: outcome?.waits ?? 0,
    limit: MAX_MESSAGE_CHARS,
    files: FILES,
  };
}

/** What goes along with the message. */
function along({ mode, tokens, place }: ChatView): string {
  if (mode === "chat") return t("script.along.chat");
  const files = tokens === null ? t("script.along.unknown") : t("script.along", { n: tokens });
  return place ? `${files} · ${place}` : files;
}
