/**
 * Between a text as it is stored and the same text in an editor that counts every line break as one.
 *
 * In the editor CRLF is one unit; a lone CR stays content. Invariant: `exact(editor(text)) === text`, byte for byte,
 * also for mixed endings (text-engine.md §1, script-tool.md §5).
 */

export type Break = "\n" | "\r\n";

/** A text without its CRs, and which of its breaks differ from the dominant one. */
export interface EditorText {
  doc: string;
  dominant: Break;
  /** Offsets in `doc` of the breaks that are not the dominant one, ascending. */
  odd: number[];
}

/** Takes a stored text apart. */
export function editor(text: string): EditorText {
  const ends: { at: number; crlf: boolean }[] = [];
  let doc = "";
  let from = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    const crlf = at > from - 1 && text[at - 1] === "\r" && at - 1 >= from;
    doc += text.slice(from, crlf ? at - 1 : at);
    ends.push({ at: doc.length, crlf });
    doc += "\n";
    from = at + 1;
  }
  doc += text.slice(from);
  const windows = ends.filter((end) => end.crlf).length;
  const tie = windows * 2 === ends.length;
  const mostly = tie ? ends[0]?.crlf : windows * 2 > ends.length;
  const dominant: Break = mostly ? "\r\n" : "\n";
  return {
    doc,
    dominant,
    odd: ends.filter((end) => end.crlf !== (dominant === "\r\n")).map((end) => end.at),
  };
}

/** Puts it together again. */
export function exact({ doc, dominant, odd }: EditorText): string {
  if (dominant === "\n" && odd.length === 0) return doc;
  const other: Break = dominant === "\n" ? "\r\n" : "\n";
  const skip = new Set(odd);
  let text = "";
  let from = 0;
  for (let at = doc.indexOf("\n"); at !== -1; at = doc.indexOf("\n", at + 1)) {
    text += doc.slice(from, at) + (skip.has(at) ? other : dominant);
    from = at + 1;
  }
  return text + doc.slice(from);
}

/** Offsets of one text, both ways; made once for many questions. */
export interface Offsets {
  /** The offset in the stored text of an offset in the editor. */
  toExact(offset: number): number;
  /** The offset in the editor of an offset in the stored text; between CR and LF is before the break. */
  toEditor(offset: number): number;
}

export function offsets({ doc, dominant, odd }: EditorText): Offsets {
  const windows: number[] = [];
  if (dominant === "\n") windows.push(...odd);
  else {
    const other = new Set(odd);
    for (let at = doc.indexOf("\n"); at !== -1; at = doc.indexOf("\n", at + 1))
      if (!other.has(at)) windows.push(at);
  }
  /** The first index for which `behind` holds; it holds from there on. */
  const first = (behind: (index: number) => boolean): number => {
    let low = 0;
    let high = windows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (behind(middle)) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  const at = (index: number): number => windows[index] ?? Infinity;
  return {
    toExact: (offset) => offset + first((index) => at(index) >= offset),
    toEditor: (offset) => {
      const count = first((index) => at(index) + index + 2 > offset);
      return Math.min(offset - count, at(count));
    },
  };
}
