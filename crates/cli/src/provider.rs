//! `holdpoint provider`: the scripted model server.

use holdpoint_provider::{ServeError, ServerOptions};

use crate::args::Provider;
use crate::exit::{CommandError, Exit};

pub fn serve(provider: &Provider) -> Result<Exit, CommandError> {
    let options = ServerOptions { transcripts: provider.transcripts.clone(), port: provider.port };
    match holdpoint_provider::run(options) {
        Ok(()) => Ok(Exit::Passed),
        Err(ServeError::Machine(error)) => Err(error.into()),
        Err(error) => Err(CommandError::Usage(error.to_string())),
    }
}
