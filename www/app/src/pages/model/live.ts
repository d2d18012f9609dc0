/** An extension as it is kept, and as it runs. */
import type {
  BundleCheck,
  ExtensionRecord,
  Files,
  Manifest,
  RunningExtension,
} from "@holdpoint/core/types";

export interface Kept {
  record: ExtensionRecord;
  files: Files;
  stored: boolean;
  change: string;
}
export interface Live extends Kept {
  id: string;
  manifest: Manifest;
  check: BundleCheck;
  running: RunningExtension;
  /** What its fingerprint is made of: contents and grants. */
  print: string;
}
/** What the page knows beside: who signs, what the history of an extension ends with, that something is to be sent. */
export interface Beside {
  signer(): string | null;
  newest(id: string): string | null;
  due(): void;
}
