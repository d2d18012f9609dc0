/**
 * Reads a `text/event-stream`: LF, CR or CRLF, several `data:` lines, comments and unknown fields (script-tool.md §6).
 */

export interface Frame {
  event: string;
  data: string;
}

/** Turns pieces of text into frames; a frame that is not closed by an empty line is none. */
export class FrameReader {
  #rest = "";
  #event = "";
  #data: string[] = [];

  push(piece: string): Frame[] {
    const frames: Frame[] = [];
    this.#rest += piece;
    for (;;) {
      const end = /\r\n|\n|\r(?!$)/.exec(this.#rest);
      if (!end) return frames;
      const line = this.#rest.slice(0, end.index);
      this.#rest = this.#rest.slice(end.index + end[0].length);
      const frame = this.#line(line);
      if (frame) frames.push(frame);
    }
  }

  #line(line: string): Frame | null {
    if (line === "") {
      const frame = this.#data.length
        ? { event: this.#event || "message", data: this.#data.join("\n") }
        : null;
      this.#event = "";
      this.#data = [];
      return frame;
    }
    if (line.startsWith(":")) return null;
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.#event = value;
    if (field === "data") this.#data.push(value);
    return null;
  }
}

/** Every frame of a body, in order. */
export async function* frames(body: ReadableStream<Uint8Array>): AsyncGenerator<Frame> {
  const decoder = new TextDecoder();
  const reader = new FrameReader();
  const source = body.getReader();
  try {
    for (;;) {
      const { done, value } = await source.read();
      if (done) return;
      yield* reader.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    source.releaseLock();
  }
}
