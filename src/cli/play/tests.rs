use super::view::view;
use super::*;
use crate::base::Color;
use crate::base::columns::width;
use crate::cli::matches::Size;
use crate::cli::terminal::think;
use crate::draw::Style;
use crate::game::Rules;
use crate::live_game::{Viewer, own_words};
use crate::session::{self, Session, chance::Chance};
use clap::Parser;
use std::io::Cursor;

#[derive(Parser)]
struct Words {
    #[command(flatten)]
    play: Play,
}

fn words(words: &[&str]) -> Play {
    Words::parse_from(["carom"].iter().chain(words)).play
}

/// The output of a game for these lines, which are read from a pipe.
fn played(arguments: &[&str], lines: &str) -> String {
    let play = words(arguments);
    let (table, engine, warning) = play.table().unwrap();
    let mut out = Vec::new();
    let input = Input::plain(Cursor::new(lines.to_owned())).unwrap();
    let canvas = Canvas::new(&mut out, false);
    let message = warning.into_iter().collect();
    play.game(table, engine, message, input, canvas, Interrupts::none()).unwrap().play().unwrap();
    String::from_utf8(out).unwrap()
}

/// The input of two people who always choose the first continuation, leg by leg, and the final session.
fn first_ways(name: &str, seed: u64) -> (String, Box<dyn Session>) {
    let facts = crate::variants::find(name).unwrap();
    let mut session = session::open(facts, Rules::of(facts), Chance::Own { seed });
    let secrets = facts.start.contains(" W=");
    let (mut lines, mut trusted) = (String::new(), None);
    while session.outcome().is_none() {
        let actor = session.actor().player();
        if secrets && actor != trusted {
            // The screen is handed over.
            lines.push('\n');
            trusted = actor;
        }
        let way = session.continuations().swap_remove(0);
        let word = if way == "." { "0000".to_owned() } else { format!("{way},") };
        let word = if session.check(&word).is_ok() { word } else { way.clone() };
        session.play(&word).unwrap_or_else(|error| panic!("{name}: {word}: {error}"));
        lines.push_str(if way == "." { "." } else { &word });
        lines.push('\n');
        assert!(session.tokens_played() < 4000, "{name}");
    }
    (lines, session)
}

#[test]
fn the_first_listed_way_on_leads_to_the_end_of_every_game() {
    for facts in crate::variants::all() {
        let (lines, session) = first_ways(facts.name, 7);
        let said = played(&[facts.name, "--side", "both", "--seed", "7"], &lines);
        let outcome = session.outcome().unwrap();
        let wanted =
            format!("The game is over: {}, {} ({}).", outcome.result(), outcome.reason, outcome.rule);
        let told = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            told.contains(&wanted),
            "{}: {wanted}\n{}",
            facts.name,
            &said[said.len().saturating_sub(1500)..]
        );
        assert!(!said.contains('^'), "{}: nothing was refused", facts.name);
    }
}

#[test]
fn a_person_who_takes_the_first_way_on_plays_the_engine_to_the_end_in_every_game() {
    for facts in crate::variants::all() {
        let arguments = [facts.name, "--seed", "3", "--level", "nodes=60"];
        let (mut table, mut engine, _) = words(&arguments).table().unwrap();
        // The same engine answers the same at the same points.
        let mut lines = String::new();
        while table.ending().is_none() {
            let command = match table.seat_to_decide() {
                Some(Seat::Engine) => {
                    let (limits, none) = (table.turn_limits(), Interrupts::none());
                    let found = think(&mut engine, table.session(), limits, &none, None, &mut |_| Ok(()));
                    let (best, _) = found.unwrap();
                    Command::Decide { token: best.token, score: best.score }
                }
                _ => {
                    let token = table.session().first_token().unwrap();
                    let from = lines.len();
                    lines.push_str(&format!("{token}\n"));
                    Command::Enter(lines[from..].trim_end())
                }
            };
            table.tell(command, Duration::ZERO).unwrap();
        }
        let ending = table.ending().unwrap();
        let said = played(&arguments, &lines).split_whitespace().collect::<Vec<_>>().join(" ");
        let wanted = format!("The game is over: {}, {}.", ending.result(), ending.reason);
        assert!(said.contains(&wanted), "{}: {wanted}", facts.name);
    }
}

