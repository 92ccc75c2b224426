//! What a match of a game with hidden cards tells its engines and writes down while a game is played.
use crate::common::exchanged_hands::{BEFORE_A_CONTEST, CARD_GAMES, CardGame};
use crate::protocols::hidden_cards::attack;
use carom::arena::schedule::Pairing;
use carom::arena::{
    Adjudication, Clocks, EnginePlayer, Fault, GameSetup, GameSnapshot, Limits, MatchEvent, MatchState,
    MoveReply, MoveRequest, NewGame, Player, PlayerSettings, RunningGame, SearchInfo, Settings, Tournament,
    TournamentError, play, referee, settings::SettingsTable,
};
use carom::base::{Color, Rng};
use carom::connection::EngineCommand;
use carom::game::Rules;
use carom::notation::{Leg, parse_token};
use carom::protocol::Protocol;
use carom::protocol::uci::Dialect;
use carom::session::TimeControl;
use carom::session::chance::Chance;
use carom::variants;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A player who says what he is given to say, then what he likes.
struct Speaker {
    words: Vec<String>,
    said: usize,
    rng: Rng,
}

impl Player for Speaker {
    fn name(&self) -> &str {
        "Speaker"
    }

    fn begin(&mut self, _: &NewGame<'_>, _: &Clocks) -> Result<(), Fault> {
        Ok(())
    }

    fn go(&mut self, request: &MoveRequest<'_>) -> Result<MoveReply, Fault> {
        let token = match self.words.get(self.said) {
            Some(word) => word.clone(),
            None => {
                self.words.push(attack(request.session, &mut self.rng));
                self.words[self.said].clone()
            }
        };
        self.said += 1;
        let search_info = SearchInfo::default();
        Ok(MoveReply { token, search_info, spent: Duration::ZERO, expects: None, draw: false, more: None })
    }

    fn end(&mut self, _: &str) -> bool {
        true
    }
}

/// What came of a game.
struct Played {
    whole: CardGame,
    /// What the opponent of the engine said.
    words: Vec<String>,
    /// What the engine was sent, and the engine behind it.
    sent: Vec<String>,
    /// What was written of the game after each turn.
    shown: Vec<String>,
}

/// A folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("carom-hidden-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A game of Carom, bridged from one protocol to another, as `color` against somebody who says `words`.
fn play_bridged(
    game: &'static str,
    start: &str,
    color: Color,
    protocols: [&str; 2],
    words: Vec<String>,
    seed: u64,
) -> Played {
    let folder = folder(&format!("bridge-{game}-{color}-{}-{}", protocols[0], protocols[1]));
    let carom = env!("CARGO_BIN_EXE_carom");
    let transcript = folder.join("transcript");
    let mut command = EngineCommand::new(carom);
    command.arguments = vec!["--log".into(), transcript.clone().into()];
    let bridge = ["bridge", "--as", protocols[0], "--engine", protocols[1], "--", carom];
    command.arguments.extend(bridge.map(Into::into));
    let protocol = if protocols[0] == "uci" { Protocol::Uci(Dialect::Uci) } else { Protocol::Xboard };
    let mut engine = EnginePlayer::launch(&command, Some(protocol), &PlayerSettings::default()).unwrap();
    let mut speaker = Speaker { words, said: 0, rng: Rng::new(seed) };

    let facts = variants::find(game).unwrap();
    let rules = Rules::of(facts);
    let mut session = referee(facts, &rules);
    session.set_chance(Chance::Own { seed });
    session.set_up(Some(start), &mut std::iter::empty()).unwrap();
    let start = session.position().to_string();
    let limits = Limits {
        control: TimeControl::Untimed,
        margin: Duration::from_secs(60),
        depth: None,
        nodes: Some(200),
    };
    let setup = GameSetup {
        new_game: NewGame { facts, rules: &rules, position: Some(start.clone()), secret: false },
        book: &[],
        limits: [limits; 2],
        claims: false,
        adjudication: Adjudication { length: Some(16), ..Adjudication::default() },
        hurry: &AtomicBool::new(false),
    };
    let pairing = Pairing { number: 1, round: 1, pair: 1, opening: 0, engines: [0, 1], seed };
    let mut shown = Vec::new();
    let mut watch = |snapshot: &GameSnapshot<'_>| {
        let names = ["A", "B"].map(str::to_owned);
        let mut record = pairing.unfinished_record(snapshot, names, limits_of(snapshot));
        record.turns.iter_mut().flat_map(|turn| &mut turn.2).for_each(|info| (info.1, info.2) = (0, None));
        shown.push(serde_json::to_string(&record).unwrap());
    };
    let mut players: [&mut dyn Player; 2] = [&mut engine, &mut speaker];
    if color == Color::Black {
        players.swap(0, 1);
    }
    let played = play(&mut *session, &setup, players, &mut watch).unwrap();
    assert!(!played.ending.termination.is_fault(), "{:?}", played.ending);
    drop(engine);
    let text = std::fs::read_to_string(&transcript).unwrap();
    assert_private(&transcript);
    let clocks = ["time ", "otim ", "> time ", "> otim "];
    let sent = text.lines().filter_map(|line| {
        let line = match line.strip_prefix("# ") {
            Some(inner) => inner.split_once(' ')?.1.strip_prefix("> ").map(|line| format!("> {line}"))?,
            None => line.strip_prefix("> ")?.to_owned(),
        };
        (!clocks.iter().any(|clock| line.starts_with(clock))).then_some(line)
    });
    let whole = CardGame { game, start, tokens: session.as_text().1 };
    let played = Played { whole, words: speaker.words, sent: sent.collect(), shown };
    std::fs::remove_dir_all(folder).unwrap();
    played
}

