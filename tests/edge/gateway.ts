// What the routes beside the editor answer (gateway.md, ifc-extension.md), as far as tests look into it.
import type {
  Diagnostic,
  Files,
  GatewayRun,
  Indicator,
  Quote,
  Review,
  StoredExtension,
} from "@holdpoint/core/types";

export type { GatewayRun, Indicator, Quote };

/** A new key; it is shown once. */
export interface NewKey {
  key: string;
  id: string;
  display: string;
}

/** A budget as it stands, in its own unit. */
export interface Budget {
  id: string;
  limit: number;
  spent: number;
  held: number;
}

/** A line of the ledger. */
export interface LedgerRow {
  request_id: string;
  outcome: string;
  status: number;
  disconnect_policy: string;
  usage_source: string;
  input: number;
  output: number;
  output_bytes: number;
  tokens: number;
  held_tokens: number;
  key_id: string;
  excess_tokens: number;
  tag: string | null;
}

export interface List<T> {
  items: T[];
  next_cursor: string | null;
}

/** A step through the states of an extension. */
export interface ExtensionRevision {
  revision_id: string;
  cause: string;
  who: string;
  content_hash: string;
}

/** What an answer of the extensions' routes may hold; which of it, the route says. */
export type Extension = StoredExtension &
  Review & { files: Files; diagnostics: Diagnostic[] } & List<ExtensionRevision>;
