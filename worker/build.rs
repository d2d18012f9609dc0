//! The linker's arguments of this module.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        // The edge checks scripts with the same grammar as the page (`crates/python/src/nesting.rs`).
        println!("cargo::rustc-link-arg-cdylib=-zstack-size=4194304");
    }
}
