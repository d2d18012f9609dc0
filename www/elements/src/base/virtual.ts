/**
 * Only the rows in sight are drawn: a window over a list of equally high rows.
 *
 * Owns the arithmetic and the listening; the element draws `from`…`to` between two spacers. The height of a row is
 * measured from a drawn one, so density and coarse pointers need no table of sizes here.
 */
import type { ReactiveController, ReactiveControllerHost } from "lit";

/** Rows that are drawn beyond each edge, so that a scroll shows no gap. */
const OVERSCAN = 12;
const FIRST_GUESS = 32;

export class VirtualRows implements ReactiveController {
  private scroller: HTMLElement | null = null;
  private observer: ResizeObserver | null = null;
  private row = FIRST_GUESS;
  private top = 0;
  private height = 600;

  constructor(
    private readonly host: ReactiveControllerHost & HTMLElement,
    private readonly find: () => HTMLElement | null,
  ) {
    host.addController(this);
  }

  hostUpdated(): void {
    const scroller = this.find();
    if (scroller !== this.scroller) {
      this.hostDisconnected();
      this.scroller = scroller;
      scroller?.addEventListener("scroll", this.#look, { passive: true });
      if (scroller) {
        // Rows are drawn anew in the same nodes: an anchor on one of them would carry the list to its end.
        scroller.style.setProperty("overflow-anchor", "none");
        this.observer = new ResizeObserver(() => this.#look());
        this.observer.observe(scroller);
      }
    }
    const drawn = scroller?.querySelector<HTMLElement>("[data-row]")?.offsetHeight ?? 0;
    if (drawn > 0 && drawn !== this.row) {
      this.row = drawn;
      this.host.requestUpdate();
    }
  }

  hostDisconnected(): void {
    this.scroller?.removeEventListener("scroll", this.#look);
    this.observer?.disconnect();
    this.observer = null;
    this.scroller = null;
  }

  #look = (): void => {
    const { scrollTop, clientHeight } = this.scroller ?? { scrollTop: 0, clientHeight: 600 };
    const step = Math.floor(scrollTop / this.row) !== Math.floor(this.top / this.row);
    if (!step && clientHeight === this.height) return;
    this.top = scrollTop;
    this.height = clientHeight;
    this.host.requestUpdate();
  };

  /** The rows to draw of `count`, and the height above and below them in px. */
  window(count: number): { from: number; to: number; above: number; below: number } {
    const from = Math.max(0, Math.min(count, Math.floor(this.top / this.row) - OVERSCAN));
    const to = Math.min(count, Math.ceil((this.top + this.height) / this.row) + OVERSCAN);
    return { from, to, above: from * this.row, below: Math.max(0, (count - to) * this.row) };
  }

  /** Whether row `i` stands in sight below `offset` px of sticky heads. */
  shows(i: number, offset = 0): boolean {
    const { scrollTop, clientHeight } = this.scroller ?? {
      scrollTop: this.top,
      clientHeight: this.height,
    };
    return i * this.row >= scrollTop && (i + 1) * this.row + offset <= scrollTop + clientHeight;
  }

  /** Scrolls so that row `i` stands in the upper half: what follows it is in sight too. */
  bring(i: number): void {
    const scroller = this.scroller;
    if (scroller) scroller.scrollTop = Math.max(0, i * this.row - scroller.clientHeight / 3);
    this.#look();
  }

  /** Scrolls so that row `i` is in sight below `offset` px of sticky heads. */
  reveal(i: number, offset = 0): void {
    const scroller = this.scroller;
    if (!scroller) return;
    const top = i * this.row;
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    else if (top + this.row + offset > scroller.scrollTop + scroller.clientHeight)
      scroller.scrollTop = top + this.row + offset - scroller.clientHeight;
    this.#look();
  }
}