#[test]
fn the_engine_plays_itself_to_the_end() {
    let said = played(&["alapo", "--side", "none", "--seed", "1", "--level", "nodes=100"], "");
    assert!(said.contains("The game is over: "), "{said}");
    assert!(
        said.lines().filter(|line| line.starts_with("White: ") || line.starts_with("Black: ")).count() > 10
    );
}

/// The screen for these arguments as `viewer` sees it, on a terminal of 80 columns and 24 rows.
fn screen(arguments: &[&str], viewer: Viewer) -> String {
    let play = words(arguments);
    let (table, ..) = play.table().unwrap();
    let ordinary = Size { columns: 80, rows: 24 };
    for style in [Style::Plain, Style::Terminal, Style::Figures] {
        for turned in [false, true] {
            let view = view(&table, viewer, Look { style, turned, tall: false }, false, &[]);
            let lines = view.lines(ordinary);
            assert_eq!(lines.len(), 23, "{arguments:?}: a row is left to type in");
            assert!(lines.iter().all(|line| width(line) < 80), "{arguments:?}: {lines:#?}");
            assert!(lines.concat().contains("to move") || lines.concat().contains("goes on"), "{lines:#?}");
        }
    }
    let view = view(&table, viewer, Style::Plain.into(), false, &[]);
    view.lines(ordinary).iter().map(|line| format!("|{line}\n")).collect()
}

