//! Tells the compiler where the schema is, if it has been written before: see `src/schema.rs`.

const VARIABLE: &str = "LASTHOP_SCHEMA";

fn main() {
    println!("cargo:rerun-if-env-changed={VARIABLE}");
    println!("cargo:rustc-check-cfg=cfg(schema_at_hand)");
    if let Ok(path) = std::env::var(VARIABLE) {
        println!("cargo:rerun-if-changed={path}");
        println!("cargo:rustc-env={VARIABLE}={path}");
        println!("cargo:rustc-cfg=schema_at_hand");
    }
}
