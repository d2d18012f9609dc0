//! Declarative tests: what is run, and what the outcome is worth (spec: ifc-sdk.md §5).
