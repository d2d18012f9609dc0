//! The command line as people type it.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Check, test and run what people and models wrote, before anybody installs it.
///
/// Exit codes: 0 passed, 1 findings or failing tests, 2 wrong usage, 3 a fault of Holdpoint.
#[derive(Debug, Parser)]
#[command(name = "holdpoint", version, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check bundles: manifest, capabilities, widgets, references and code.
    ///
    /// Prints each finding with the source it is about. Nothing of the bundle is run.
    #[command(after_help = "Example: holdpoint check my-extension")]
    Check(CheckArgs),
    /// Run the declarative tests of bundles, each in a fresh sandbox, against the canonical fixtures.
    #[command(after_help = "Example: holdpoint test my-extension --json")]
    Test(Bundles),
    /// Describe IFC files: schema, counts, storeys, property sets, and what could not be read.
    #[command(after_help = "Example: holdpoint model tower.ifc --json")]
    Model(Models),
    /// Check IFC files against an IDS 1.0 file: what each specification asks for, and which elements do not do it.
    #[command(after_help = "Example: holdpoint ids handover.ids --model tower.ifc")]
    Ids(IdsArgs),
    /// Run one command of a checked bundle on IFC files, with its declared capabilities granted.
    #[command(after_help = "Example: holdpoint run my-extension fire.table --model tower.ifc --out exports")]
    Run(RunArgs),
    /// Pack a bundle into one file, `.hpx`: equal bundles are equal bytes on every machine.
    #[command(after_help = "Example: holdpoint pack my-extension --out my-extension.hpx --key signer.pem")]
    Pack(PackArgs),
    /// Look at a packed bundle: whether it is whole, who signed it, what it holds. With --out its files are written.
    ///
    /// Every other command takes a packed bundle where it takes a folder.
    #[command(after_help = "Example: holdpoint open my-extension.hpx --out my-extension")]
    Open(OpenArgs),
    /// Try stored extensions under another SDK: check, tests, and which entries of the changelog touch them.
    #[command(after_help = "Example: holdpoint canary --sdk 1.1.0 fixtures/extensions/* --junit")]
    Canary(CanaryArgs),
    /// Call one method: a JSON value on standard input, a JSON value on standard output.
    #[command(after_help = "Example: echo '{\"capability\": \"model.read\"}' | holdpoint call capability.parse")]
    Call(CallArgs),
    /// Run case files (*.json, *.jsonl) and say which cases fail.
    #[command(after_help = "Example: holdpoint corpus tests/corpus")]
    Corpus(Corpus),
    /// Serve a scripted model over the OpenAI and the Anthropic protocol: no key, no network, always the same answers.
    #[command(after_help = "Example: holdpoint provider --transcripts fixtures/transcripts --port 8799")]
    Provider(Provider),
    /// Open the account of a deployment that has none yet.
    #[command(subcommand)]
    Account(AccountCommand),
    /// Look at the ledger of an account.
    #[command(subcommand)]
    Ledger(LedgerCommand),
    /// Take apps out of an edge.
    #[command(subcommand)]
    App(AppCommand),
    /// Serve sandbox requests for a parent process.
    #[command(name = "__sandbox", hide = true)]
    Sandbox,
}

#[derive(Debug, Subcommand)]
pub enum AccountCommand {
    /// Open the account that a deployment names in `FIRST_ACCOUNT`, once, with `curl`; its first key goes into a file.
    ///
    /// The deployment's secret stands in `FIRST_ACCOUNT_SECRET`.
    #[command(after_help = "Example: holdpoint account create --edge https://holdpoint.example.com --key admin.key")]
    Create(AccountCreateArgs),
}

#[derive(Debug, Args)]
pub struct AccountCreateArgs {
    /// The address of the edge.
    #[arg(long, value_name = "URL")]
    pub edge: String,
    /// The user that the key stands for.
    #[arg(long, value_name = "NAME", default_value = "admin")]
    pub user: String,
    /// The file that is made for the key; only you can read it.
    #[arg(long, value_name = "FILE")]
    pub key: PathBuf,
}

#[derive(Debug, Subcommand)]
pub enum LedgerCommand {
    /// Recompute a dumped ledger: what is held from what is open, what is spent from what was charged, each request once.
    ///
    /// The dump is every page of `GET /gateway/v1/dump`, one behind the other; `-` reads standard input. Exit codes: 0 it
    /// adds up, 1 it does not, 2 it is no whole dump.
    #[command(after_help = "Example: holdpoint ledger verify ledger.jsonl")]
    Verify {
        /// The file of the dump, as `GET /gateway/v1/dump` gives it.
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
}

#[derive(Debug, Subcommand)]
pub enum AppCommand {
    /// Make a commit of a version on a new branch of your own clone, with `git` and `curl`. Nothing is pushed.
    ///
    /// Your key for the edge stands in HOLDPOINT_KEY. What is checked out stays as it is.
    #[command(
        after_help = "Example: holdpoint app export app_01J… --edge https://holdpoint.example.com --into ~/shop --branch ideas"
    )]
    Export(AppExportArgs),
}