fn limits_of(_: &GameSnapshot<'_>) -> [TimeControl; 2] {
    [TimeControl::Untimed; 2]
}

/// Nobody but its owner may read it.
#[cfg(unix)]
fn assert_private(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode, 0o600, "{}: {mode:o}", path.display());
}

/// Windows has no such modes; the file is there.
#[cfg(not(unix))]
fn assert_private(path: &Path) {
    assert!(path.is_file(), "{}", path.display());
}

#[test]
fn engines_and_engines_behind_a_bridge_are_sent_what_their_player_may_know() {
    let (mut lines, mut cards) = (0, 0);
    let ways = [["uci", "uci"], ["uci", "xboard"], ["xboard", "uci"], ["xboard", "xboard"]];
    for (at, protocols) in ways.into_iter().enumerate() {
        for (game, color) in CARD_GAMES.into_iter().flat_map(|game| Color::ALL.map(|color| (game, color))) {
            let seed = 10 + at as u64;
            let one = play_bridged(game, BEFORE_A_CONTEST, color, protocols, Vec::new(), seed);
            let twin =
                one.whole.exchanged(&[color], &mut Rng::new(seed)).expect("cards were left to exchange");
            let other = play_bridged(game, &twin.start, color, protocols, one.words.clone(), seed);
            assert_eq!(one.whole.words(), other.whole.words(), "the same game was played");
            assert_eq!(one.sent, other.sent, "{game}, {color}, {protocols:?}");
            assert_eq!(one.shown, other.shown, "{game}, {color}");
            lines += one.sent.len();
            cards += one.whole.before_cards().len();
        }
    }
    assert!(lines > 300 && cards > 16, "{lines} lines, {cards} cards were played");
}

/// True when a word of the text says which card is held, drawn or about to be drawn.
fn names_hidden_card(text: &str) -> bool {
    let drawn = |word: &str| {
        let legs = parse_token(word).map(|token| token.legs).unwrap_or_default();
        legs.iter().any(|leg| matches!(leg, Leg::Draw(Some(_))))
    };
    let held = |word: &str| {
        ["W=", "B=", "S="]
            .iter()
            .any(|heap| word.split(heap).skip(1).any(|rest| !rest.starts_with(['?', '-'])))
    };
    text.split(|c: char| c.is_whitespace() || c == '"').any(|word| drawn(word) || held(word))
}

