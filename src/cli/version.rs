//! The output of `carom --version`: the version, the commit, the processors, and the features of the build.

use std::env::consts::{ARCH, OS};
use std::sync::LazyLock;

/// True when the processor that runs this has these instructions.
#[cfg(target_arch = "x86_64")]
macro_rules! has {
    ($name:tt) => {
        std::arch::is_x86_feature_detected!($name)
    };
}
#[cfg(not(target_arch = "x86_64"))]
macro_rules! has {
    ($name:tt) => {
        false
    };
}

/// The name of each set of instructions, whether the build uses it, and whether the processor has it.
macro_rules! instructions {
    ($($name:tt)*) => {
        [$(($name, cfg!(target_feature = $name), has!($name))),*]
    };
}

/// The instructions on which the speed depends: the first two are x86-64-v2, all of them x86-64-v3.
fn instructions() -> [(&'static str, bool, bool); 7] {
    instructions!("sse4.2" "popcnt" "avx2" "bmi1" "bmi2" "fma" "lzcnt")
}

const FEATURES: [(&str, bool); 2] = [("serve", cfg!(feature = "serve")), ("png", cfg!(feature = "png"))];

/// The text after the name: version and commit, then what was compiled in.
pub static LONG: LazyLock<String> = LazyLock::new(|| {
    let commit = option_env!("CAROM_COMMIT").map_or_else(String::new, |commit| format!(" ({commit})"));
    let all = instructions();
    let used = all.into_iter().filter(|(_, used, _)| *used).map(|(name, ..)| name);
    // No code gains by them, but a build for this processor names them.
    let more = cfg!(target_feature = "avx512f").then_some("avx512f");
    format!(
        "{number}{commit}\nprocessor: {ARCH}{instructions}\nsystem: {OS}\nfeatures:{features}{gain}",
        number = env!("CARGO_PKG_VERSION"),
        instructions = listed(used.chain(more)),
        features = listed(FEATURES.iter().filter(|(_, is_in)| *is_in).map(|(name, _)| *name)),
        gain = gain(&all).map_or_else(String::new, |line| format!("\n{line}")),
    )
});

fn listed<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.map(|word| format!(" {word}")).collect()
}

/// What a build for this processor could gain over this one, in one line; `None` for such a build, and for
/// one for x86-64-v3. Cargo reads the flags of the repository only there, so that a build of the packaged
/// crate is one for any processor.
fn gain(all: &[(&'static str, bool, bool)]) -> Option<String> {
    let lacking: Vec<&str> =
        all.iter().filter(|(_, used, there)| *there && !used).map(|(name, ..)| *name).collect();
    (!lacking.is_empty()).then(|| {
        format!(
            "could be faster: this processor has{}, which this build does not use; \
             RUSTFLAGS=\"-C target-cpu=native\" cargo install carom makes one that does",
            listed(lacking.into_iter())
        )
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_says_what_it_could_gain_unless_it_has_it() {
        let with = |used, there| instructions().map(|(name, ..)| (name, used, there));
        assert_eq!((gain(&with(true, true)), gain(&with(false, false))), (None, None));
        let line = gain(&with(false, true)).unwrap();
        assert!(line.starts_with("could be faster: this processor has sse4.2 popcnt avx2 bmi1"), "{line}");
        let second = instructions().map(|(name, ..)| (name, ["sse4.2", "popcnt"].contains(&name), true));
        assert!(gain(&second).unwrap().contains("this processor has avx2 bmi1 bmi2 fma lzcnt, which"));
    }
}
