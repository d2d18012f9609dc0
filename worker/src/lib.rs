//! The edge: routes, Account, Project and Relay objects.
