/** What installed extensions show on the page: panels, buttons, status texts, keys, menus, the list of extensions. */
import type { Core, Json } from "@holdpoint/core/types";
import type { ContextSlot, InstalledView, OfferKind, PanelView } from "@holdpoint/elements";
import { AskedHosts } from "./asked-hosts.js";
import type { Dock } from "./calls.js";
import {
  type Bindings,
  bindings,
  commandKey,
  contextMenu,
  type MenuGroup,
  namesOf,
  type StatusText,
  shownKey,
  statusBar,
  toolbar,
} from "./contributions.js";
import type { Live } from "./installed.js";
import type { Opening } from "./opening.js";
import type { CommandButton } from "./page-view.js";
import type { ExtensionCommand } from "./palette.js";

const MAC = /Mac|iP/.test(navigator.platform);

/** What a command that was called from the list answered. */
export interface Answer {
  title: string;
  value: Json;
}

/** What is installed; it is asked anew each time. */
interface Extensions {
  all: ReadonlyMap<string, Live>;
  docks: ReadonlyMap<string, Dock>;
  answers: ReadonlyMap<string, Answer>;
  verdicts: ReadonlyMap<string, NonNullable<InstalledView["verdicts"]>>;
  /** Those that are on. */
  on(): Live[];
  /** Whether it is off until the next model. */
  rests(extension: string): boolean;
  isBusy(extension: string, command: string): boolean;
}

const offer = (kind: OfferKind, id: string, name: string) => ({ kind, id, name });

export class Contributed {
  readonly asked = new AskedHosts();

  constructor(
    private readonly core: Core,
    private readonly opening: Opening,
    private readonly of: Extensions,
  ) {}

  panels(): PanelView[] {
    return [...this.of.docks].flatMap(([key, one]): PanelView[] => {
      const live = this.of.all.get(one.extension);
      if (!live || !this.#when(one.when)) return [];
      const { record } = live;
      return [
        {
          extension: record.id,
          dock: key,
          slot: one.slot,
          title: one.title,
          version: record.version,
          hash: live.print,
          stored: live.stored,
          enabled: record.enabled,
          ...(record.reason === undefined ? {} : { reason: record.reason }),
          ...(record.off === undefined ? {} : { off: record.off }),
          widget: one.widget,
          state: one.state,
          busy: one.busy,
          ...this.#waits(one),
          failure: one.failure,
          rests: this.of.rests(record.id),
        },
      ];
    });
  }

  /** A panel whose data has not come says so: without it, its widget would say that there is none. */
  #waits({ data, state, busy, answered, failure }: Dock): Pick<PanelView, "waits"> {
    if (data === undefined || state !== undefined) return {};
    if (failure && !busy) return { waits: "failed" };
    if (answered && !busy) return {};
    const comes = this.opening.sight !== "" || this.opening.view?.state === "opening";
    return { waits: comes ? "working" : "model" };
  }

  buttons(): CommandButton[] {
    const keys = this.#keys();
    return toolbar(this.of.on(), this.#when).map((one) => ({
      ...one,
      busy: this.of.isBusy(one.extension, one.command),
      keys: keys.get(commandKey(one)) ?? "",
    }));
  }

  /** Every command of what is switched on, whether or not it has a button. */
  commands(): ExtensionCommand[] {
    const keys = this.#keys();
    const names = namesOf(this.of.on());
    return this.of.on().flatMap(({ id, manifest }) =>
      (manifest.contributes?.commands ?? []).map((one) => ({
        ...{ extension: id, command: one.id, title: one.title },
        name: names.get(id) ?? manifest.name,
        keys: keys.get(commandKey({ extension: id, command: one.id })) ?? "",
      })),
    );
  }

  status(): StatusText[] {
    return statusBar(this.of.on(), this.#when);
  }

  /** Which command answers which key now. */
  bindings(): Bindings {
    return bindings(this.of.on(), this.#when, MAC);
  }

  /** Entries of a context menu for what is selected now. */
  menu(slot: ContextSlot): MenuGroup[] {
    return contextMenu(this.of.on(), slot, this.#when, this.#keys());
  }

  /** Keys for people, by command. */
  #keys(): ReadonlyMap<string, string> {
    return new Map(
      [...this.bindings().chords].map(([command, chord]) => [command, shownKey(chord, MAC)]),
    );
  }

  #when = (expression: string | undefined): boolean =>
    expression === undefined || this.core.when(expression, this.#context());

  #context(): Record<string, Json> {
    const model = this.opening.model;
    const types = this.opening.typesOf(model.selected);
    const [type] = types;
    return {
      "model.loaded": model.facts !== null,
      "model.schema": model.facts?.schema ?? "",
      "model.count": model.models.length,
      "selection.count": model.selected.length,
      "selection.type": types.size === 1 && type !== undefined ? type : "",
      "viewer.open": model.facts !== null,
      desktop: true,
      embed: false,
    };
  }

  list(): InstalledView[] {
    const keys = this.#keys();
    const names = namesOf(this.of.all.values());
    return [...this.of.all.values()].map((live) => {
      const { id, manifest } = live;
      const shown = new Set([
        ...(manifest.contributes?.toolbar ?? []).map((one) => one.command),
        ...(manifest.contributes?.dock ?? []).flatMap((one) => (one.data ? [one.data] : [])),
      ]);
      return {
        record: live.record,
        name: names.get(id) ?? manifest.name,
        stored: live.stored,
        permissions: live.check.capabilities,
        answer: this.of.answers.get(id) ?? null,
        commands: (manifest.contributes?.commands ?? [])
          .filter((one) => !shown.has(one.id))
          .map((one) => ({
            id: one.id,
            title: one.title,
            keys: keys.get(commandKey({ extension: id, command: one.id })) ?? "",
          })),
        offers: [
          ...(manifest.contributes?.lenses ?? []).map(({ id, name }) => offer("lens", id, name)),
          ...(manifest.contributes?.exporters ?? []).map(({ id, name }) =>
            offer("exporter", id, name),
          ),
          ...(manifest.contributes?.idsValidators ?? []).map(({ id, name }) =>
            offer("idsValidator", id, name),
          ),
        ],
        verdicts: this.of.verdicts.get(id) ?? null,
        asked: this.asked.of(id),
        docks: (manifest.contributes?.dock ?? []).map((one) => ({
          id: `${id} ${one.id}`,
          title: one.title,
        })),
      };
    });
  }
}
