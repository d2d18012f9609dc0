//! Asking an edge, through `curl`, which has the proxies and certificates of its machine.
//!
//! Invariant: a secret is no argument, for everybody on the machine can read those.

use std::io::Write;
use std::process::{Command, Stdio};

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::exit::CommandError;

/// Seconds that an answer may take.
const MAX_SECONDS: &str = "120";

/// The error of an answer.
#[derive(Deserialize)]
struct Refusal {
    error: RefusalError,
}

#[derive(Deserialize)]
struct RefusalError {
    code: String,
    message: String,
}

/// An address of an edge, and what it is asked with.
pub struct EdgeClient {
    address: String,
    secret: String,
}

impl EdgeClient {
    /// The edge of an option `--edge`, at a path of it; the secret stands in a variable of the environment.
    pub fn of(edge: &str, path: &str, variable: &str) -> Result<Self, CommandError> {
        let is_plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"\\".contains(&byte));
        let edge = edge.trim_end_matches('/');
        if !is_plain(edge) || !["https://", "http://"].iter().any(|scheme| edge.starts_with(scheme)) {
            return Err(CommandError::Usage("Give --edge an address like https://holdpoint.example.com.".to_owned()));
        }
        let secret = std::env::var(variable).ok().filter(|secret| !secret.is_empty() && is_plain(secret));
        let secret = secret.ok_or_else(|| CommandError::Usage(format!("Put your key for {edge} into {variable}.")))?;
        Ok(Self { address: format!("{edge}{path}"), secret })
    }

    pub fn read<T: DeserializeOwned>(&self, path: &str) -> Result<T, CommandError> {
        serde_json::from_slice(&self.get(path)?).map_err(|_| self.strange())
    }

    /// The bytes of an answer; a refusal in its own words.
    pub fn get(&self, path: &str) -> Result<Vec<u8>, CommandError> {
        self.ask(path, &[], b"\n200")
    }

    /// What is made by an empty request.
    pub fn make<T: DeserializeOwned>(&self, path: &str) -> Result<T, CommandError> {
        let bytes = self.ask(path, &["--request", "POST"], b"\n201")?;
        serde_json::from_slice(&bytes).map_err(|_| self.strange())
    }

    fn ask(&self, path: &str, how: &[&str], wanted: &[u8]) -> Result<Vec<u8>, CommandError> {
        let mut curl = Command::new("curl");
        curl.args(["--silent", "--show-error", "--proto", "=http,https", "--max-time", MAX_SECONDS]);
        curl.args(["--write-out", "\n%{http_code}", "--config", "-"]).args(how);
        let config = format!("url = \"{}{path}\"\nheader = \"authorization: Bearer {}\"\n", self.address, self.secret);
        let mut bytes = piped(&mut curl, config.as_bytes())?;
        let end = bytes.iter().rposition(|byte| *byte == b'\n').ok_or_else(|| self.strange())?;
        let status = bytes.split_off(end);
        if status == wanted {
            return Ok(bytes);
        }
        let refusal: Refusal = serde_json::from_slice(&bytes).map_err(|_| self.strange())?;
        let RefusalError { code, message } = refusal.error;
        Err(CommandError::Usage(format!("{message} ({code})")))
    }

    fn strange(&self) -> CommandError {
        CommandError::Usage(format!("{} does not answer as Holdpoint does. Look at --edge.", self.address))
    }
}

/// What a program answers to its input; what it complains of is the error.
pub fn piped(program: &mut Command, input: &[u8]) -> Result<Vec<u8>, CommandError> {
    let name = program.get_program().to_string_lossy().into_owned();
    let spawned = program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = spawned.map_err(|error| CommandError::Usage(format!("`{name}` cannot be started: {error}.")))?;
    let mut stdin = child.stdin.take();
    let output = std::thread::scope(|scope| {
        // One that does not read to the end says why itself.
        scope.spawn(move || stdin.take().map(|mut stdin| stdin.write_all(input)));
        child.wait_with_output()
    })?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    Err(CommandError::Usage(String::from_utf8_lossy(&output.stderr).trim().to_owned()))
}
