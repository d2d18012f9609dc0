//! Limits of the analysis (ifc-extension.md §1) and the bounds that keep its work small.

/// `MAX_CODE_DEPTH`: brackets that are open at once, or syntax nodes inside one another.
///
/// Natively it cannot be felt: the worst level takes 6 KB of the analysis' own 64 MiB. In WebAssembly the engine's
/// stack decides, and the module's own 1 MiB is never the first to end. Measured as levels of the costliest nestings
/// that the parser takes before it traps (``a`${ `` first, then `f(...`, `[`, `{a:[`): Chromium's main thread and node,
/// with about 1 MB as the edge has it, 850 to 1,000; a Worker of Chromium, with 500 KB, 468 to 550.
pub const MAX_CODE_DEPTH: usize = 400;

pub const MAX_CODE_NODES: usize = 200_000;

/// Groups of a pattern inside one another: fewer than the engine that runs the code reads (256), more than anybody writes.
pub(crate) const MAX_PATTERN_DEPTH: usize = 200;

/// Bytes that the parser reads behind the place where a text stops being module code: enough to say what is wrong,
/// and at most as many levels more.
pub(crate) const ROOM: usize = 32;

/// Bytes of a file that the parser may read twice: `(a = …)` is first read as parameters and then anew, and each such
/// pair of parentheses around it doubles nothing but adds its length.
pub(crate) const MAX_REREAD: usize = 524_288;

/// Links of an `else if` chain that a parser sees in one piece.
pub(crate) const CHAIN_STEP: usize = 64;

/// Nesting and chain links together, over which a chain is cut at every link.
pub(crate) const CHAIN_TOTAL: usize = 600;

/// Left-nested operators (`a + b + c`, `a.b().c()`) that a visitor sees in one piece.
pub(crate) const SPINE_STEP: usize = 64;

/// Syntax nodes inside one another, left-nested ones included, after the cuts.
pub(crate) const MAX_TREE_DEPTH: usize = 1_500;

/// Values that an expression may have before it counts as unknown.
pub(crate) const MAX_CHOICES: usize = 64;

/// Longest text that folding builds, in bytes.
pub(crate) const MAX_FOLDED_BYTES: usize = 4_096;

/// Variables that are followed one through another.
pub const MAX_FOLD_HOPS: usize = 32;

/// Folding steps a bundle; a step is a value, or so many bytes of a text.
pub(crate) const MAX_FOLD_STEPS: usize = 1_000_000;

/// Bytes of a text that cost a folding step.
pub(crate) const FOLD_STEP_BYTES: usize = 64;

/// Modules a bundle that are looked at, again and again, to find what names export: `export *` of files from one
/// another would otherwise multiply.
pub(crate) const MAX_EXPORT_STEPS: usize = 2_000_000;
