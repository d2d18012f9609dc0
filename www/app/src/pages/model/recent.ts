/** Files that were opened on this device: their names and ids, and a handle where the browser gave one. */
import type { Store } from "@holdpoint/core/types";
import { handleOf } from "./file-handles.js";

const KEY = "recent files";
/** So many are kept, the newest first. */
const MOST = 8;

export interface RecentFile {
  /** 16 hex of the file's hash. */
  id: string;
  name: string;
  /** When it was opened last, in ms. */
  at: number;
  /** Without one it has to be chosen again. */
  handle?: FileSystemFileHandle;
}

export class RecentFiles {
  all: RecentFile[] = [];

  constructor(private readonly store: Store) {}

  async load(): Promise<void> {
    this.all = (await this.store.get<RecentFile[]>("settings", KEY)) ?? [];
  }

  of(id: string): RecentFile | undefined {
    return this.all.find((one) => one.id === id);
  }

  /** A file was opened; what another tab opened meanwhile stays. A handle that was there stays where none came. */
  async opened(id: string, name: string, file: Blob): Promise<void> {
    const given = handleOf(file);
    const change = (before: RecentFile[] = []): RecentFile[] => {
      const handle = given ?? before.find((one) => one.id === id)?.handle;
      const now: RecentFile = { id, name, at: Date.now(), ...(handle ? { handle } : {}) };
      return [now, ...before.filter((one) => one.id !== id)].slice(0, MOST);
    };
    const kept = await this.store
      .update<RecentFile[]>("settings", KEY, change)
      .catch(() => undefined);
    this.all = kept ?? change(this.all);
  }
}
