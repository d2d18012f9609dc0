/**
 * The value of a field that says its text when it is left: a redraw in between keeps what somebody is typing.
 *
 * Otherwise as Lit's `live`. Fields that say every key stroke do not need it. The ends are heard
 * before the field's own handlers, so what those write is drawn.
 */
import { noChange } from "lit";
import {
  Directive,
  type DirectiveParameters,
  directive,
  type PartInfo,
  PartType,
  type PropertyPart,
} from "lit/directive.js";
import { setCommittedValue } from "lit/directive-helpers.js";

class Entry extends Directive {
  #heard: HTMLInputElement | null = null;
  #typing = false;

  constructor(part: PartInfo) {
    super(part);
    if (part.type !== PartType.PROPERTY)
      throw new Error("An entry stands at the property `value`.");
  }

  override render(value: string): unknown {
    return value;
  }

  override update(part: PropertyPart, [value]: DirectiveParameters<this>): unknown {
    const field = part.element as HTMLInputElement;
    this.#hear(field);
    if (this.#typing || field.value === value) return noChange;
    setCommittedValue(part);
    return value;
  }

  #hear(field: HTMLInputElement): void {
    if (this.#heard === field) return;
    this.#heard = field;
    field.addEventListener("input", () => {
      this.#typing = true;
    });
    for (const end of ["change", "blur"])
      field.addEventListener(
        end,
        () => {
          this.#typing = false;
        },
        { capture: true },
      );
  }
}

export const entry = directive(Entry);
