//! The pictures of the pages: an image's title is the command that draws it. After a change write them anew
//! with `CAROM_WRITE_DOCS=1 cargo test --test it pictures::`.

use carom::draw::{deeds_of_last_turn, text_of_last_turn};
use carom::game::DeedKind::{Capture, Drop, Move, Stop, Throw};
use carom::game::{Deed, DeedKind, Playable, Record, Rules, read_token};
use carom::notation::{Coordinate, parse_position, parse_token};
use carom::variants::{self, Visitor};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files_below(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            files_below(&path, ending, found);
        } else if path.extension().is_some_and(|own| own == ending) {
            found.push(path);
        }
    }
}

/// The pictures of a page, with the command that is their title.
fn pictures(page: &Path) -> Vec<(PathBuf, String)> {
    let text = std::fs::read_to_string(page).unwrap();
    let images = text.split("![").skip(1).filter_map(|image| image.split_once("](")?.1.split_once(".svg"));
    let with_title = images.map(|(name, rest)| {
        let title = rest.strip_prefix(" \"").and_then(|rest| rest.split_once("\")"));
        let (command, _) = title.unwrap_or_else(|| panic!("{}: {name} says no command", page.display()));
        (page.parent().unwrap().join(format!("{name}.svg")), command.to_owned())
    });
    with_title.collect()
}

fn drawn(command: &str) -> String {
    let words = shlex::split(command).unwrap();
    assert_eq!(words[0], "carom");
    let mut carom = Command::new(env!("CARGO_BIN_EXE_carom"));
    let output = carom.args(&words[1..]).args(["--svg", "-"]).output().unwrap();
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_picture_of_the_pages_is_what_its_command_draws() {
    let mut pages = vec![root().join("README.md")];
    files_below(&root().join("protocol-docs"), "md", &mut pages);
    let found: Vec<_> = pages.iter().flat_map(|page| pictures(page)).collect();
    assert!(found.len() >= 12, "{}", found.len());
    for (file, command) in &found {
        let now = drawn(command);
        resvg::usvg::Tree::from_str(&now, &resvg::usvg::Options::default()).unwrap();
        if std::env::var_os("CAROM_WRITE_DOCS").is_some() {
            std::fs::write(file, &now).unwrap();
        }
        let kept = std::fs::read_to_string(file).unwrap_or_default();
        assert!(kept == now, "{} is not what `{command}` draws", file.display());
    }
    let mut kept = Vec::new();
    files_below(&root().join("protocol-docs"), "svg", &mut kept);
    let shown: BTreeSet<_> = found.into_iter().map(|(file, _)| file).collect();
    assert_eq!(kept.into_iter().collect::<BTreeSet<_>>(), shown, "a picture is on no page");
}

struct LastTurn<'a> {
    position: Option<&'a str>,
    turns: &'a str,
}

impl Visitor for LastTurn<'_> {
    type Output = (Vec<Deed>, String);

    fn visit<G: Playable>(self, game: &'static carom::game::Facts) -> Self::Output {
        let rules = Rules::of(game);
        let start = match self.position {
            Some(text) => G::read(&parse_position(text).unwrap(), &rules).unwrap(),
            None => G::start(&rules),
        };
        let mut record = Record::new(start);
        for word in self.turns.split_whitespace() {
            let reading = read_token(record.now(), &parse_token(word).unwrap()).unwrap();
            reading.decisions.iter().for_each(|&decision| record.play(decision));
        }
        (deeds_of_last_turn(&record), text_of_last_turn(&record))
    }
}

fn last_turn(game: &str, position: Option<&str>, turns: &str) -> (Vec<Deed>, String) {
    variants::visit(game, LastTurn { position, turns }).unwrap()
}

/// What each decision of the last turn does: its kind, its path, and what it removes.
fn deeds(game: &str, position: Option<&str>, turns: &str) -> Vec<(DeedKind, String, String)> {
    let names =
        |squares: &[Coordinate]| squares.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let deed = |deed: Deed| (deed.kind, names(&deed.path), names(&deed.gone));
    last_turn(game, position, turns).0.into_iter().map(deed).collect()
}

fn deed(kind: DeedKind, path: &str, gone: &str) -> (DeedKind, String, String) {
    (kind, path.to_owned(), gone.to_owned())
}

