//! What `src/cli/build.rs` knows of the commit where there is no git: in a packaged crate, in a copy, and when it is given.

use std::path::Path;
use std::process::Command;

/// What the script says of the commit in a folder with these files.
fn said(script: &Path, files: &[(&str, &str)], given: Option<&str>) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let mut command = Command::new(script);
    command.current_dir(&folder).env("PROFILE", "release").env("CAROM_COMMIT", given.unwrap_or_default());
    // No git in reach.
    let output = command.env("PATH", folder.path()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let told = String::from_utf8(output.stdout).unwrap();
    told.lines().find_map(|line| line.strip_prefix("cargo::rustc-env=CAROM_COMMIT=").map(str::to_owned))
}

#[test]
fn the_commit_is_known_without_git() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join(format!("build-script{}", std::env::consts::EXE_SUFFIX));
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/src/cli/build.rs");
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let compiled = Command::new(compiler).args(["--edition", "2024", "-o"]).arg(&script).arg(source).status();
    assert!(compiled.unwrap().success());
    let packaged = "\
{
  \"git\": {
    \"sha1\": \"0123456789abcdef0123456789abcdef01234567\"
  },
  \"path_in_vcs\": \"\"
}";
    let info = [(".cargo_vcs_info.json", packaged)];
    assert_eq!(said(&script, &info, None).as_deref(), Some("0123456789ab"));
    assert_eq!(said(&script, &info, Some("v1")).as_deref(), Some("v1"));
    assert_eq!(said(&script, &[], Some("v1")).as_deref(), Some("v1"));
    assert_eq!(said(&script, &[], None), None);
    for strange in ["", "{}", "\"sha1\"", "{\"git\": {\"sha1\": \"\"}}"] {
        let commit = said(&script, &[(".cargo_vcs_info.json", strange), (".git", "no repository")], None);
        assert_eq!(commit, None, "{strange}");
    }
}
