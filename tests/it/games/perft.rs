//! Counts of turn sequences against the tables in `fixtures/perft`.
//!
//! A file holds blocks:
//!
//! ```text
//! # comment
//! rule NAME[=VALUE]        any number, for the positions that follow in this block
//! unit turns|steps|results what is counted in this block, turns unless said; results have depth 1
//! position TEXT
//! DEPTH COUNT              any number
//! ```
//!
//! A blank line ends a block and its rules and unit. Lines with more sequences than `CAROM_PERFT_NODES` (6 million unless set) are left out.
use carom::game::{Facts, Playable, Rules, perft};
use carom::variants::{self, Visitor};
use std::path::{Path, PathBuf};

/// One test a file: its name, the game it is about.
macro_rules! perft_files {
    ($($name:ident: $file:literal => $game:literal;)*) => {
        $(#[test]
        fn $name() {
            variants::visit($game, File($file)).unwrap();
        })*

        #[test]
        fn every_file_is_counted() {
            let known = [$($file),*];
            for entry in std::fs::read_dir(folder()).unwrap() {
                let name = entry.unwrap().file_name().into_string().unwrap();
                assert!(known.contains(&name.as_str()), "{name} has no line in tests/perft.rs");
            }
        }
    };
}

perft_files! {
    chess: "chess.perft" => "chess";
    rollerball: "rollerball.perft" => "rollerball";
    rollerball_clockwise_sideways: "rollerball-clockwise-sideways.perft" => "rollerball";
    alapo: "alapo.perft" => "alapo";
    alapo_demotion: "alapo-demotion.perft" => "alapo-demotion";
    hanniball: "hanniball.perft" => "hanniball";
    jai_alai: "jai-alai.perft" => "jai-alai";
    wickets_det: "wickets-det.perft" => "wickets-det";
    wickets_det2: "wickets-det2.perft" => "wickets-det2";
    wickets_dice: "wickets-dice.perft" => "wickets-dice";
    wickets_dice2: "wickets-dice2.perft" => "wickets-dice2";
    wickets_cards: "wickets-cards.perft" => "wickets-cards";
    wickets_cards2: "wickets-cards2.perft" => "wickets-cards2";
    breakthrough: "breakthrough.perft" => "breakthrough";
    breakthrough_board_size: "breakthrough-board-size.perft" => "breakthrough";
    dice_chess: "dice-chess.perft" => "dice-chess";
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/perft")
}

fn most_nodes() -> u64 {
    let value = std::env::var("CAROM_PERFT_NODES");
    value.map_or(6_000_000, |value| value.parse().expect("CAROM_PERFT_NODES is a number"))
}

/// A file to be counted.
struct File(&'static str);

impl Visitor for File {
    type Output = ();
    fn visit<G: Playable>(self, facts: &'static Facts) {
        run::<G>(facts, self.0);
    }
}

fn run<G: Playable>(facts: &'static Facts, file: &str) {
    let text = std::fs::read_to_string(folder().join(file)).unwrap();
    let most = most_nodes();
    let mut rules = Rules::of(facts);
    let mut unit = "turns";
    let mut position: Option<(&str, G)> = None;
    let mut counted = 0;
    for (index, line) in text.lines().enumerate() {
        let place = format!("{file}, line {}", index + 1);
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "" => {
                rules = Rules::of(facts);
                unit = "turns";
                position = None;
            }
            "rule" => {
                let (name, value) = rest.split_once('=').unwrap_or((rest, ""));
                rules.set(facts, name, value).unwrap_or_else(|error| panic!("{place}: {error}"));
            }
            "unit" => unit = rest,
            "position" => {
                let tree = rest.parse().unwrap_or_else(|error| panic!("{place}: {error}"));
                let state = G::read(&tree, &rules).unwrap_or_else(|error| panic!("{place}: {error}"));
                position = Some((rest, state));
            }
            _ if word.starts_with('#') => {}
            _ => {
                let depth: u32 = word.parse().unwrap_or_else(|_| panic!("{place}: what is `{line}`?"));
                let count: u64 = rest.parse().unwrap_or_else(|_| panic!("{place}: what is `{line}`?"));
                let (name, state) = position.as_ref().unwrap_or_else(|| panic!("{place}: no position"));
                if count <= most {
                    let found = match unit {
                        "turns" => perft::turns(state, depth),
                        "steps" => perft::steps(state, depth),
                        "results" => perft::results(state),
                        other => panic!("{place}: what is unit `{other}`?"),
                    };
                    assert_eq!(found, count, "{place}: {unit} {depth} of {name}");
                    counted += 1;
                }
            }
        }
    }
    assert!(counted > 0, "{file}: nothing was counted");
}
