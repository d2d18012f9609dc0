//! `holdpoint account create`: the first account of a deployment and its first key (spec: gateway.md §3).
//!
//! Invariant: the key is written to a file of its owner alone, and nowhere else.

use std::fs::OpenOptions;
use std::io::{self, Write};

use serde::Deserialize;

use crate::args::AccountCreateArgs;
use crate::edge::EdgeClient;
use crate::exit::{CommandError, Exit};
use crate::terminal::visible;

/// Holds the value of `FIRST_ACCOUNT_SECRET` of the deployment.
const SECRET: &str = "FIRST_ACCOUNT_SECRET";

#[derive(Deserialize)]
struct FirstAccount {
    account: String,
    key: MadeKey,
}

#[derive(Deserialize)]
struct MadeKey {
    key: String,
    display: String,
}

pub fn create(options: &AccountCreateArgs) -> Result<Exit, CommandError> {
    let AccountCreateArgs { edge, user, key } = options;
    let is_name = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._:@-".contains(&byte));
    if !is_name(user) {
        return Err(CommandError::Usage("Name --user with letters, digits, `.`, `_`, `:`, `@` or `-`.".to_owned()));
    }
    let edge = EdgeClient::of(edge, "/gateway/v1/accounts", SECRET)?;
    let shown = key.display();
    let no_file = |error: io::Error| CommandError::Usage(format!("{shown} cannot be made: {error}. Name a new file."));
    // Made first: a key that nobody can keep is not asked for.
    let mut open = OpenOptions::new();
    open.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut open, 0o600);
    let mut file = open.open(key).map_err(no_file)?;
    let made: FirstAccount = match edge.make(&format!("?user_id={user}")) {
        Ok(made) => made,
        Err(fault) => {
            drop(file);
            let _ = std::fs::remove_file(key);
            return Err(fault);
        }
    };
    writeln!(file, "{}", made.key.key)?;
    let (account, display) = (visible(&made.account), visible(&made.key.display));
    writeln!(
        io::stdout(),
        "{account} is open. Its key {display} stands in {shown}.\nSet a budget before the first call."
    )?;
    Ok(Exit::Passed)
}
