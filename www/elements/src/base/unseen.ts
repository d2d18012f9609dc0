/**
 * Characters that nobody sees, or that turn the direction of what stands behind them, as signs: with them a line, a
 * path or a name that is signed could look like another one (Unicode UTS 55). Joiners that scripts and emoji need
 * stay. Pure.
 */
const unseen =
  /(?![\t\n\r])[\p{Cc}\p{Bidi_Control}\u200b\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** A stretch of a text; a sign stands for one character. */
export interface Stretch {
  text: string;
  sign: boolean;
}

const signOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

/** A text in stretches that look like what they are. */
export function stretches(text: string): Stretch[] {
  const out: Stretch[] = [];
  let at = 0;
  for (const { 0: character, index } of text.matchAll(unseen)) {
    if (index > at) out.push({ text: text.slice(at, index), sign: false });
    out.push({ text: signOf(character), sign: true });
    at = index + character.length;
  }
  if (at < text.length) out.push({ text: text.slice(at), sign: false });
  return out;
}

/** The same as one text: `a‹U+202E›b`. */
export const visible = (text: string): string =>
  text.replace(unseen, (character) => `‹${signOf(character)}›`);
