// Events of an edge in memory that go on whoever listens.

import type { ServerResponse } from "node:http";

/** Who comes back is told what came behind the last event that it had. */
export class Stream {
  readonly #frames: string[] = [];
  readonly #readers = new Set<ServerResponse>();
  #over = false;

  constructor(readonly id: string) {}

  get over(): boolean {
    return this.#over;
  }

  tell(event: string, data: unknown, isLast = false): void {
    const id = `${this.id}:${this.#frames.length + 1}`;
    this.write(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`, isLast);
  }

  /** A frame as it is. */
  write(frame: string, isLast = false): void {
    this.#frames.push(frame);
    this.#over ||= isLast;
    for (const reader of this.#readers) {
      reader.write(frame);
      if (isLast) reader.end();
    }
  }

  /** `last` is the id of the event that the reader had last. */
  serve(response: ServerResponse, last: string | string[] = ""): void {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    const had = Number(String(last).split(":")[1] ?? 0);
    response.write(`retry: 2000\n\n${this.#frames.slice(had).join("")}`);
    if (this.#over) return void response.end();
    this.#readers.add(response);
    response.on("close", () => this.#readers.delete(response));
  }

  /** Every connection breaks. */
  breaks(): void {
    for (const reader of this.#readers) reader.destroy();
  }
}

/** What a model says, as the relay streams it; it may stand still somewhere. */
export function modelSays(text: string, hold: { behind: string; until: Promise<void> } | null) {
  const stream = new Stream("");
  const write = (chunk: object, isLast = false) =>
    stream.write(`data: ${JSON.stringify(chunk)}\n\n${isLast ? "data: [DONE]\n\n" : ""}`, isLast);
  const piece = (content: string) => write({ choices: [{ index: 0, delta: { content } }] });
  const rest = (from: number) => {
    piece(text.slice(from));
    write({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
    write({ choices: [], usage: { prompt_tokens: 900, completion_tokens: 300 } }, true);
  };
  const at = hold ? text.indexOf(hold.behind) : -1;
  if (!hold || at < 0) rest(0);
  else {
    const end = at + hold.behind.length;
    piece(text.slice(0, end));
    void hold.until.then(() => rest(end));
  }
  return stream;
}
