/** Differences of long texts in a Web Worker; they are told in pieces, so that none holds up the page that reads it. */

import { CoreError, loadCore } from "../core.ts";
import type { TextDiff } from "../types.ts";
import type { Compared, Piece, ToCompare } from "./diffs.ts";

declare const self: {
  postMessage(message: Compared): void;
  onmessage: ((event: MessageEvent<ToCompare>) => void) | null;
};

/** Lines that are told at once. */
const PIECE_LINES = 1_000;

self.onmessage = async ({ data: { id, before, after } }: MessageEvent<ToCompare>) => {
  const core = await loadCore();
  try {
    tell(id, core.textDiff(before, after));
  } catch (error) {
    if (!(error instanceof CoreError)) throw error;
    self.postMessage({ id, is: "none" });
  }
};

function tell(id: number, { hunks, stats }: TextDiff): void {
  const heads = hunks.map(({ lines: _lines, ...head }) => head);
  self.postMessage({ id, is: "heads", heads, stats });
  let pieces: Piece[] = [];
  let room = PIECE_LINES;
  for (const [hunk, { lines }] of hunks.entries())
    for (let at = 0; at < lines.length; ) {
      const some = lines.slice(at, at + room);
      pieces.push({ hunk, lines: some });
      at += some.length;
      room -= some.length;
      if (room > 0) continue;
      self.postMessage({ id, is: "pieces", pieces });
      pieces = [];
      room = PIECE_LINES;
    }
  self.postMessage({ id, is: "pieces", pieces });
  self.postMessage({ id, is: "end" });
}
