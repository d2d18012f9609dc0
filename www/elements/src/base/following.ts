/**
 * Keeps the end of a log in sight while a person is there, whatever becomes higher or lower around it.
 *
 * Only a person leaves the end: by moving up. What moves because a card above or a field below took another height does
 * not count, and brings the end back into sight. Invariant: who has moved up is not moved.
 */

/** So close to the end a person who comes back down is there again. */
const NEAR_END = 80;
/** A move upward that is smaller is the rounding of the browser. */
const ROUNDING = 2;

interface Place {
  top: number;
  height: number;
  client: number;
}

const placeOf = ({ scrollTop, scrollHeight, clientHeight }: HTMLElement): Place => ({
  top: scrollTop,
  height: scrollHeight,
  client: clientHeight,
});

export class Following {
  #follow = true;
  #scroller: HTMLElement | null = null;
  #place: Place = { top: 0, height: 0, client: 0 };
  #parts: readonly Element[] = [];
  readonly #sizes = new ResizeObserver(() => this.watch(this.#parts));

  /** `log`: what is followed. */
  constructor(private readonly log: HTMLElement) {}

  /** Looks where the log scrolls, and goes to its end. `parts`: what may become higher. */
  watch(parts: readonly Element[]): void {
    this.#parts = parts;
    // What is not shown has no size: the next one says that it is shown again.
    const shown = this.log.checkVisibility();
    const scroller = shown ? scrollerOf(this.log) : this.#scroller;
    if (scroller !== this.#scroller) this.#move(scroller);
    for (const part of [this.log, ...parts, ...(scroller ? [scroller, ...scroller.children] : [])])
      this.#sizes.observe(part, { box: "border-box" });
    this.toEnd();
  }

  stop(): void {
    this.#sizes.disconnect();
    this.#move(null);
  }

  toEnd(): void {
    const at = this.#scroller;
    if (!at || !this.log.checkVisibility()) return;
    if (this.#follow) at.scrollTop = at.scrollHeight;
    this.#place = placeOf(at);
  }

  #move(scroller: HTMLElement | null): void {
    this.#scroller?.removeEventListener("scroll", this.#scrolled);
    this.#scroller = scroller;
    if (scroller) this.#place = placeOf(scroller);
    scroller?.addEventListener("scroll", this.#scrolled, { passive: true });
  }

  /** Whoever scrolls while the log is not shown scrolls something else. */
  #scrolled = (): void => {
    const at = this.#scroller;
    if (!at || !this.log.checkVisibility()) return;
    const [before, now] = [this.#place, placeOf(at)];
    this.#place = now;
    const rest = now.height - now.top - now.client;
    // Less to scroll, or more room, moves a log up by itself.
    const byItself = now.height < before.height || now.client > before.client;
    if (now.top < before.top - ROUNDING) {
      if (rest > ROUNDING && !byItself) this.#follow = false;
    } else if (now.top > before.top && rest < NEAR_END) this.#follow = true;
    if (this.#follow && rest > ROUNDING && now.height !== before.height) this.toEnd();
  };
}

/** The nearest element around that scrolls up and down, also beyond the edge of another element. */
function scrollerOf(element: HTMLElement): HTMLElement | null {
  for (let at: Node | null = element; at; at = around(at))
    if (at instanceof HTMLElement && /auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  return null;
}

const around = (node: Node): Node | null =>
  node instanceof ShadowRoot ? node.host : ((node as Element).assignedSlot ?? node.parentNode);
