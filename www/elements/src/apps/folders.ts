/** Paths of files as the lines of a tree: folders first, then files, each by name. Pure. */

export interface TreeLine {
  /** The whole path; of a folder without its last slash. */
  path: string;
  name: string;
  depth: number;
  folder: boolean;
  open: boolean;
}

interface Folder {
  folders: Map<string, Folder>;
  files: string[];
}

/** The lines that are in sight. Where something is searched, all folders of what is found are open. */
export function linesOf(
  paths: readonly string[],
  closed: ReadonlySet<string>,
  search = "",
): TreeLine[] {
  const wanted = search.trim().toLowerCase();
  const root: Folder = { folders: new Map(), files: [] };
  for (const path of paths) {
    if (wanted && !path.toLowerCase().includes(wanted)) continue;
    const names = path.split("/");
    const name = names.pop() ?? path;
    let at = root;
    for (const folder of names) {
      const next = at.folders.get(folder) ?? { folders: new Map(), files: [] };
      at.folders.set(folder, next);
      at = next;
    }
    at.files.push(name);
  }
  return below(root, "", 0, wanted ? new Set() : closed);
}

function below(at: Folder, above: string, depth: number, closed: ReadonlySet<string>): TreeLine[] {
  const folders = [...at.folders].sort(([a], [b]) => compare(a, b));
  const files = [...at.files].sort(compare);
  return [
    ...folders.flatMap(([name, folder]) => {
      const path = above + name;
      const open = !closed.has(path);
      const line: TreeLine = { path, name, depth, folder: true, open };
      return [line, ...(open ? below(folder, `${path}/`, depth + 1, closed) : [])];
    }),
    ...files.map((name) => ({ path: above + name, name, depth, folder: false, open: false })),
  ];
}

/** As people sort names: without regard to case, then by it. */
function compare(a: string, b: string): number {
  const [low, other] = [a.toLowerCase(), b.toLowerCase()];
  if (low !== other) return low < other ? -1 : 1;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
