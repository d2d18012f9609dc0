//! `localeCompare` as the root of all languages orders texts (Unicode UTS #35 part 5): letters before case and accents.
//!
//! The engine compares code units. Invariant: no tables beside those of this file; letters of other scripts come in the
//! order of their code points.

use std::cmp::Ordering;

use boa_engine::{Context, JsResult, JsString, JsValue, object::builtins::JsFunction};

use super::around;
use crate::host::Host;

/// What is no letter, in order. Behind `\u{1}` stands another form of the sign before, behind `\u{2}` another accent of
/// it.
const SIGNS: &str = "\t\n\u{b}\u{c}\r\u{85}\u{2028}\u{2029} \u{1}\u{2003}\u{1}\u{a0}\u{1}\u{202f}_-‐\u{1}\u{2011}–—,;:!¡?¿.…·'\u{2}‘\u{2}’\u{2}‚‹›\
\"\u{2}“\u{2}”\u{2}„«»()[]{}§¶@*/\\&#%‰†‡•′″`´^¯¨¸°©®+±÷×<=>¬|¦~−⁄≈≤≥¤¢$£¥€0123456789";

/// Accents in order; others come behind, by their code points.
const ACCENTS: &str =
    "\u{301}\u{300}\u{306}\u{302}\u{30c}\u{30a}\u{308}\u{30b}\u{303}\u{307}\u{338}\u{327}\u{328}\u{304}";

/// Letters that count as others: with an accent of their own behind the first.
const LETTERS: &[(char, &str)] = &[
    ('æ', "ae"),
    ('ø', "o"),
    ('đ', "d"),
    ('ð', "d"),
    ('ħ', "h"),
    ('ł', "l"),
    ('œ', "oe"),
    ('ß', "ss"),
    ('ſ', "s"),
    ('ª', "a"),
    ('º', "o"),
    ('¹', "1"),
    ('²', "2"),
    ('³', "3"),
    ('½', "1⁄2"),
    ('¼', "1⁄4"),
    ('¾', "3⁄4"),
];

/// Letters that stand behind others.
const BEHIND: &[(char, char)] = &[('ı', 'i'), ('ŋ', 'n'), ('ĸ', 'q'), ('ŧ', 't')];

const FIRST_SYMBOL: u32 = 0x1000;
const FIRST_CURRENCY: u32 = 0x18_0000;
const FIRST_DIGIT: u32 = 0x20_0000;
const FIRST_LETTER: u32 = 0x40_0000;
const PLAIN: u32 = 1;
const OWN_ACCENT: u32 = 90;

/// Puts the function of this module before the engine's own.
pub(super) fn replace(context: &Context) {
    let prototype = context.intrinsics().constructors().string().prototype();
    let Some(normalize) = around::method(&prototype, "normalize") else { return };
    around::replace_with(&prototype, "localeCompare", locale_compare, normalize, context);
}

fn locale_compare(
    this: &JsValue,
    args: &[JsValue],
    normalize: &JsFunction,
    context: &mut Context,
) -> JsResult<JsValue> {
    this.require_object_coercible()?;
    let mut weights = |value: &JsValue| -> JsResult<Weights> {
        let text = value.to_string(context)?;
        Host::of(context).meter.look(text.len() as u64)?;
        if text.iter().all(|unit| unit < 0x80) {
            return Ok(Weights::of(&text));
        }
        let parts = normalize.call(&text.into(), &[JsString::from("NFD").into()], context)?;
        Ok(Weights::of(&parts.to_string(context)?))
    };
    let (own, other) = (weights(this)?, weights(&args.first().cloned().unwrap_or_default())?);
    Ok(JsValue::from(match own.cmp(&other) {
        Ordering::Less => -1,
        Ordering::Equal => 0,
        Ordering::Greater => 1,
    }))
}

/// What a text is compared by: what it says, then its accents, then its forms.
#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Weights {
    said: Vec<u32>,
    accents: Vec<u32>,
    forms: Vec<u32>,
}

impl Weights {
    fn of(text: &JsString) -> Self {
        let mut weights = Self::default();
        for c in text.to_std_string_lossy().chars() {
            weights.add(c, PLAIN);
        }
        weights
    }

    fn add(&mut self, c: char, form: u32) {
        let lower = c.to_lowercase().next().unwrap_or(c);
        let form = form + u32::from(lower != c);
        if c.is_ascii_alphabetic() {
            return self.push(place(lower), PLAIN, form);
        }
        if matches!(c, '\u{300}'..='\u{36f}') {
            let place = ACCENTS.chars().position(|own| own == c);
            return self.accents.push(place.map_or(c as u32, |place| place as u32 + 2));
        }
        if let Some((_, letters)) = LETTERS.iter().find(|(own, _)| *own == lower) {
            for (index, letter) in letters.chars().enumerate() {
                self.add(letter, form + 2);
                if index == 0 && letter.is_ascii_alphabetic() && !matches!(c, 'ª' | 'º') {
                    self.accents.push(OWN_ACCENT);
                }
            }
            return;
        }
        if let Some((said, accent, own)) = sign_of_order(c) {
            return self.push(said, accent, form + own - PLAIN);
        }
        if c.is_whitespace() {
            return self.add(' ', form + 1);
        }
        if !is_silent(c) {
            self.push(place(lower), PLAIN, form);
        }
    }

    fn push(&mut self, said: u32, accent: u32, form: u32) {
        self.said.push(said);
        self.accents.push(accent);
        self.forms.push(form);
    }
}

/// The place of what has none in a table.
fn place(c: char) -> u32 {
    match BEHIND.iter().find(|(own, _)| *own == c) {
        Some((_, before)) => FIRST_LETTER + *before as u32 * 2 + 1,
        // What stands for half a pair of surrogates comes last.
        None if c == char::REPLACEMENT_CHARACTER => u32::MAX,
        None if is_symbol(c) => FIRST_SYMBOL + c as u32,
        None => FIRST_LETTER + c as u32 * 2,
    }
}

/// Whether a character lies in a block of punctuation, arrows, boxes or pictures.
fn is_symbol(c: char) -> bool {
    matches!(c, '\u{80}'..='\u{b4}' | '\u{b6}'..='\u{bf}' | '\u{2010}'..='\u{206f}' | '\u{20a0}'..='\u{2bff}' | '\u{3000}'..='\u{303f}' | '\u{1f000}'..='\u{1fbff}')
}

/// Whether a character says nothing.
fn is_silent(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}

/// The weights of what is no letter.
fn sign_of_order(c: char) -> Option<(u32, u32, u32)> {
    let (mut said, mut accent, mut form) = (0, PLAIN, PLAIN);
    let mut mark = None;
    for own in SIGNS.chars() {
        match (own, mark.take()) {
            ('\u{1}' | '\u{2}', _) => {
                mark = Some(own);
                continue;
            }
            (_, None) => (said, accent, form) = (said + 1, PLAIN, PLAIN),
            (_, Some('\u{1}')) => form += 1,
            _ => accent += 1,
        }
        if own == c {
            let first = match c {
                '0'..='9' => FIRST_DIGIT,
                '¤' | '¢' | '$' | '£' | '¥' | '€' => FIRST_CURRENCY,
                _ => 0,
            };
            return Some((first + said, accent, form));
        }
    }
    None
}
