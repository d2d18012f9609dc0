//! `budget.simulate`: the law in memory, driven by commands (spec: gateway.md §11).
