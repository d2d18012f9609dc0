/** Words in all files of the open package, with the edits on this device; and files that are given to a person. */
import type { SearchView } from "@holdpoint/elements/crew/view";
import type { Opened } from "./opened.js";
import { placed } from "./package-view.js";

const MAX_HITS = 100;
/** Of a line so much is shown around what was found, in characters. */
const AROUND = 60;

export class Search {
  #words = "";

  constructor(private readonly opened: Opened) {}

  set(words: string): void {
    this.#words = words;
  }

  clear(): void {
    this.#words = "";
  }

  view(): SearchView | null {
    const wanted = this.#words.trim().toLocaleLowerCase();
    if (wanted === "") return null;
    const { files, pack, id } = this.opened;
    const hits: SearchView["hits"][number][] = [];
    for (const path of Object.keys(files).sort()) {
      const text = files[path] ?? "";
      if (text.startsWith("base64:")) continue;
      for (const [n, line] of text.split("\n").entries()) {
        const at = line.toLocaleLowerCase().indexOf(wanted);
        if (at < 0) continue;
        if (hits.length === MAX_HITS) return { words: this.#words, hits, truncated: true };
        const { place, href } = placed(pack, id, {
          ...{ code: "", severity: "warning", message: "", path },
        });
        hits.push({ place: place || path, href: href || "", line: n + 1, text: cut(line, at) });
      }
    }
    return { words: this.#words, hits, truncated: false };
  }
}

function cut(line: string, at: number): string {
  const from = Math.max(0, at - AROUND);
  const to = Math.min(line.length, at + AROUND);
  return `${from ? "… " : ""}${line.slice(from, to).trim()}${to < line.length ? " …" : ""}`;
}

/** The browser saves a file. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
