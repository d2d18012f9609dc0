//! Names that follow a rule and are in no list (Unicode Standard §4.8): Hangul syllables, ideographs by code point.

use std::ops::RangeInclusive;

const LEADING: &[&str] =
    &["G", "GG", "N", "D", "DD", "R", "M", "B", "BB", "S", "SS", "", "J", "JJ", "C", "K", "T", "P", "H"];
const VOWELS: &[&str] = &[
    "A", "AE", "YA", "YAE", "EO", "E", "YEO", "YE", "O", "WA", "WAE", "OE", "YO", "U", "WEO", "WE", "WI", "YU", "EU",
    "YI", "I",
];
const TRAILING: &[&str] = &[
    "", "G", "GG", "GS", "N", "NJ", "NH", "D", "L", "LG", "LM", "LB", "LS", "LT", "LP", "LH", "M", "B", "BS", "S",
    "SS", "NG", "J", "C", "K", "T", "P", "H",
];

/// Prefix of the names, and the code points that have one.
const BY_CODE_POINT: &[(&str, &[RangeInclusive<u32>])] = &[
    (
        "CJK UNIFIED IDEOGRAPH-",
        &[
            0x3400..=0x4DBF,
            0x4E00..=0x9FFF,
            0x20000..=0x2A6DF,
            0x2A700..=0x2B73F,
            0x2B740..=0x2B81E,
            0x2B820..=0x2CEAD,
            0x2CEB0..=0x2EBE0,
            0x2EBF0..=0x2EE5D,
            0x30000..=0x3134A,
            0x31350..=0x323AF,
            0x323B0..=0x33479,
        ],
    ),
    ("TANGUT IDEOGRAPH-", &[0x17000..=0x187FF, 0x18D00..=0x18D20]),
    ("JURCHEN CHARACTER-", &[0x18E00..=0x19191]),
    ("SMALL SEAL CHARACTER-", &[0x3D000..=0x3FC3F]),
];

pub(crate) fn is_name(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    if let Some(syllable) = name.strip_prefix("HANGUL SYLLABLE ") {
        return is_syllable(syllable);
    }
    BY_CODE_POINT.iter().any(|(prefix, ranges)| {
        let Some(digits) = name.strip_prefix(prefix) else {
            return false;
        };
        u32::from_str_radix(digits, 16).is_ok_and(|point| {
            // One way to write a number: no sign, no zero in front of four digits.
            format!("{point:04X}") == digits && ranges.iter().any(|range| range.contains(&point))
        })
    })
}

fn is_syllable(syllable: &str) -> bool {
    LEADING.iter().filter_map(|leading| syllable.strip_prefix(leading)).any(|rest| {
        VOWELS.iter().filter_map(|vowel| rest.strip_prefix(vowel)).any(|trailing| TRAILING.contains(&trailing))
    })
}

#[cfg(test)]
mod tests {
    use crate::character;

    #[test]
    fn known_and_unknown() {
        let known = [
            "SPACE",
            "check mark",
            "WARNING SIGN",
            "LATIN SMALL LETTER SHARP S",
            "BYTE ORDER MARK",
            "NBSP",
            "NULL",
            "LINE FEED",
            "HANGUL SYLLABLE GA",
            "HANGUL SYLLABLE BWELG",
            "HANGUL SYLLABLE A",
            "CJK UNIFIED IDEOGRAPH-4E00",
            "CJK UNIFIED IDEOGRAPH-2a6d6",
            "CJK COMPATIBILITY IDEOGRAPH-F900",
            "TANGUT IDEOGRAPH-17000",
            "DOMINO TILE VERTICAL-00-00",
        ];
        for name in known {
            assert!(character(name).is_some(), "{name}");
        }
        let unknown = [
            "",
            " SPACE",
            "SPAACE",
            "Å",
            "LINE FEED (LF)",
            "HANGUL SYLLABLE BLAH",
            "HANGUL SYLLABLE",
            "CJK UNIFIED IDEOGRAPH-",
            "CJK UNIFIED IDEOGRAPH-+4E0",
            "CJK UNIFIED IDEOGRAPH-04E00",
            "CJK UNIFIED IDEOGRAPH-1234",
            "CJK UNIFIED IDEOGRAPH-2A6FF",
            "Private Use",
        ];
        for name in unknown {
            assert!(character(name).is_none(), "{name}");
        }
    }
}
