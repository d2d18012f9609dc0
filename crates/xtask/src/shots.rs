//! `cargo xtask shots`: a picture of every state, light and dark, wide and narrow.

use crate::Done;
use crate::process::{self, command};
use crate::{tools, wasm, web};

pub fn run() -> Done {
    tools::npm_packages()?;
    let chromium = tools::chromium()?;
    tools::chinese_font();
    wasm::build(wasm::Profile::Dev)?;
    web::build(true)?;
    process::run(command("node").args(["--import", "tsx", "tests/browser/shots.ts"]).env(tools::CHROMIUM, chromium))
}
