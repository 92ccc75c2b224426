//! `carom install xboard` in a home folder of its own.
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An empty folder that goes when the test does.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("carom-install-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What is in a folder, by path.
fn contents(folder: &Path) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).into_iter().flatten().map(Result::unwrap) {
        if entry.path().is_dir() {
            all.extend(contents(&entry.path()));
        } else {
            all.insert(entry.path().display().to_string(), fs::read_to_string(entry.path()).unwrap());
        }
    }
    all
}

fn install(home: &Path, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(["install", "xboard"])
        .args(arguments)
        .env("HOME", home)
        .env("DESTDIR", home)
        .env_remove("XDG_DATA_HOME")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn what_is_installed_goes_again_and_nothing_else_is_touched() {
    let home = Folder::new("user");
    let conf = home.path().join(".xboard/themes/conf");
    fs::create_dir_all(&conf).unwrap();
    let saved =
        "-size 49\n-firstChessProgramNames {fairymax\n\"Crafty\" -fcp crafty\n}\n-evalGraphUp false\n";
    fs::write(home.path().join(".xboardrc"), saved).unwrap();
    // Somebody else's idea of HanniBall.
    fs::write(conf.join("hanniball"), "-variant mine\n").unwrap();
    let before = contents(home.path());

    assert!(install(home.path(), &["--print"]).contains("-variant rollerball"));
    assert_eq!(contents(home.path()), before);

    let told = install(home.path(), &[]);
    assert!(told.contains("hanniball is not Carom's and stays as it is"), "{told}");
    let installed = contents(home.path());
    assert_eq!(installed[&conf.join("hanniball").display().to_string()], "-variant mine\n");
    let rollerball = &installed[&conf.join("rollerball").display().to_string()];
    for line in ["-variant rollerball", "-testLegality false", "-showTargetSquares true"] {
        assert!(rollerball.lines().any(|own| own == line), "{line}: {rollerball}");
    }
    let pieces = rollerball.lines().find_map(|line| line.strip_prefix("-pid ")).unwrap().trim_matches('"');
    assert!(fs::read_dir(pieces).unwrap().count() >= 8, "{pieces}");
    let list = &installed[&home.path().join(".xboardrc").display().to_string()];
    assert!(list.contains("\"Crafty\" -fcp crafty\n# Carom "), "{list}");
    assert!(
        list.contains("\"Carom hanniball\" -fcp ") && list.ends_with("}\n-evalGraphUp false\n"),
        "{list}"
    );

    // Once more changes nothing.
    install(home.path(), &[]);
    assert_eq!(contents(home.path()), installed);

    install(home.path(), &["--uninstall"]);
    assert_eq!(contents(home.path()), before);
}

#[test]
fn for_all_users_xboard_finds_plug_ins_and_settings() {
    let root = Folder::new("system");
    install(root.path(), &["--system"]);
    let installed = contents(root.path());
    let plugin = root.path().join("usr/local/share/games/plugins/xboard/carom-hanniball.eng");
    let plugin = &installed[&plugin.display().to_string()];
    let [head, command, kind, _] = plugin.lines().collect::<Vec<_>>()[..] else { panic!("{plugin}") };
    assert_eq!((head, kind), ("plugin spec 0.0", "fairychess"));
    assert!(command.starts_with("cd /") && command.contains(" -variant hanniball "), "{command}");
    assert!(command.ends_with(";./carom"), "{command}");
    assert!(installed.keys().any(|path| path.ends_with("/themes/conf/hanniball")), "{:?}", installed.keys());
    install(root.path(), &["--system", "--uninstall"]);
    assert_eq!(contents(root.path()).len(), 0);
}

#[test]
fn a_home_without_settings_gets_lines_that_xboard_adds_to_its_own_list() {
    let home = Folder::new("fresh");
    install(home.path(), &[]);
    let list = fs::read_to_string(home.path().join(".xboardrc")).unwrap();
    assert!(list.lines().all(|line| line.starts_with("-installEngine {# Carom ")), "{list}");
    install(home.path(), &["--uninstall"]);
    assert_eq!(contents(home.path()).len(), 0);
}

#[test]
fn winboard_is_told_to_lack_pictures() {
    let output = Command::new(env!("CARGO_BIN_EXE_carom")).args(["install", "winboard"]).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(told.contains("bitmaps"), "{told}");
}
