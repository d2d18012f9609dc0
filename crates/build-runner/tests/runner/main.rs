//! The runner as it is started, over HTTP, with real projects and a real registry.
#![cfg(target_os = "linux")] // what a hostile project tries is spelt in system calls of Linux
#![allow(clippy::unwrap_used)] // a helper that fails fails its test

mod harm;
mod hostile;
mod routes;
mod stop;
mod support;
mod tools;
