/**
 * Keeps every control of the bar inside the window: a name is cut first, then words go, then what the account menu has
 * too. Which steps are taken is in `data-tight` of the bar; what they hide is in `bar.styles.ts`.
 */

/** The steps in their order, each with the pixels that a name keeps before it is taken. */
const STEPS = [
  { hides: "answers", keeps: 240 },
  { hides: "words", keeps: 200 },
  { hides: "personal", keeps: 140 },
  { hides: "left", keeps: 100 },
  { hides: "pages", keeps: 64 },
  { hides: "budget", keeps: 64 },
  { hides: "mark", keeps: 40 },
  { hides: "brand", keeps: 40 },
] as const;

/** The parts that what is inside them could run out of. */
const PARTS = ".doc, .mg, .end";

export class BarFit {
  #top: HTMLElement | null = null;
  #due = 0;
  readonly #sizes = new ResizeObserver(() => {
    cancelAnimationFrame(this.#due);
    this.#due = requestAnimationFrame(() => {
      if (this.#top) fit(this.#top);
    });
  });

  /** After each drawing: the parts of the bar come and go. */
  follow(top: HTMLElement | null): void {
    this.#top = top;
    for (const part of top ? [top, ...partsOf(top)] : []) this.#sizes.observe(part);
  }

  end(): void {
    cancelAnimationFrame(this.#due);
    this.#sizes.disconnect();
  }
}

const partsOf = (top: HTMLElement): HTMLElement[] => [...top.querySelectorAll<HTMLElement>(PARTS)];

function fit(top: HTMLElement): void {
  const taken: string[] = [];
  top.dataset.tight = "";
  for (const { hides, keeps } of STEPS) {
    if (fits(top, keeps)) return;
    taken.push(hides);
    top.dataset.tight = taken.join(" ");
  }
}

/** Whether nothing runs out of its part, and each name has its width, or so many pixels of it. */
function fits(top: HTMLElement, keeps: number): boolean {
  const whole = [top, ...partsOf(top)].every((one) => one.scrollWidth <= one.clientWidth);
  const names = [...top.querySelectorAll<HTMLElement>(".doc .trunc, .mg .trunc")];
  return whole && names.every((one) => one.clientWidth >= Math.min(one.scrollWidth, keeps));
}
