//! The linker's arguments of this module.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        // 512 MiB: what a bundle's code may take, and the interpreter beside it.
        println!("cargo::rustc-link-arg-cdylib=--max-memory=536870912");
        // A stack for the interpreter's own depth limit.
        println!("cargo::rustc-link-arg-cdylib=-zstack-size=4194304");
    }
}
