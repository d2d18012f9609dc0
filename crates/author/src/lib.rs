//! Intent, plan, prompts, replies and the authoring run, without I/O.
