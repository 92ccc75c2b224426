//! `carom install xboard` and `carom install winboard` in folders of their own.
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

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
            let content = String::from_utf8_lossy(&fs::read(entry.path()).unwrap()).into_owned();
            all.insert(entry.path().display().to_string(), content);
        }
    }
    all
}

#[cfg(unix)]
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

#[cfg(unix)]
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

#[cfg(unix)]
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

/// A package is made of files that stand where nothing will run.
#[cfg(unix)]
#[test]
fn a_package_names_the_program_that_it_will_have() {
    let root = Folder::new("package");
    let package = ["--system", "--prefix", "/usr", "--program", "/usr/games/carom"];
    install(root.path(), &package);
    let installed = contents(root.path());
    let plugins = root.path().join("usr/share/games/plugins");
    let read = |name: &str| installed[&plugins.join(name).display().to_string()].clone();
    // PyChess takes the second line for the program, and wants the third to begin with chess.
    let plain = read("xboard/carom.eng");
    assert_eq!(
        plain.lines().take(3).collect::<Vec<_>>(),
        ["plugin spec 0.0", "/usr/games/carom", "chess,fischerandom,fairychess"]
    );
    assert!(read("xboard/carom-hanniball.eng").contains("cd /usr/games -variant hanniball"), "{installed:?}");
    let chess = |(path, text): (&String, &String)| {
        path.ends_with(".eng") && text.lines().nth(2).is_some_and(|kinds| kinds.starts_with("chess"))
    };
    assert_eq!(installed.iter().filter(|file| chess(*file)).count(), 1);
    let logo = fs::read(plugins.join("logos/carom.png")).unwrap();
    assert_eq!((&logo[1..4], &logo[16..24]), (b"PNG".as_slice(), [0, 0, 0, 130, 0, 0, 0, 65].as_slice()));
    let built = Path::new(env!("CARGO_BIN_EXE_carom")).parent().unwrap().display().to_string();
    assert!(
        installed.iter().all(
            |(path, text)| path.starts_with(&root.path().display().to_string()) && !text.contains(&built)
        )
    );
    install(root.path(), &[package.as_slice(), &["--uninstall"]].concat());
    assert_eq!(contents(root.path()).len(), 0);
}

#[cfg(unix)]
#[test]
fn a_home_without_settings_gets_lines_that_xboard_adds_to_its_own_list() {
    let home = Folder::new("fresh");
    install(home.path(), &[]);
    let list = fs::read_to_string(home.path().join(".xboardrc")).unwrap();
    let (first, added) = list.split_once('\n').unwrap();
    assert_eq!(first, "; all of this was written by carom install");
    assert!(added.lines().all(|line| line.starts_with("-installEngine {# Carom ")), "{list}");
    install(home.path(), &["--uninstall"]);
    assert_eq!(contents(home.path()).len(), 0);
}

/// Every file, link, pipe and socket below a folder, but for empty folders, which stay.
#[cfg(unix)]
fn everything(folder: &Path) -> BTreeMap<PathBuf, String> {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt};
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let (path, kind) = (entry.path(), entry.file_type().unwrap());
        if kind.is_dir() {
            all.extend(everything(&path));
        } else if kind.is_symlink() {
            all.insert(path.clone(), format!("link to {}", fs::read_link(&path).unwrap().display()));
        } else if kind.is_file() {
            let mode = fs::metadata(&path).unwrap().permissions().mode();
            all.insert(path.clone(), format!("{mode:o} {}", fs::read(&path).unwrap().escape_ascii()));
        } else {
            all.insert(path, format!("pipe: {}", kind.is_fifo()));
        }
    }
    all
}

#[cfg(unix)]
fn try_install(home: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(["install", "xboard"])
        .args(arguments)
        .env("HOME", home)
        .env_remove("XDG_DATA_HOME")
        .output()
        .unwrap()
}

/// Whatever `.xboardrc` is, after an uninstall it is that again, byte for byte; and what is no file is
/// refused before anything is written.
#[cfg(unix)]
#[test]
fn any_settings_are_as_they_were_after_an_uninstall_and_what_is_no_file_is_refused() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    type Make = fn(&Path);
    let kept: [(&str, Make); 9] = [
        ("nothing", |_| ()),
        ("an empty file", |rc| fs::write(rc, "").unwrap()),
        ("blank lines", |rc| fs::write(rc, "\n \n").unwrap()),
        ("Latin-1", |rc| {
            fs::write(rc, b"-userName {J\xf6rg}\r\n-firstChessProgramNames {\xe9\r\n}\r\n").unwrap()
        }),
        ("zeros and no text at all", |rc| fs::write(rc, [0, 255, 10, 0, 200, 10]).unwrap()),
        ("a mode", |rc| {
            fs::write(rc, "-size 33\n").unwrap();
            fs::set_permissions(rc, fs::Permissions::from_mode(0o600)).unwrap();
        }),
        ("a dangling link", |rc| symlink("nowhere", rc).unwrap()),
        ("a link to a dangling link elsewhere", |rc| {
            let dots = rc.with_file_name("dots");
            fs::create_dir(&dots).unwrap();
            symlink("later", dots.join("rc")).unwrap();
            symlink("dots/rc", rc).unwrap();
        }),
        ("a link to a file", |rc| {
            fs::write(rc.with_file_name("mine"), "-size 33\n").unwrap();
            symlink("mine", rc).unwrap();
        }),
    ];
    for (what, make) in kept {
        let home = Folder::new("kept");
        make(&home.path().join(".xboardrc"));
        let before = everything(home.path());
        for _ in 0..2 {
            let done = try_install(home.path(), &[]);
            assert!(done.status.success(), "{what}: {}", String::from_utf8_lossy(&done.stderr));
            let list = fs::read(home.path().join(".xboardrc")).unwrap();
            let carom = list.windows(10).filter(|window| window == b"Carom hann").count();
            assert_eq!(carom, 1, "{what}");
        }
        assert!(try_install(home.path(), &["--uninstall"]).status.success(), "{what}");
        assert_eq!(everything(home.path()), before, "{what}");
    }
    let refused: [(&str, Make); 6] = [
        ("a folder", |rc| fs::create_dir(rc).unwrap()),
        ("a pipe", |rc| assert!(Command::new("mkfifo").arg(rc).status().unwrap().success())),
        ("a socket", |rc| drop(std::os::unix::net::UnixListener::bind(rc).unwrap())),
        ("a link to a pipe", |rc| {
            assert!(Command::new("mkfifo").arg(rc.with_file_name("pipe")).status().unwrap().success());
            symlink("pipe", rc).unwrap();
        }),
        ("a link to itself", |rc| symlink(".xboardrc", rc).unwrap()),
        ("a file where a folder should be", |rc| fs::write(rc.with_file_name(".xboard"), "").unwrap()),
    ];
    for (what, make) in refused {
        let home = Folder::new("refused");
        make(&home.path().join(".xboardrc"));
        let before = everything(home.path());
        let folders = fs::read_dir(home.path()).unwrap().count();
        let done = try_install(home.path(), &[]);
        assert!(!done.status.success() && !done.stderr.is_empty(), "{what}");
        assert_eq!(everything(home.path()), before, "{what}");
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), folders, "{what}");
        // Nor does taking away what is not there hang or change anything.
        try_install(home.path(), &["--uninstall"]);
        assert_eq!(everything(home.path()), before, "{what}");
    }
}

