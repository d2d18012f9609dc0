//! The kinds: policy, schemas, rules and tests of each, one folder a kind.
