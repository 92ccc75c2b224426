//! A disk that is full: what could not be written leaves nothing half written, and what was there as it was.
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// `carom` in `folder`, no file of which may become longer than 512 bytes, as if the disk were full.
fn on_a_full_disk(folder: &Path, words: &[&str]) -> Output {
    Command::new("sh")
        .current_dir(folder)
        .args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_carom")])
        .args(words)
        .env("HOME", folder)
        .env_remove("XDG_DATA_HOME")
        .output()
        .unwrap()
}

fn carom(folder: &Path, words: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_carom")).current_dir(folder).args(words).output().unwrap();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            all.extend(contents(&path));
        } else {
            all.insert(path.clone(), fs::read(path).unwrap());
        }
    }
    all
}

#[test]
fn nothing_half_written_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    carom(folder, &["datagen", "-g", "alapo", "-n", "2", "--nodes", "20", "-o", "alapo.samples"]);
    carom(
        folder,
        &["match", "-n", "2", "-nodes", "1", "-most-turns", "2", "-journal", "games.jsonl", "-quiet"],
    );
    let commands: [&[&str]; 3] = [
        &["show", "--svg", "board.svg"],
        &["tables", "build", "rollerball", ".", "--pieces", "2"],
        &["train", "-g", "alapo", "--epochs", "1", "-o", "alapo.network", "alapo.samples"],
    ];
    let outputs = ["board.svg", "alapo.network"];
    for there in [false, true] {
        if there {
            outputs.iter().for_each(|name| fs::write(folder.join(name), "what was there").unwrap());
        }
        let before = contents(folder);
        for words in commands {
            let output = on_a_full_disk(folder, words);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(1), "{words:?}: {said}");
            assert!(said.contains("large"), "{words:?}: {said}");
            let after = contents(folder);
            assert!(after == before, "{words:?}: {:?}", after.keys());
        }
    }
    // What is installed is whole, and is taken away again.
    let before = contents(folder);
    assert_eq!(on_a_full_disk(folder, &["install", "xboard"]).status.code(), Some(1));
    for path in contents(folder).into_keys().filter(|path| !before.contains_key(path)) {
        assert!(!path.to_str().unwrap().ends_with(".new"), "{}", path.display());
    }
    assert!(on_a_full_disk(folder, &["install", "xboard", "--uninstall"]).status.success());
    assert!(contents(folder) == before);
}
