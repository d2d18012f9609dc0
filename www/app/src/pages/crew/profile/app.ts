/** The controller of one's own model: reads, saves and tests the profile, and gives the page one value. */
import type {
  LlmProfile,
  LlmProfileBody,
  LlmProfileTested,
  ProfileApi,
} from "@holdpoint/core/crew";
import { isRefusal } from "@holdpoint/core/session";
import type { Api, ErrorShape, Store } from "@holdpoint/core/types";
import { t } from "@holdpoint/elements";
import type { ModelProfileView } from "@holdpoint/elements/crew/model-profile/view";
import type { Credential } from "../../../credential.js";
import { type Looks, looks, Shell } from "../../../shell.js";
import { ownModel } from "../own-model.js";
import type { ProfilePage } from "./page.js";
import type { ProfilePageView } from "./page-view.js";

export interface Parts {
  store: Store;
  credential: Credential;
  api: Api;
  profiles: ProfileApi;
}

export class ProfileApp extends Shell<Looks> {
  #state: ModelProfileView["state"] = "loading";
  #profile: LlmProfile | null = null;
  #problem: ErrorShape | null = null;
  #busy: ModelProfileView["busy"] = "";
  #refused: ErrorShape | null = null;
  #tested: LlmProfileTested | null = null;
  #budgetOpen = false;

  constructor(
    private readonly page: ProfilePage,
    private readonly parts: Parts,
  ) {
    super(parts, looks);
  }

  async start(): Promise<void> {
    await this.restore();
    this.redraw();
    if (this.parts.credential.token) void this.load();
    void this.poll();
    this.watch();
  }

  protected override get ticks(): boolean {
    return false;
  }

  protected override signedIn(): void {
    void this.load();
  }

  protected override async online(): Promise<void> {
    if (this.parts.credential.token && this.#state !== "ready") await this.load();
  }

  async load(): Promise<void> {
    this.#state = this.#profile ? "ready" : "loading";
    this.draw();
    const read = await this.#asked(() => this.parts.profiles.show());
    if (read.answer) this.#profile = read.answer;
    this.#problem = read.error;
    this.#state = this.#profile ? "ready" : "failed";
    this.draw();
  }

  async save(body: LlmProfileBody): Promise<void> {
    if (this.#busy) return;
    this.#busy = "saving";
    this.#refused = null;
    this.#tested = null;
    this.draw();
    const saved = await this.#asked(() => this.parts.profiles.save(body));
    this.#busy = "";
    this.#refused = saved.error;
    if (saved.answer) {
      this.#profile = saved.answer;
      this.toast(t("profile.saved.toast"));
    }
    this.draw();
  }

  /** What is typed, or the saved profile, whose health is read again. */
  async test(body: LlmProfileBody | null): Promise<void> {
    if (this.#busy) return;
    this.#busy = "testing";
    this.#refused = null;
    this.#tested = null;
    this.draw();
    const tested = await this.#asked(() => this.parts.profiles.test(body ?? undefined));
    this.#tested = tested.answer;
    this.#refused = tested.error;
    if (tested.answer && body === null) {
      const read = await this.#asked(() => this.parts.profiles.show());
      if (read.answer) this.#profile = read.answer;
    }
    this.#busy = "";
    this.draw();
    void this.poll();
  }

  async #asked<T>(act: () => Promise<T>): Promise<{ answer: T | null; error: ErrorShape | null }> {
    try {
      return { answer: await act(), error: null };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.failed(error);
      return { answer: null, error };
    }
  }

  account(anchor: HTMLElement | null): void {
    this.accountMenu("crew", anchor, { items: [ownModel()] });
  }

  command(id: string): void {
    this.menu(null);
    this.accountCommand(id);
  }

  budget(open = !this.#budgetOpen): void {
    this.#budgetOpen = open;
    this.draw();
  }

  protected override redraw(): void {
    this.page.view = this.#view();
    document.title = `${t("profile.title")} – ${t("app.name")}`;
  }

  #view(): ProfilePageView {
    const shown = this.shown();
    return {
      ...shown,
      profile: {
        state: this.#state,
        profile: this.#profile,
        problem: this.#problem,
        busy: this.#busy,
        offline: shown.offline,
        refused: this.#refused,
        tested: this.#tested,
        now: shown.now,
      },
      budgetOpen: this.#budgetOpen,
    };
  }
}
