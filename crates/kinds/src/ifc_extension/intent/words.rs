//! The words of the rules, as patterns over normalised English text (spec: authoring.md §2).
//!
//! Owns what counts as an artefact, a verb, a definite word. Invariant: patterns are linear-time; whether a found
//! artefact really is one (and no model part, place or verb) is decided here and nowhere else.

use std::sync::LazyLock;

use regex::Regex;

/// Things that an extension contributes, as people call them.
const ARTEFACT: &str = "(?:panels?|(?:toolbar )?buttons?|tools?|extensions?|add-?ons?|plug-?ins?|commands?|shortcuts?\
    |hot-?keys?|key-?bindings?|lens(?:es)?|export(?:er)?s?|reports?|dashboards?|widgets?|validators?|checkers?\
    |menu items?)";

/// What a script or an answer is promoted to.
const PROMOTED: &str = "(?:tools?|buttons?|panels?|extensions?|add-?ons?|plug-?ins?|commands?|shortcuts?|dashboards?)";

const DEFINITE: &str = "(?:the|my|this|that|our|existing)";

const CHANGE: &str =
    "(?:change|edit|modify|update|tweak|adjust|extend|improve|fix|rename|rework|customi[sz]e|redesign)";

const CREATE: &str = "(?:add|create|build|make|give me|generate|design|develop|write|set up|i want|i need\
    |i would like|i'd like)";

/// A word inside one clause.
const WORD: &str = "[^\\s.,;!?]+ ";

/// An attribute behind an artefact makes it a part of the model: "the panel heights".
const ATTRIBUTES: &[&str] = &[
    "height",
    "heights",
    "width",
    "widths",
    "thickness",
    "thicknesses",
    "area",
    "areas",
    "length",
    "lengths",
    "volume",
    "volumes",
    "size",
    "sizes",
    "dimension",
    "dimensions",
    "material",
    "materials",
    "type",
    "types",
];

/// Words before `export` or `report` that make it a verb.
const BEFORE_VERBS: &[&str] = &["to", "and", "then", "or", "please", "can", "will", "should", "must", "you", "we"];

/// Words that end a noun phrase: behind them another one begins.
const PHRASE_ENDS: &[&str] = &["a", "an", "and", "or", "that", "which", "with", "as", "then"];

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a constant pattern is valid")
}