#[derive(Debug, Args)]
pub struct AppExportArgs {
    /// The id of the app.
    pub app: String,
    /// The address of the edge.
    #[arg(long, value_name = "URL")]
    pub edge: String,
    /// The clone, or the folder in it where the app lies. Everything in it is committed.
    #[arg(long, value_name = "DIR")]
    pub into: PathBuf,
    /// The branch that is made.
    #[arg(long, value_name = "NAME")]
    pub branch: String,
    /// The version that the clone holds; without it, none.
    #[arg(long, value_name = "REVISION")]
    pub from: Option<String>,
    /// The version that is taken; the draft.
    #[arg(long, value_name = "REVISION")]
    pub to: Option<String>,
}

#[derive(Debug, Args)]
pub struct Bundles {
    /// Folders that hold a bundle each, or packed bundles (`.hpx`).
    #[arg(required = true, value_name = "DIR")]
    pub dirs: Vec<PathBuf>,
    /// The kind, where the files do not say it.
    #[arg(long)]
    pub kind: Option<String>,
    /// Print the facade's answer as JSON, one object a folder.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct CheckArgs {
    #[command(flatten)]
    pub bundles: Bundles,
    /// Tell also which paths lead through the workflows, and what is wrong on some of them.
    #[arg(long)]
    pub paths: bool,
}

#[derive(Debug, Args)]
pub struct IdsArgs {
    /// The IDS 1.0 file that says what is asked for.
    pub ids: PathBuf,
    /// IFC files, each checked by itself.
    #[arg(long = "model", required = true, num_args = 1.., value_name = "FILE")]
    pub models: Vec<PathBuf>,
    /// One JSON object a model and line instead of words.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Models {
    /// The IFC files that are looked at.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Print one JSON object a file.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct RunArgs {
    /// The folder of the bundle, or a packed bundle (`.hpx`).
    pub dir: PathBuf,
    /// The id of one of its commands.
    pub command: String,
    /// IFC files, loaded in this order.
    #[arg(long = "model", required = true, num_args = 1.., value_name = "FILE")]
    pub models: Vec<PathBuf>,
    /// The command's second parameter as JSON.
    #[arg(long, value_name = "JSON")]
    pub args: Option<String>,
    /// The folder into which exports are written.
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Grant the declared capabilities without asking.
    #[arg(long)]
    pub yes: bool,
}

#[derive(Debug, Args)]
pub struct PackArgs {
    /// The folder of the bundle.
    pub dir: PathBuf,
    /// The file to write; one that is there is replaced.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Sign with a private Ed25519 key in PEM, without a password.
    #[arg(long, value_name = "FILE")]
    pub key: Option<PathBuf>,
    /// The time that the signature says, `YYYY-MM-DDTHH:MM:SSZ`; now.
    #[arg(long, value_name = "TIME", requires = "key")]
    pub signed_at: Option<String>,
}

#[derive(Debug, Args)]
pub struct OpenArgs {
    /// The packed bundle, a file `.hpx`.
    pub file: PathBuf,
    /// The folder into which its files are written; it must be empty or not there.
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Print the facade's answer as JSON, without the files.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct CanaryArgs {
    /// Folders or packed bundles, an extension each.
    #[arg(required = true, value_name = "DIR")]
    pub dirs: Vec<PathBuf>,
    /// The SDK that they will meet.
    #[arg(long, value_name = "VERSION")]
    pub sdk: String,
    /// The SDK that they work with; the version before `--sdk` in the changelog.
    #[arg(long, value_name = "VERSION")]
    pub from: Option<String>,
    /// A changelog in place of the built-in one.
    #[arg(long, value_name = "FILE")]
    pub changes: Option<PathBuf>,
    /// Print one report as JSON, and nothing else.
    #[arg(long, conflicts_with = "junit")]
    pub json: bool,
    /// Print one report as JUnit XML, and nothing else.
    #[arg(long)]
    pub junit: bool,
}

#[derive(Debug, Args)]
pub struct CallArgs {
    /// The method; without one, the methods are listed.
    pub method: Option<String>,
    /// Read one value a line, answer one a line, in order.
    #[arg(long)]
    pub jsonl: bool,
}

#[derive(Debug, Args)]
pub struct Corpus {
    /// Case files, or folders below which they lie.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Print only ids of failing cases and the closing line.
    #[arg(long)]
    pub quiet: bool,
    /// Write every answer to a file, `{id, method, input, answer}` a line.
    #[arg(long, value_name = "FILE")]
    pub answers: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Provider {
    /// Transcript files, or folders of them.
    #[arg(long, required = true, num_args = 1.., value_name = "PATH")]
    pub transcripts: Vec<PathBuf>,
    /// The port on the loopback interface; 0 takes a free one.
    #[arg(long, default_value_t = 8799)]
    pub port: u16,
}
