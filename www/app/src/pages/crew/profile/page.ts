/** The page of one's own model. It draws a `ProfilePageView`. UI.md §12 "Your model". */
import { badges, buttons, ground, t } from "@holdpoint/elements";
import "@holdpoint/elements/crew/model-profile/model-profile";
import "@holdpoint/elements/shell/budget";
import "@holdpoint/elements/shell/menu";
import "@holdpoint/elements/shell/notice";
import "@holdpoint/elements/shell/sign-in";
import "@holdpoint/elements/shell/toast";
import { html, nothing } from "lit";
import { customElement } from "lit/decorators.js";
import { bar } from "../../../bar.styles.js";
import { PageElement, type PageKey } from "../../../page-element.js";
import { pageLinksStyle } from "../../../page-links.js";
import { frame } from "../../../panes.styles.js";
import { layout } from "../page.styles.js";
import type { ProfilePageView } from "./page-view.js";

@customElement("hp-profile-page")
export class ProfilePage extends PageElement<ProfilePageView> {
  static override styles = [ground, buttons, badges, bar, frame, layout, pageLinksStyle];

  protected override get state(): string {
    return this.view.signIn ? "sign-in" : this.view.profile.state;
  }

  override render() {
    const { view } = this;
    const top = this.bar("crew", nothing, this.budget(view.budgetOpen, "budget"));
    if (view.signIn) return html`${top}${this.signIn(view.signIn)}`;
    return html`${top}
      <div>${this.offline(t("crew.offline.text"), t("profile.offline"))}${this.problem()}</div>
      <main class="app" id="main" tabindex="-1">
        <hp-model-profile .view=${view.profile}></hp-model-profile>
      </main>
      <div></div>
      ${this.menu()}${this.toast()}`;
  }

  /** Mod S saves what was typed. */
  protected override pressed(event: KeyboardEvent, { mod, key }: PageKey): void {
    if (!mod || key !== "s") return;
    event.preventDefault();
    this.renderRoot.querySelector("hp-model-profile")?.save();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-profile-page": ProfilePage;
  }
}
