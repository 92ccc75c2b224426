//! The output of `carom --version`: the version, the commit, the processors, and the features of the build.

use std::env::consts::{ARCH, OS};
use std::sync::LazyLock;

/// The instruction sets on which the speed depends: the first two are x86-64-v2, all but the last x86-64-v3.
const INSTRUCTIONS: [(&str, bool); 8] = [
    ("sse4.2", cfg!(target_feature = "sse4.2")),
    ("popcnt", cfg!(target_feature = "popcnt")),
    ("avx2", cfg!(target_feature = "avx2")),
    ("bmi1", cfg!(target_feature = "bmi1")),
    ("bmi2", cfg!(target_feature = "bmi2")),
    ("fma", cfg!(target_feature = "fma")),
    ("lzcnt", cfg!(target_feature = "lzcnt")),
    ("avx512f", cfg!(target_feature = "avx512f")),
];

const FEATURES: [(&str, bool); 2] = [("serve", cfg!(feature = "serve")), ("png", cfg!(feature = "png"))];

/// The text after the name: version and commit, then what was compiled in.
pub static LONG: LazyLock<String> = LazyLock::new(|| {
    let commit = option_env!("CAROM_COMMIT").map_or_else(String::new, |commit| format!(" ({commit})"));
    format!(
        "{number}{commit}\nprocessor: {ARCH}{instructions}\nsystem: {OS}\nfeatures:{features}",
        number = env!("CARGO_PKG_VERSION"),
        instructions = compiled_in(&INSTRUCTIONS),
        features = compiled_in(&FEATURES),
    )
});

fn compiled_in(all: &[(&str, bool)]) -> String {
    all.iter().filter(|(_, is_in)| *is_in).map(|(word, _)| format!(" {word}")).collect()
}

/// What a match says of its version when it imitates `program`: scripts read the number.
pub fn imitating(program: Option<&str>) -> String {
    let own = concat!("carom ", env!("CARGO_PKG_VERSION"));
    match program {
        Some("fastchess") => format!("fastchess 1.8.2 (imitated by {own})"),
        Some(_) => format!("cutechess-cli 1.4.0 (imitated by {own})"),
        None => own.to_owned(),
    }
}