#[test]
fn a_ball_goes_round_its_corner_and_a_deer_strikes_out_its_victim() {
    let ball = Some("8k/9/1P7/5a3/9/9/1B2g4/8K[TTTTtttt] w 0 1");
    assert_eq!(deeds("jai-alai", ball, "b2f5"), [deed(Capture, "b2 b5 f5", "")]);
    assert_eq!(deeds("jai-alai", ball, "b2b4"), [deed(Move, "b2 b4", "")]);
    let mage = Some("8k/9/9/9/4M4/9/9/8K[TTTTtttt] w 0 1");
    assert_eq!(deeds("jai-alai", mage, "e4f7"), [deed(Move, "e4 f5 f7", "")]);
    let deer = Some("k8/9/9/1g3p3/9/9/1A3r3/T7K[] w 0 1");
    assert_eq!(deeds("jai-alai", deer, "b2b5,b5b4"), [deed(Move, "b2 b4", "b5")]);
    assert_eq!(deeds("jai-alai", None, "T@e4"), [deed(Drop, "e4", "")]);
}

#[test]
fn a_rook_of_rollerball_turns_in_the_corner() {
    let position = Some("2r1p2/1b1k3/r1***2/2***1B/P1***2/1P1K1R1/5R1 w - 0 1");
    assert_eq!(deeds("rollerball", position, "f1a2"), [deed(Move, "f1 a1 a2", "")]);
    assert_eq!(deeds("rollerball", position, "f1b1"), [deed(Move, "f1 b1", "")]);
}

#[test]
fn a_turn_of_four_steps_is_shown_step_by_step_and_a_shot_flies_from_the_ball() {
    let (found, text) = last_turn("hanniball", None, "b4c6,h4g6 d12e10,e10c9,c9e8,O@d7");
    assert_eq!((found.len(), text.as_str()), (4, "d12e10,e10c9,c9e8,O@d7"));
    let steps = ["d12 e10", "e10 c9", "c9 e8"].map(|squares| deed(Move, squares, ""));
    let turn = deeds("hanniball", None, "b4c6,h4g6 d12e10,e10c9,c9e8,O@d7");
    assert_eq!(turn, [&steps[..], &[deed(Throw, "e8 d7", "")]].concat());
    // Over a Monkey, also back to where it came from.
    let lion = Some("***1m1***/4+L4/9/9/9/9/9/9/9/9/9/9/9/9/***1M1*** w 4 0 1");
    assert_eq!(deeds("hanniball", lion, "O@e15,O@g13"), [deed(Throw, "e14 e15 g13", ""), deed(Stop, "", "")]);
    assert_eq!(deeds("hanniball", lion, "O@e15,O@e14,e14d13")[0], deed(Throw, "e14 e15 e14", ""));
}

#[test]
fn a_throw_flies_from_the_thrower() {
    let throw = deeds("wickets-det", None, "e2e4 e7e5 e1e2,O@c4");
    assert_eq!(throw, [deed(Move, "e1 e2", ""), deed(Throw, "e2 c4", "")]);
}

#[test]
fn a_pawn_taken_in_passing_leaves_the_board_and_a_castling_rook_does_not() {
    assert_eq!(deeds("chess", None, "e2e4 a7a6 e4e5 d7d5 e5d6"), [deed(Move, "e5 d6", "d5")]);
    assert_eq!(deeds("chess", None, "e2e4 d7d5 e4d5"), [deed(Capture, "e4 d5", "")]);
    let castling = deeds("chess", None, "g1f3 a7a6 g2g3 a6a5 f1g2 a5a4 e1g1");
    assert_eq!(castling, [deed(Move, "e1 g1", "")]);
}

#[test]
fn show_lists_turns_and_next_steps() {
    let lines = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_carom")).arg("show").args(arguments).output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    let turns = lines(&["-g", "rollerball", "--turns"]);
    assert!(turns.ends_with("\nc1b1 c1b2 c2b1 c2b2 c2b3 e1f1 e2f2\n"), "{turns}");
    let next = lines(&["-g", "hanniball", "-m", "b4c6,", "--next"]);
    assert!(next.lines().any(|line| line.starts_with(". ")), "{next}");
    assert!(next.lines().all(|line| line.len() <= 120), "{next}");
}

#[test]
fn whoever_could_be_taken_is_marked_and_nobody_else() {
    let marks = |more: &str| drawn(&format!("carom show --threats {more}")).matches("#c4161c").count();
    assert_eq!(marks("--moves 'e2e4 d7d5'"), 1);
    assert_eq!(marks("--moves 'e2e4'"), 0);
    // Black's King may eat his own pieces, who are no threat to White.
    assert_eq!(marks("--game jai-alai"), 0);
}
