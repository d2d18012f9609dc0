//! SQLite behind a small trait: ledger, keys, revisions, install records.
