//! `holdpoint provider`: the scripted model server.

use std::io::{self, Write};

use holdpoint_provider::{Options, serve};

use crate::args::Provider;
use crate::exit::{Exit, Fault};

pub fn run(provider: &Provider) -> Result<Exit, Fault> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let options = Options { transcripts: provider.transcripts.clone(), port: provider.port };
        let running = serve(options).await.map_err(|error| Fault::Usage(error.to_string()))?;
        writeln!(io::stdout(), "The scripted model answers at http://{}/v1", running.address)?;
        running.wait().await;
        Ok(Exit::Passed)
    })
}