#[test]
fn what_is_shown_of_a_running_game_names_no_hidden_card_and_no_seed() {
    let folder = folder("running");
    let journal = folder.join("games.jsonl");
    let mut given = SettingsTable::default();
    for (place, protocol) in ["uci", "xboard"].into_iter().enumerate() {
        for (name, value) in [("cmd", env!("CARGO_BIN_EXE_carom")), ("name", protocol), ("proto", protocol)] {
            given.set("engine", place, name, value).unwrap();
        }
    }
    for (group, name, value) in [
        ("", "game", "wickets-cards"),
        ("", "rounds", "2"),
        ("", "most-turns", "8"),
        ("", "position", BEFORE_A_CONTEST),
        ("", "seed", "a long text"),
        ("each", "nodes", "100"),
    ] {
        given.set(group, 0, name, value).unwrap();
    }
    let (tournament, engines) = Tournament::prepare(Settings::read(&given, 1).unwrap()).unwrap();
    let looked = std::sync::Mutex::new(Vec::new());
    let spectator = |pairing: &Pairing, snapshot: &GameSnapshot<'_>| {
        RunningGame::new(&journal).show(&tournament, pairing, snapshot);
        let game = RunningGame::read(&journal).unwrap();
        let text = std::fs::read_to_string(folder.join("games.jsonl.running")).unwrap();
        assert!(!text.contains(&pairing.seed.to_string()) && !names_hidden_card(&text), "{text}");
        assert!(game.seed == 0 && game.turns.len() == snapshot.turns.len());
        // Who watches can set every board up.
        let mut session = referee(tournament.settings.facts, &tournament.settings.rules);
        session.set_up(game.position.as_deref(), &mut game.turns.iter().map(|turn| turn.0.as_str())).unwrap();
        assert_eq!(session.shown().placement, snapshot.session.shown().placement);
        looked.lock().unwrap().push(game.turns.iter().any(|turn| turn.0.contains("+?")));
        None
    };
    let mut seeds = Vec::new();
    let mut deals = Vec::new();
    let mut tell = |event: MatchEvent, _: &MatchState| -> Result<(), TournamentError> {
        if let MatchEvent::Finished(game) = event {
            seeds.push(game.seed);
            deals.push(game.last.split(' ').next_back().unwrap().to_owned());
        }
        Ok(())
    };
    let stop = AtomicBool::new(false);
    tournament.run(engines, &mut MatchState::default(), &stop, Some(&spectator), &mut tell).unwrap();
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!((seeds.len(), deals.len()), (4, 4), "each game has a deal of its own");
    assert!(deals.iter().all(|deal| !deal.contains('?')), "over, a game is written down whole: {deals:?}");
    let looked = looked.into_inner().unwrap();
    assert!(looked.iter().any(|drawn| *drawn), "cards were drawn in {} looks", looked.len());
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn logs_hold_no_card_and_files_with_secrets_are_their_owners_alone() {
    let folder = folder("files");
    let carom = env!("CARGO_BIN_EXE_carom");
    let whole = CardGame::random("wickets-cards", BEFORE_A_CONTEST, 5, 1).start;
    let run = |arguments: &[&str]| {
        let mut command = Command::new(carom);
        command.current_dir(&folder).env("RUST_LOG", "trace").args(arguments);
        let output = command.output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{told}");
        (String::from_utf8(output.stdout).unwrap(), told)
    };
    let played = |position: &str, more: &[&str]| {
        let mut arguments =
            vec!["--log", "log", "match", "-game", "wickets-cards", "-nodes", "100", "-most-turns", "6"];
        arguments.extend([
            // The deals of these games lead to contests.
            "-srand",
            "1",
            "-position",
            position,
            "-watch",
            "-journal",
            "games.jsonl",
            "-pgnout",
            "games.pgn",
            "-epdout",
            "games.epd",
        ]);
        arguments.extend(more);
        run(&arguments)
    };
    let (watched, told) = played(&whole, &[]);
    assert!(watched.contains("+?") && !names_hidden_card(&watched), "{watched}");
    let log = std::fs::read_to_string(folder.join("log")).unwrap();
    for line in log.lines().chain(told.lines()) {
        assert!(!names_hidden_card(line) && !line.contains("=A") && !line.contains("pv"), "{line}");
    }
    assert!(
        log.contains("> position…") && log.contains("> usermove…") && log.contains("< bestmove…"),
        "{log}"
    );
    assert_private(&folder.join("log"));
    assert_private(&folder.join("games.jsonl"));
    // Over, all of it is written down; the hands of the position were dealt anew for each game.
    let journal = std::fs::read_to_string(folder.join("games.jsonl")).unwrap();
    let pgn = std::fs::read_to_string(folder.join("games.pgn")).unwrap();
    assert!(names_hidden_card(&journal) && pgn.contains("[ChanceSeed") && pgn.contains("/B=?10/S=?20/D=-"));
    let hand = whole.split("W=").nth(1).unwrap().split('/').next().unwrap();
    assert_eq!(journal.matches(hand).count(), 1, "in the settings alone");

    // Where both games of a pair have one deal, it is that of the position, and the record of the first holds secrets.
    ["games.jsonl", "games.pgn", "games.epd"]
        .iter()
        .for_each(|name| std::fs::remove_file(folder.join(name)).unwrap());
    played(&whole, &["-duplicate"]);
    assert_private(&folder.join("games.pgn"));
    assert_private(&folder.join("games.epd"));
    let pgn = std::fs::read_to_string(folder.join("games.pgn")).unwrap();
    assert_eq!(pgn.matches(hand).count(), 2);
    std::fs::remove_dir_all(folder).unwrap();
}

