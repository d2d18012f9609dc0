/** Binary files as an app's text has them: one line that names the bytes (vite-app.md §1). */

const POINTER = /^blob sha256:[0-9a-f]{64} ([1-9]\d*)\n$/;
/** What lies there is served as it is, under its own name. */
const FOLDER = "public/";
const NAME_CHARS = 100;
const TEXT = /\.(svg|txt|md|csv|json|xml|webmanifest)$/i;

/** The bytes that a file's text stands for; null: it is text. */
export function bytesOf(text: string): number | null {
  const bytes = POINTER.exec(text)?.[1];
  return bytes === undefined ? null : Number(bytes);
}

/** Whether a file of that name is kept as its text. */
export const isText = (name: string): boolean => TEXT.test(name);

export const pointerText = (blob: string, bytes: number): string => `blob ${blob} ${bytes}\n`;

/** Where a file of that name goes: letters, digits and a few marks are kept of it. */
export function publicPath(name: string): string {
  const dot = name.lastIndexOf(".");
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  const plain = stem
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}_-]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  return `${FOLDER}${plain.slice(0, NAME_CHARS) || "file"}${ending.toLowerCase()}`;
}
