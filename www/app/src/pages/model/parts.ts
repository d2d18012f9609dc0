/** What the model page is made of, before it is there. */
import type { Api, Checks, Core, ModelClient, SandboxClient, Store } from "@holdpoint/core/types";
import type { Credential } from "../../credential.js";

export interface Parts {
  core: Core;
  checks: Checks;
  api: Api;
  store: Store;
  sandbox: SandboxClient;
  /** A client for one more model. */
  client: () => ModelClient;
  credential: Credential;
}
