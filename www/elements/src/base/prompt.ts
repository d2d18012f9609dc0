/**
 * The base of a field in which a person asks: its text, Enter and Shift Enter, ↑ for the last text, filling from an
 * example.
 *
 * The host keeps the draft; each change is said with `hp-draft`. What stands around the field is the element's own.
 */
import { query, state } from "lit/decorators.js";
import { HpElement } from "./element.js";

export abstract class Prompt extends HpElement {
  @state() protected text = "";
  @query("textarea") protected area!: HTMLTextAreaElement;

  /** The text that ↑ brings back into an empty field. */
  protected abstract get previous(): string;
  /** A text that is not empty; says nothing where asking is off. */
  protected abstract send(text: string): void;

  /** Puts a text into the field, for a click on an example: it fills, it does not send. */
  fill(text: string): void {
    this.text = text;
    this.emit("hp-draft", { text });
    void this.updateComplete.then(() => {
      this.area.focus();
      this.area.setSelectionRange(text.length, text.length);
    });
  }

  override focus(): void {
    this.area.focus();
  }

  protected input(): void {
    this.text = this.area.value;
    this.emit("hp-draft", { text: this.text });
  }

  protected keys(event: KeyboardEvent): void {
    if (event.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) this.submit(event);
    if (event.key === "ArrowUp" && this.text === "" && this.previous) {
      event.preventDefault();
      this.fill(this.previous);
    }
  }

  protected submit(event: Event): void {
    event.preventDefault();
    const text = this.text.trim();
    if (text) this.send(text);
  }
}
