/**
 * No second click of a double click, and no held key, presses another action than the one that was seen.
 *
 * Many buttons make room for another one at their place: Ask for Stop, Apply for Undo, Take for Leave. Whoever clicks
 * twice means the first. For a moment after a click its place therefore answers to the same action alone: where that is
 * gone, says something else, or has moved, a pane without content covers the place, and a click that is sooner than
 * the pane is dropped. The same action may be pressed again at will.
 */

/** As long as the second click of a double click may take. */
const GUARD_MS = 500;
const ACTIONS =
  "button, a[href], summary, [role=button], [role=menuitem], [role=option], [role=tab], input[type=submit]";

interface Pressed {
  what: HTMLElement;
  says: string;
  box: DOMRect;
  x: number;
  y: number;
  at: number;
}

let pressed: Pressed | null = null;
/** Where the pointer went down, or a key that presses what has the focus. */
let held: { what: HTMLElement; says: string } | null = null;
let installed = false;

/** What a person takes an action for. */
const saysOf = (what: HTMLElement): string =>
  `${what.textContent?.trim()}|${what.getAttribute("aria-label") ?? ""}|${what.dataset.testid ?? ""}`;

/** The action that an event reaches, where it is one of our elements. */
function actionOf(event: Event): HTMLElement | null {
  const path = event.composedPath();
  const isOurs = path.some((at) => at instanceof HTMLElement && at.localName.startsWith("hp-"));
  if (!isOurs) return null;
  const found = path.find((at) => at instanceof HTMLElement && at.matches(ACTIONS));
  return (found as HTMLElement | undefined) ?? null;
}

const inside = ({ left, right, top, bottom }: DOMRect, x: number, y: number): boolean =>
  x >= left && x <= right && y >= top && y <= bottom;

const isSame = (what: HTMLElement, { what: before, says }: Pressed): boolean =>
  what === before && saysOf(what) === says;

function drop(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

function clicked(event: MouseEvent): void {
  // A click without a pointer comes from a key or from a program.
  if (event.detail === 0 || !event.isTrusted) return;
  const what = actionOf(event);
  // An action whose words changed while it was pressed is another one.
  if (what && held?.what === what && held.says !== saysOf(what)) {
    drop(event);
    return;
  }
  // When the pointer was pressed, however late a busy page hears of it.
  const at = event.timeStamp;
  const before = pressed && at - pressed.at < GUARD_MS ? pressed : null;
  if (before && inside(before.box, event.clientX, event.clientY)) {
    if (!what || !isSame(what, before)) drop(event);
    return;
  }
  if (!what) return;
  const { clientX: x, clientY: y } = event;
  pressed = { what, says: saysOf(what), box: what.getBoundingClientRect(), x, y, at };
  watch(pressed);
}

/** Looks with every frame whether the action is still at its place. */
function watch(one: Pressed): void {
  const look = () => {
    const left = GUARD_MS - (performance.now() - one.at);
    if (pressed !== one || left <= 0) return;
    const { what, x, y } = one;
    const stays =
      what.isConnected &&
      what.checkVisibility() &&
      saysOf(what) === one.says &&
      inside(what.getBoundingClientRect(), x, y);
    if (stays) requestAnimationFrame(look);
    else cover(one.box, left);
  };
  requestAnimationFrame(look);
}

function cover({ left, top, width, height }: DOMRect, ms: number): void {
  const pane = document.createElement("div");
  Object.assign(pane.style, {
    position: "fixed",
    left: `${left}px`,
    top: `${top}px`,
    width: `${width}px`,
    height: `${height}px`,
    zIndex: "2147483647",
  });
  pane.ariaHidden = "true";
  // The focus stays where it is.
  pane.addEventListener("mousedown", (event) => event.preventDefault());
  document.body.append(pane);
  const over = () => pane.remove();
  pane.animate([{ opacity: 1 }, { opacity: 1 }], ms).finished.then(over, over);
}

function lowered(event: PointerEvent): void {
  const what = actionOf(event);
  held = what && { what, says: saysOf(what) };
}

/** A key that is held presses what had the focus when it went down, and not what took its place. */
function keyed(event: KeyboardEvent): void {
  if (event.key !== "Enter" && event.key !== " ") return;
  const what = actionOf(event);
  if (!event.repeat) held = what && { what, says: saysOf(what) };
  else if (what && held && (held.what !== what || held.says !== saysOf(what))) drop(event);
}

/** Once a document; elements do it when the first of them is connected. */
export function steady(): void {
  if (installed) return;
  installed = true;
  window.addEventListener("pointerdown", lowered, { capture: true });
  window.addEventListener("click", clicked, { capture: true });
  window.addEventListener("keydown", keyed, { capture: true });
}
