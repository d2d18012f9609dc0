/**
 * Handles of files that a person picked or dropped, where the browser gives them: with its handle a file can be opened
 * again on another day. Browsers without them give the files alone.
 */

/** What of the File System API is used; TypeScript does not know all of it. */
interface Handle extends FileSystemFileHandle {
  requestPermission?(asked: { mode: "read" }): Promise<PermissionState>;
}
interface Picker {
  showOpenFilePicker?(asked: object): Promise<Handle[]>;
}
interface Dropped extends DataTransferItem {
  getAsFileSystemHandle?(): Promise<FileSystemHandle | null>;
}

const known = new WeakMap<Blob, FileSystemFileHandle>();

/** The handle of a file; undefined where the browser gave none. */
export const handleOf = (file: Blob): FileSystemFileHandle | undefined => known.get(file);

async function fileOf(handle: FileSystemFileHandle): Promise<File> {
  const file = await handle.getFile();
  known.set(file, handle);
  return file;
}

/** Models that a person picks; null where the browser has no picker with handles. A picker that was left gives none. */
export async function pickedModels(): Promise<File[] | null> {
  const { showOpenFilePicker } = window as Picker;
  if (!showOpenFilePicker) return null;
  const types = [{ description: "IFC", accept: { "application/x-step": [".ifc", ".ifczip"] } }];
  const handles = await showOpenFilePicker({ multiple: true, types }).catch(() => []);
  return Promise.all(handles.map(fileOf));
}

/** Files that were dropped. The transfer is empty after the event, so handles are asked for at once. */
export async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  const items = [...transfer.items].filter(({ kind }) => kind === "file");
  const read = items.map((item: Dropped) => ({
    file: item.getAsFile(),
    handle: item.getAsFileSystemHandle?.() ?? Promise.resolve(null),
  }));
  const files = await Promise.all(
    read.map(async ({ file, handle }) => {
      const given = await handle.catch(() => null);
      if (file && given?.kind === "file") known.set(file, given as FileSystemFileHandle);
      return file;
    }),
  );
  return files.filter((file) => file !== null);
}

/** The file of a handle as it is now; null where a person does not allow it, or it is not there any more. */
export async function fileAgain(handle: Handle): Promise<File | null> {
  try {
    if ((await handle.requestPermission?.({ mode: "read" })) === "denied") return null;
    return await fileOf(handle);
  } catch {
    return null;
  }
}
