/** What one run may take. Whoever runs a script reads them in the page; a test may hand in smaller ones. */

export interface RunLimits {
  /** From the call of the entry point to its end. */
  wallMs: number;
  /** Of the interpreter, with everything that a script holds. */
  memoryBytes: number;
  /** What is printed, as UTF-8. */
  printBytes: number;
  /** Rows of a table that are handed on; how many there were is said. */
  tableRows: number;
  /** Characters of one text that is handed on. */
  textChars: number;
  /** One picture. */
  pictureBytes: number;
  /** All files and pictures together. */
  fileBytes: number;
  /** Texts, tables, pictures and files. */
  outputs: number;
  /** All files that a person hands in. */
  inputBytes: number;
}

const MB = 1_000_000;

export const RUN_LIMITS: RunLimits = {
  wallMs: 60_000,
  memoryBytes: 512 * MB,
  printBytes: MB,
  tableRows: 1_000,
  textChars: 200_000,
  pictureBytes: 4 * MB,
  fileBytes: 32 * MB,
  outputs: 64,
  inputBytes: 32 * MB,
};

/** So long the page may be out of sight before the interpreter that waits for the next run is ended. */
export const SPARE_HIDDEN_MS = 60_000;

/** The interpreter itself has started when this has passed, or it is taken for dead. */
export const START_MS = 120_000;