#[cfg(unix)]
#[test]
fn a_home_that_moves_with_the_folder_is_refused() {
    let folder = Folder::new("relative");
    let done = Command::new(env!("CARGO_BIN_EXE_carom"))
        .current_dir(folder.path())
        .args(["install", "xboard"])
        .env("HOME", "relative")
        .env_remove("XDG_DATA_HOME")
        .output()
        .unwrap();
    assert_eq!(done.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&done.stderr).contains("it must be absolute"), "{done:?}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

fn install_winboard(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(["install", "winboard"])
        .args(arguments)
        .env("WINBOARD", folder.join("winboard.exe"))
        .env("LOCALAPPDATA", folder)
        .output()
        .unwrap()
}

#[test]
fn winboard_gets_pieces_settings_and_engines_and_gives_them_back() {
    let folder = Folder::new("winboard");
    let list = folder.path().join("winboard.ini");
    fs::write(folder.path().join("winboard.exe"), "WinBoard").unwrap();
    fs::write(
        &list,
        "/size=middling\n/firstChessProgramNames={fairymax\n\"Crafty\" -fcp crafty\n}\n/evalGraphUp=false\n",
    )
    .unwrap();
    let before = contents(folder.path());

    let done = install_winboard(folder.path(), &[]);
    let told = String::from_utf8_lossy(&done.stderr);
    if !cfg!(feature = "png") {
        assert_eq!(done.status.code(), Some(2), "{told}");
        assert!(told.contains("--features png"), "{told}");
        assert_eq!(contents(folder.path()), before);
        return;
    }
    assert!(done.status.success(), "{told}");
    let installed = contents(folder.path());
    let hanniball = &installed[&folder.path().join("hanniball.ini").display().to_string()];
    assert!(hanniball.contains("\n-variant hanniball\n") && hanniball.contains("\n-cp\n"), "{hanniball}");
    let pieces = hanniball.lines().find_map(|line| line.strip_prefix("-pid ")).unwrap().trim_matches('"');
    for size in [33, 80] {
        assert!(Path::new(pieces).join(format!("piece53_{size}o.bmp")).is_file(), "{pieces}");
    }
    let list = fs::read_to_string(list).unwrap();
    assert!(
        list.contains("\"Crafty\" -fcp crafty\n# Carom ") && list.ends_with("}\n/evalGraphUp=false\n"),
        "{list}"
    );

    assert!(install_winboard(folder.path(), &["--uninstall"]).status.success());
    assert_eq!(contents(folder.path()), before);
}

#[cfg(target_os = "linux")]
#[test]
fn a_carom_xboard_that_is_ended_ends_xboard_and_its_engine() {
    use rustix::process::{Pid, Signal, kill_process};
    use std::os::unix::fs::PermissionsExt;
    let home = Folder::new("ended");
    // It stands for XBoard: it starts an engine, says who both are, and stays.
    let xboard = home.path().join("xboard");
    let pids = home.path().join("pids");
    let script = "#!/bin/sh\nsleep 100000 &\necho $$ $! > \"$HOME/pids.new\"\nmv \"$HOME/pids.new\" \"$HOME/pids\"\nwait\n";
    fs::write(&xboard, script).unwrap();
    fs::set_permissions(&xboard, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", home.path().display(), std::env::var("PATH").unwrap());
    let mut carom = Command::new(env!("CARGO_BIN_EXE_carom"));
    carom.args(["xboard", "alapo"]).env("HOME", home.path()).env("PATH", path);
    let mut carom = carom.stderr(std::process::Stdio::null()).spawn().unwrap();
    while !pids.exists() {
        std::thread::yield_now();
    }
    kill_process(Pid::from_child(&carom), Signal::TERM).unwrap();
    carom.wait().unwrap();
    let ids = fs::read_to_string(&pids).unwrap();
    for id in ids.split_whitespace() {
        // What is gone may wait to be collected by the first of all processes.
        let status = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        assert!(status.is_empty() || status.contains(") Z "), "{status}");
    }
    assert_eq!(ids.split_whitespace().count(), 2);
}
