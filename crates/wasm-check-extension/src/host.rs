//! What the page does for the driver, which runs in a Web Worker: tests in the sandbox, storage, sign-in.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** What the page does for a run; every promise that rejects is told to the person and never lost. */
export interface RunHost {
  /** The bearer token of this moment; undefined while signed out. */
  token(): Promise<string | undefined>;
  /** `{sdk_version?, overlay?, model_context?}` of the prompts; none of it is in the log. */
  session(): Promise<unknown>;
  /** Runs the tests of a bundle: the members of `bundle.test`'s answer. */
  test(files: Record<string, string>): Promise<{ tests: unknown[] }>;
  /** Calls the one command of a script's bundle on the open model, with `granted` and nothing else. */
  script(call: { files: Record<string, string>; command: string; granted: string[] }): Promise<{ outcome: unknown; ms: number; model: string }>;
  /** Stores the signed bundle: `Stored`, `Queued` or `Refused` without its time. */
  apply(view: unknown, confirmation: unknown): Promise<{ type: string; [member: string]: unknown }>;
  /** Keeps the log, and beside it the gateway's run; called after every event, in order. */
  save(events: unknown[], gatewayRun: string | undefined): Promise<void>;
  /** Something that is drawn has changed. */
  changed(): void;
}
"#;

#[wasm_bindgen]
extern "C" {
    /// See `RunHost` in the type declarations.
    #[wasm_bindgen(typescript_type = "RunHost")]
    pub type Host;

    #[wasm_bindgen(method, catch)]
    pub async fn token(this: &Host) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, catch)]
    pub async fn session(this: &Host) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, catch)]
    pub async fn test(this: &Host, files: JsValue) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, catch)]
    pub async fn script(this: &Host, call: JsValue) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, catch)]
    pub async fn apply(this: &Host, view: JsValue, confirmation: JsValue) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, catch)]
    pub async fn save(this: &Host, events: JsValue, gateway_run: Option<String>) -> Result<(), JsValue>;

    #[wasm_bindgen(method)]
    pub fn changed(this: &Host);
}