#[test]
fn screens() {
    let dice = "****1***/4k1r1/5ppp/8/8/8/2B5/PPP2PPP/3RK3/****1*** w - - c3:e1/e8:g8 0 30";
    let cards = "****1***/4k1r1/5ppp/8/8/8/2B5/PPP2PPP/3RK3/****1*** w - - c3:e1/e8:g8 0 30 \
                 W=2d3c5c6h6d7d8s9c9dTh/B=2c3d4c5d6c7c8c9sTsAc/S=?20/D=-";
    let screens = [
        ("chess", screen(&["chess", "--moves", "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6"], Viewer::All)),
        ("alapo", screen(&["alapo", "--moves", "c2b3 c7b6"], Viewer::All)),
        ("rollerball", screen(&["rollerball", "--moves", "c2b3 e6f5", "--tc", "5:00+2"], Viewer::All)),
        ("jai-alai with hands", screen(&["jai-alai", "--moves", "T@e4 d6e5"], Viewer::All)),
        (
            "hanniball in the middle of a turn",
            screen(&["hanniball", "--moves", "e1d2,d4b5 b12c10,d12e10,f12g10,c10d8 d2e2,f4g6,"], Viewer::All),
        ),
        (
            "wickets with dice",
            screen(&["wickets-dice", "--position", dice, "--moves", "c3a5,O@e9", "--seed", "5"], Viewer::All),
        ),
        (
            "wickets with cards",
            screen(
                &["wickets-cards", "--position", cards, "--moves", "c3a5,O@e9,"],
                Viewer::Player(Color::White),
            ),
        ),
        ("breakthrough", screen(&["breakthrough", "--moves", "a2a3 a7a6"], Viewer::All)),
    ];
    let all: Vec<String> = screens.iter().map(|(name, screen)| format!("{name}\n{screen}")).collect();
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn of_cards_each_person_sees_his_own_after_the_screen_was_handed_over() {
    let arguments = ["wickets-cards", "--side", "both", "--seed", "5"];
    let said = played(&arguments, "\ne2e4\n\n");
    // White sees the white hand, then Black the black one; before each, no hand is shown.
    let held = |line: &&str| line.contains("holds");
    let hands: Vec<String> = said
        .lines()
        .filter(held)
        .map(|line| {
            let (player, cards) = line[line.find(" holds ").unwrap() - 5..].split_once(" holds ").unwrap();
            format!("{player}{}", if cards.contains("10 cards") { "-" } else { "+" })
        })
        .collect();
    assert_eq!(hands.concat(), "White-Black-White+Black-White-Black-White-Black+", "{said}");
    assert!(said.contains("White, press Enter>") && said.contains("Black, press Enter>"), "{said}");
}

#[test]
fn undo_takes_back_the_answer_too() {
    let said = played(&["chess", "--level", "nodes=50"], "e2e4\nundo\nfen\nundo\n");
    assert!(said.contains("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), "{said}");
    assert!(said.contains("There is nothing to take back."), "{said}");
    // In a turn of several steps the last step is taken back.
    let said = played(&["hanniball", "--side", "both"], "e1d2,\nundo\nfen\n");
    assert!(said.contains("/***1M1*** w 2 0 1"), "{said}");
    // An ending that is not by the rules is taken back as well.
    let said = played(&["chess", "--side", "both"], "resign\nundo\ne2e4\nfen\n");
    assert!(said.contains("White resigns") && said.contains(" b KQkq"), "{said}");
}

#[test]
fn a_hint_is_legal_and_says_nothing_of_what_chance_will_do() {
    let said = played(&["rollerball", "--level", "nodes=500"], "hint\n");
    let hint = said.lines().find_map(|line| line.strip_prefix("Hint: ")).unwrap();
    let token = hint.split(' ').next().unwrap();
    let (table, ..) = words(&["rollerball"]).table().unwrap();
    assert!(table.session().check(token).is_ok(), "{hint}");
    assert_eq!(own_words("c3a5,O@e9,=2,0000"), "c3a5,O@e9");
    assert_eq!(own_words("=6h,+As"), "=6h");
}

#[test]
fn a_turn_that_must_go_on_needs_no_comma() {
    let cards = "****1***/4k1r1/5ppp/8/8/8/2B5/PPP2PPP/3RK3/****1*** w - - c3:e1/e8:g8 0 30 \
                 W=2d3c5c6h6d7d8s9c9dTh/B=2c3d4c5d6c7c8c9sTsAc/S=?20/D=-";
    let lines = "\nc3a5,O@e9\n3x\n10h\n";
    let said = played(&["wickets-cards", "--side", "both", "--position", cards, "--seed", "5"], lines);
    assert!(said.contains("White's turn so far: c3a5,O@e9\n"), "{said}");
    // A card may be typed in another notation, and the card drawn is hidden from the opponent.
    assert!(said.contains("Play a card") && said.contains("  3x\n  ^\n"), "{said}");
    assert!(said.contains("White played c3a5,O@e9,=Th,+?\n"), "{said}");
}

#[test]
fn a_die_that_was_cast_is_told() {
    let throw = "****1***/4k1r1/5ppp/8/8/8/2B5/PPP2PPP/3RK3/****1*** w - - c3:e1/e8:g8 0 30";
    let said = played(&["wickets-dice", "--side", "both", "--seed", "5", "--position", throw], "c3a5,O@e9\n");
    assert!(said.contains("The die shows 2."), "{said}");
}

#[test]
fn the_odds_of_a_throw_are_told_before_it() {
    let throw = "****1***/4k1r1/5ppp/8/8/8/2B5/PPP2PPP/3RK3/****1*** w - - c3:e1/e8:g8 0 30";
    let said = played(&["wickets-dice", "--side", "both", "--seed", "5", "--position", throw], "c3a5,\n");
    let odds =
        "O@e9 leaves it to chance: 2 of 6 wicket not taken (needed 3), 4 of 6 wicket taken (needed 3).";
    assert!(said.split_whitespace().collect::<Vec<_>>().join(" ").contains(odds), "{said}");
}

#[test]
fn nobody_types_what_chance_decides() {
    let throw = "****1***/4k1r1/5ppp/8/8/8/2B5/PPP2PPP/3RK3/****1*** w - - c3:e1/e8:g8 0 30";
    let said = played(
        &["wickets-dice", "--side", "both", "--seed", "2", "--position", throw],
        "c3a5,O@e9,=6\nmoves\n",
    );
    assert!(said.contains("chance decides that, not you") && said.contains("Nothing was played."), "{said}");
}

#[test]
fn ways_on_are_listed_from_where_one_stands() {
    let said = played(&["hanniball", "--side", "both"], "?\n? e1d2,\ne1d2,\n?\n");
    assert!(said.contains("ways on:\n"), "{said}");
    assert_eq!(said.matches("; . ends the turn here:").count(), 2, "{said}");
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let said = played(
        &["hanniball", "--side", "both"],
        "e1d2,c2c9,\ne1d2,c2%\nsing a song\nload\nload /nowhere\nundo 3\n",
    );
    assert!(said.contains("  e1d2,c2c9,\n       ^\n"), "{said}");
    assert!(said.contains("  e1d2,c2%\n         ^\n"), "{said}");
    assert!(said.contains("`sing a song`: expected one turn"), "{said}");
    let missing = std::fs::read("/nowhere").unwrap_err().to_string();
    assert!(
        said.contains("load: expected a file") && said.contains(&format!("/nowhere: {missing}")),
        "{said}"
    );
    assert!(said.contains("`undo` stands alone"), "{said}");
}

/// A temporary file, which is removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("carom-{}-{name}.pgn", std::process::id())))
    }

    fn name(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn a_game_is_saved_at_the_end_of_input_and_goes_on_when_loaded() {
    for (game, lines, seed) in [
        ("chess", "e2e4\ne7e5\ng1f3\n", "1"),
        ("hanniball", "e1d2,\nd4b5\n", "1"),
        ("wickets-dice2", "e2e4\n", "5"),
    ] {
        let file = Scratch::new(game);
        let before = played(
            &[game, "--side", "both", "--seed", seed, "--save", file.name()],
            &format!("{lines}fen\n"),
        );
        let text = std::fs::read_to_string(&file.0).unwrap();
        assert!(text.contains("[Result \"*\"]") && text.contains("unterminated"), "{text}");
        let after = played(&["--side", "both", "--load", file.name()], "\nfen\n");
        let position =
            |said: &str| said.lines().rev().find(|line| line.matches('/').count() > 5).unwrap().to_owned();
        assert_eq!(position(&before), position(&after), "{game}: {text}");
        // A second game stands after the first, and both can be loaded.
        played(&[game, "--side", "both", "--save", file.name()], "");
        let text = std::fs::read_to_string(&file.0).unwrap();
        assert_eq!(text.matches("[Event ").count(), 2, "{text}");
        let second = played(&["chess", "--side", "both"], &format!("load {} 2\n", file.name()));
        assert!(second.contains(crate::variants::find(game).unwrap().title), "{second}");
    }
}

#[test]
fn chess_is_read_in_its_short_writing() {
    let said = played(&["chess", "--side", "both"], "Nf3\nd5\ne4\ndxe4\nmoves\n");
    assert!(said.contains("g1f3 d7d5 e2e4 d5e4"), "{said}");
}

#[test]
fn draws_are_agreed_where_the_game_has_them() {
    let agreed = played(&["chess", "--side", "both"], "draw\nno\ndraw\nyes\n");
    assert!(
        agreed.contains("The draw is declined.") && agreed.contains("1/2-1/2, drawn by agreement"),
        "{agreed}"
    );
    assert!(
        played(&["breakthrough", "--side", "both"], "draw\n").contains("There are no draws in Breakthrough.")
    );
    assert!(
        played(&["chess", "--level", "nodes=50"], "draw\n").contains("The draw is declined."),
        "too early"
    );
}

#[test]
fn the_clock_is_shown_and_turns_of_the_command_line_take_no_time() {
    assert!(played(&["chess", "--side", "both", "--tc", "300+2"], "quit\n").contains("White 4:5"));
    let (table, ..) = words(&["chess", "--moves", "e2e4 e7e5", "--tc", "10+1"]).table().unwrap();
    assert_eq!(Color::ALL.map(|color| table.clocks().of(color).left().as_secs()), [10, 10]);
}

#[test]
fn a_person_may_roll_the_dice() {
    let throw = "****1***/4k1r1/5ppp/8/8/8/2B5/PPP2PPP/3RK3/****1*** w - - c3:e1/e8:g8 0 30";
    let arguments = ["wickets-dice", "--side", "both", "--roll", "--position", throw];
    let said = played(&arguments, "c3a5,O@e9\n4\nmoves\n");
    assert!(said.contains("Chance decides: type the outcome"), "{said}");
    assert!(said.contains("c3a5,O@e9,=4"), "{said}");
    let refused = words(&["wickets-cards", "--roll"]).table().err().unwrap();
    assert!(refused.to_string().contains("--roll is for dice"), "{refused}");
}