/// A match from this position, in which no card is drawn: the watched board, the log and the records, without the
/// figures of clocks, the numbers of processes, and the cards themselves, which the records of finished games show.
fn written(game: &str, position: &str, name: &str) -> [Vec<String>; 4] {
    let folder = folder(name);
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    command.current_dir(&folder).env("RUST_LOG", "trace").args(["--log", "log", "match", "-game", game]);
    command.args([
        "-nodes",
        "100",
        "-most-turns",
        "6",
        "-duplicate",
        "-seed",
        "9",
        "-watch",
        "-position",
        position,
    ]);
    command.args(["-journal", "games.jsonl", "-pgnout", "file=games.pgn", "min=true"]);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let watched = String::from_utf8(output.stdout).unwrap();
    let watched = watched.lines().filter(|line| !line.starts_with("Latency")).map(str::to_owned).collect();
    let read = |name| std::fs::read_to_string(folder.join(name)).unwrap();
    let logged = |line: &str| {
        line.split_once("carom::connection: ").map(|(_, said)| said.split_once(' ').unwrap().1.to_owned())
    };
    // Two engines speak at once, in whatever order.
    let mut log: Vec<String> = read("log").lines().filter_map(logged).collect();
    log.sort();
    let without_cards = |line: &str| match line.split_once(" W=") {
        Some((before, cards)) => format!("{before}{}", cards.trim_start_matches(|c| c != '"')),
        None => line.to_owned(),
    };
    let pgn =
        read("games.pgn").lines().filter(|line| !line.starts_with("[Date ")).map(without_cards).collect();
    let games = read("games.jsonl");
    let journal = games.lines().skip(1).map(|line| {
        let game: serde_json::Value = serde_json::from_str(line).unwrap();
        let turns: Vec<_> = game["turns"].as_array().unwrap().iter().map(|turn| turn[0].clone()).collect();
        format!(
            "{} {} {turns:?} {}",
            game["number"],
            game["seed"],
            without_cards(game["last"].as_str().unwrap())
        )
    });
    let journal = journal.collect();
    std::fs::remove_dir_all(folder).unwrap();
    [watched, log, pgn, journal]
}

#[test]
fn with_hands_and_stock_exchanged_a_match_shows_and_logs_the_same() {
    for (at, game) in CARD_GAMES.into_iter().enumerate() {
        let start = variants::find(game).unwrap().start.split(" W=").next().unwrap();
        let one = CardGame::random(game, start, 20 + at as u64, 1);
        let other = one.exchanged(&[], &mut Rng::new(4)).unwrap();
        assert_ne!(one.start, other.start);
        let [one, other] = [("dealt", &one), ("exchanged", &other)]
            .map(|(name, deal)| written(game, &deal.start, &format!("{name}-{game}")));
        for (what, (one, other)) in
            ["watched", "log", "PGN", "journal"].into_iter().zip(one.into_iter().zip(other))
        {
            assert!(one.len() > 1, "{what}");
            assert_eq!(one, other, "{game}: {what}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_seed_that_was_drawn_stands_in_no_command_line() {
    let folder = folder("processes");
    // An engine that looks at who has started it before it plays.
    let spy = "tr '\\0' ' ' < /proc/$PPID/cmdline >> seen; tr '\\0' '\\n' < /proc/$PPID/environ >> seen; exec \"$0\"";
    std::fs::write(folder.join("spy.sh"), spy).unwrap();
    let carom = env!("CARGO_BIN_EXE_carom");
    let engine = format!("cmd=sh -c \". ./spy.sh\" {carom}");
    let mut command = Command::new(carom);
    command.current_dir(&folder).args([
        "match",
        "-game",
        "wickets-dice",
        "-nodes",
        "50",
        "-most-turns",
        "4",
        "-quiet",
    ]);
    command.args(["-engine", &engine, "name=A", "proto=uci", "-engine", &engine, "name=B", "proto=uci"]);
    command.args(["-journal", "games.jsonl"]);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let journal = std::fs::read_to_string(folder.join("games.jsonl")).unwrap();
    let header: serde_json::Value = serde_json::from_str(journal.lines().next().unwrap()).unwrap();
    let seed = header["settings"]["seed"].as_str().unwrap();
    let seen = std::fs::read_to_string(folder.join("seen")).unwrap();
    assert!(seen.contains("wickets-dice") && seed.len() > 9 && !seen.contains(seed), "{seed}: {seen}");
    std::fs::remove_dir_all(folder).unwrap();
}