macro_rules! patterns {
    ($($(#[$doc:meta])* $name:ident = $text:expr;)*) => {
        $($(#[$doc])* pub static $name: LazyLock<Regex> = LazyLock::new(|| pattern(&$text));)*
    };
}

patterns! {
    /// Rule 2, any one of them.
    OUT_OF_SCOPE = [
        // Paths of the machine.
        r"(?:^|[^a-z0-9_.])/(?:etc|root|var|home|usr|proc|sys)(?:/|\b)",
        r"(?:^|[^a-z0-9_])~/", r"\b[a-z]:\\", r"(?:^|\s)\\\\[a-z0-9]", r"(?:^|[^a-z0-9_])\.ssh\b",
        r"(?:^|[^a-z0-9_])\.env\b", r"\bid_rsa\b",
        // Shells, packages, repositories.
        r"\b(?:run|execute|open|start|launch)(?: me)?(?: (?:a|an|the|my|some|new|this|that|your|in|system|root|admin|remote|reverse|local|interactive|linux|unix|windows|elevated))* (?:shell|bash|powershell|terminal|command[- ]line|command prompt)\b",
        r"\b(?:run|execute|start|launch)\b[^.;!?]{0,60}\b(?:in|with|via|using|through|from|on) (?:a |an |the |my |your )?(?:shell|bash|powershell|terminal|command[- ]line|command prompt)\b",
        r"\b(?:npm|pnpm|pip|pip3|cargo) (?:install|i)\b", r"\bgit (?:push|commit|reset|clone|pull)\b", r"\bsudo\b",
        r"\brm -(?:rf|fr|r|f)\b",
        // Secrets.
        r"\b(?:show|print|send|list|give|tell|reveal|display|read|get|dump|leak|output|post|upload|copy|what(?:'s| is| are))\b[^.;!?]{0,80}\b(?:keys|(?:api|access|secret|private|ssh|auth|encryption|session|bearer|proxy|provider|signing)[- ]?key|tokens?|passwords?|passphrases?|cookies?|credentials?)\b",
        // Words to the assistant itself.
        r"\b(?:ignore|disregard|forget) (?:(?:all|any|every|the|your|my|of) )*(?:previous|prior|above|earlier|preceding) (?:instructions?|prompts?|rules|messages?|directions?)\b",
        r"\bsystem prompts?\b",
        r"\b(?:bypass|disable|circumvent|turn off|switch off|get around|break out of|escape)(?: [a-z']+){0,3} (?:sandbox|review|approval)s?\b",
        // Not about buildings.
        r"\b(?:weather|poems?|jokes?|horoscopes?|lottery)\b",
    ].join("|");
    /// Building words that hold a word of rule 2.
    BUILDING_WEATHER = r"\bweather(?:[- ]?(?:strip|proof|resist|tight|board|seal|barrier|cover|class)\w*)";
    /// Rule 3.
    ONCE = [
        r"\b(?:just|only)\b[^.;!?]{0,60}\bonce\b",
        r"\b(?:run|do|execute) (?:it|this|that|them|these) (?:just |only )?(?:once|one time)\b",
        r"\bone-off\b", r"\b(?:just )?this one time\b", r"\bno need to make an?\b",
    ].join("|");
    /// What a negation takes with it.
    NEGATED = r"\b(?:don't|dont|do not|never|without|no need to)\b[^.,;!?]*";
    /// A negation that is none.
    NOT_FORGET = r"\b(?:don't|dont|do not|never) forget (?:to )?";
    /// A verb of change, or one that adds or removes (rule 4).
    CHANGES = format!(r"\b(?:{CHANGE}|add|remove|drop)\b");
    /// Rule 5: the artefact is group 1.
    CHANGE_ARTEFACT = format!(r"\b{CHANGE} {DEFINITE} (?:{WORD}){{0,4}}?({ARTEFACT})\b");
    /// Rule 5: from where the target may begin, group 1 is the definite word.
    CHANGE_PART = r"\b(?:add|remove|drop)\b";
    /// The place of a part: definite word, up to four words, artefact in group 1.
    PART_PLACE = format!(r"\b(?:to|in|into|from) {DEFINITE} ((?:{WORD}){{0,4}}?)({ARTEFACT})\b");
    /// Rule 5: asked by its own word.
    FORK_WORD = r"\bfork \S";
    /// Rule 6.
    PROMOTE = [
        format!(r"\b(?:save|keep|store)\b[^.;!?]{{0,80}}\bas (?:a |an |my |our |the )?(?:{WORD}){{0,3}}?{PROMOTED}\b"),
        format!(r"\b(?:turn|make|convert) (?:this|it|that|my script|the script|this script|that script)(?: \w+)? into (?:a |an |my )?(?:{WORD}){{0,3}}?{PROMOTED}\b"),
        format!(r"\bmake (?:this|it|that|my script|the script|this script) (?:a|an|my) (?:{WORD}){{0,3}}?{PROMOTED}\b"),
        r"\b(?:turn|make|keep) (?:this|it|that|these|my script|the script)\b[^.;!?]{0,30}\b(?:reusable|permanent)\b".to_owned(),
        format!(r"\bpromote\b[^.;!?]{{0,80}}\bto (?:a|an|my) (?:{WORD}){{0,3}}?{PROMOTED}\b"),
    ].join("|");
    /// Rule 7, the verb: the artefact follows within six words.
    CREATE_VERB = format!(r"\b{CREATE} ");
    /// Up to six words and an artefact (group 1), right behind a verb.
    CREATED = format!(r"^(?:{WORD}){{0,6}}?({ARTEFACT})\b");
    /// Rule 8.
    PERSIST = r"\b(?:every time|whenever|each time|automatically when)\b";
    /// A wish that a negation takes back: "i don't want a tool".
    WANTED = format!(r"\b(?:want|need|like) (?:{WORD}){{0,6}}?({ARTEFACT})\b");
    /// At the plan: the tool as a whole is not wanted.
    WHOLE_TOOL = format!(r"\b(?:make|create|build|save|keep|want|need|write)\b[^.,;!?]*\b{ARTEFACT}\b|\b(?:tools?|extensions?|add-?ons?|plug-?ins?)\b");
    /// At the plan: stop.
    CANCEL = r"^(?:no[, ]+|please |ok[, ]+)*(?:cancel|stop|abort|never ?mind|forget (?:it|about it))(?: (?:it|this|that|please|the plan|the run|now|everything|all of it))*[ .!]*$|\bnever ?mind\b";
}

/// Whether an artefact found at `start..end` is one: no part of the model, and no verb.
pub fn is_artefact(text: &str, start: usize, end: usize) -> bool {
    let word = &text[start..end];
    let before = text[..start].trim_end().rsplit([' ', ',', '.', ';', '!', '?']).next().unwrap_or("");
    let after = text[end..].trim_start_matches([' ', '-']);
    let next: String = after.chars().take_while(|c| c.is_alphanumeric()).collect();
    let touches = text[end..].starts_with([' ', '-']);
    if touches && (ATTRIBUTES.contains(&next.as_str()) || (next == "palette" && word.starts_with("command"))) {
        return false;
    }
    let may_be_verb = matches!(word, "export" | "report" | "exports" | "reports");
    !(may_be_verb && text[..start].ends_with(' ') && BEFORE_VERBS.contains(&before))
}

/// Rule 5, first half: a change of something that exists.
pub fn changes_artefact(text: &str) -> bool {
    each(&CHANGE_ARTEFACT, text, |found| {
        let artefact = found.get(1).expect("the group always takes part");
        is_artefact(text, artefact.start(), artefact.end())
    })
}

/// Rule 5, second half: a part is added to, or removed from, something that exists.
pub fn changes_part(text: &str) -> bool {
    let Some(verb) = CHANGE_PART.find(text) else { return false };
    let rest = &text[verb.end()..];
    let clause = &rest[..rest.find(['.', ';', '!', '?']).unwrap_or(rest.len())];
    each(&PART_PLACE, clause, |found| {
        let (gap, artefact) = (&found[1], found.get(2).expect("the group always takes part"));
        !gap.split(' ').any(|word| PHRASE_ENDS.contains(&word)) && is_artefact(clause, artefact.start(), artefact.end())
    })
}

/// Rule 7: something new.
pub fn creates(text: &str) -> bool {
    CREATE_VERB.find_iter(text).any(|verb| {
        let mut rest = verb.end();
        // The first artefact may be a model part; a later one within reach still counts.
        loop {
            let tail = &text[rest..];
            let Some(found) = CREATED.captures(tail) else { return false };
            let artefact = found.get(1).expect("the group always takes part");
            let (start, end) = (rest + artefact.start(), rest + artefact.end());
            let reach = text[verb.end()..start].split(' ').count() <= 7;
            if !reach {
                return false;
            }
            if is_artefact(text, start, end) {
                return true;
            }
            match text[end..].find(' ') {
                Some(space) => rest = end + space + 1,
                None => return false,
            }
        }
    })
}

fn each(pattern: &Regex, text: &str, mut holds: impl FnMut(&regex::Captures<'_>) -> bool) -> bool {
    let mut at = 0;
    while let Some(found) = pattern.captures_at(text, at) {
        if holds(&found) {
            return true;
        }
        // Overlapping finds count, so go on behind the first character only.
        let start = found.get(0).expect("group 0 is the whole").start();
        at = start + text[start..].chars().next().map_or(1, char::len_utf8);
    }
    false
}
