//! Metered model access: wire formats, streams, usage, prices, quotes, budgets.
