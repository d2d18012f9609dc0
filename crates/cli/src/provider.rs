//! `holdpoint provider`: the scripted model server.

use holdpoint_provider::{Options, ServeError};

use crate::args::Provider;
use crate::exit::{Exit, Failure};

pub fn serve(provider: &Provider) -> Result<Exit, Failure> {
    let options = Options { transcripts: provider.transcripts.clone(), port: provider.port };
    match holdpoint_provider::run(options) {
        Ok(()) => Ok(Exit::Passed),
        Err(ServeError::Machine(error)) => Err(error.into()),
        Err(error) => Err(Failure::Usage(error.to_string())),
    }
}
