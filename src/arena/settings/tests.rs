use super::*;
use crate::arena::PositionFormat;
use crate::client::Protocol;
use crate::session::TimeControl;
use std::time::Duration;

/// The settings of a text such as `engine cmd=a; each tc=1; rounds 5`, which stands for a command line with
/// `;` between groups.
fn table(text: &str) -> Result<SettingsTable, SettingsError> {
    let mut engines = 0;
    let mut found = SettingsTable::default();
    for part in text.split(';').map(str::trim).filter(|part| !part.is_empty()) {
        let mut words = part.split_whitespace();
        let first = words.next().unwrap();
        if keys::GROUPS.iter().any(|(group, _)| *group == first) {
            let place = if first == "engine" { engines } else { 0 };
            engines += usize::from(first == "engine");
            for word in words {
                found.set_word(first, place, word)?;
            }
        } else {
            let value = words.collect::<Vec<_>>().join(" ");
            found.set("", 0, first, if value.is_empty() { "true" } else { &value })?;
        }
    }
    Ok(found)
}

fn read(text: &str) -> Result<Settings, SettingsError> {
    Settings::read(&table(text)?, 77)
}

const TWO: &str = "engine cmd=a; engine cmd=b";

#[test]
fn the_words_of_fastchess_and_cutechess_are_understood() {
    let settings = read(
        "engine cmd=./one name=A option.Hash=64; engine cmd=two name=B tc=5 proto=xboard variant=alapo8 positions=fen;
         each tc=10+0.1 option.Threads=1; variant hanniball; rounds 500; repeat; concurrency 2; srand 5;
         openings file=x.epd order=random; sprt elo0=0 elo1=5 alpha=0.05 beta=0.05 model=logistic;
         pgnout games.pgn; draw movenumber=30 movecount=4 score=20; resign movecount=3 score=900 twosided=true; maxmoves 60",
    )
    .unwrap();
    assert_eq!(
        (settings.facts.name, settings.schedule.rounds, settings.schedule.games),
        ("hanniball", 500, 2)
    );
    assert_eq!((settings.given.get("seed").as_deref(), settings.records.concurrency), (Some("5"), Some(2)));
    let [one, two] = settings.engines.as_slice() else { panic!("two engines") };
    assert_eq!(one.player.options, [("Hash".to_owned(), "64".to_owned())]);
    assert_eq!(one.player.shared_options, [("Threads".to_owned(), "1".to_owned())]);
    assert_eq!(one.limits.control, "10+0.1".parse().unwrap());
    assert!(std::path::Path::new(&one.command.as_ref().unwrap().program).is_absolute());
    assert_eq!(two.limits.control, "5".parse().unwrap());
    assert_eq!((two.protocol, two.player.positions), (Some(Protocol::Xboard), PositionFormat::Fen));
    assert_eq!(two.player.game.as_deref(), Some("alapo8"));
    assert_eq!(settings.adjudication.draw.unwrap().turn, 30);
    assert!(settings.adjudication.resign.unwrap().both);
    assert_eq!(settings.adjudication.length, Some(120));
    assert_eq!(settings.sprt.unwrap().model(), Model::Logistic);
    assert_eq!(settings.openings.unwrap().order, Order::Random);
    assert_eq!(settings.records.pgnout.unwrap().file, std::path::Path::new("games.pgn"));
}

#[test]
fn a_match_without_engines_is_carom_against_itself() {
    let settings = read("game rollerball; games 4; tc 5+0.05").unwrap();
    assert!(settings.alone && settings.engines.iter().all(|engine| engine.command.is_none()));
    assert_eq!(settings.engines[1].protocol, Some(Protocol::Xboard));
    assert_eq!((settings.schedule.rounds, settings.schedule.games), (1, 4));
    assert_eq!(settings.given.get("seed").as_deref(), Some("77"), "a fresh one, kept in the table");
    let settings = read("engine cmd=carom; engine cmd=carom arg=x").unwrap();
    assert!(settings.engines[0].command.is_none() && settings.engines[1].command.is_some());
}

#[test]
fn any_text_is_a_seed_and_the_one_in_the_table_is_the_one_that_was_used() {
    let seed = |text: &str| read(&format!("{TWO}; seed {text}")).unwrap();
    let texts = ["1", "2", "18446744073709551615", "99999999999999999999", "open-sesame", "Ünï"];
    let seeds: Vec<u64> = texts.iter().map(|text| seed(text).schedule.seed).collect();
    for (at, text) in texts.iter().enumerate() {
        let settings = seed(text);
        assert_eq!(settings.given.get("seed").as_deref(), Some(*text));
        assert_eq!(settings.schedule.seed, Settings::read(&settings.given, 1).unwrap().schedule.seed);
        assert!(!seeds[..at].contains(&seeds[at]));
        assert!(seeds[at] > 1 << 32, "a small number gives no small seed");
    }
    let fresh = read(TWO).unwrap();
    assert_eq!(seed("0").schedule.seed, fresh.schedule.seed, "0 asks for a new one");
    assert_eq!(fresh.schedule.seed, Settings::read(&fresh.given, 1).unwrap().schedule.seed);
}

#[test]
fn engines_that_play_duplicates_are_started_anew_for_each_game() {
    let restarts = |text: &str| -> Vec<bool> {
        read(text).unwrap().engines.iter().map(|engine| engine.restart).collect()
    };
    assert_eq!(restarts("engine cmd=a restart=off; engine cmd=b; duplicate"), [true, true]);
    assert_eq!(restarts("duplicate; nodes 5"), [true, true]);
    assert_eq!(restarts(TWO), [false, false]);
}

#[test]
fn commands_are_parted_as_a_shell_does() {
    let settings =
        read("engine cmd=ssh arg=host args=a arg=b env.A=1 stderr=log quit=7; engine cmd=b").unwrap();
    let command = settings.engines[0].command.clone().unwrap();
    assert_eq!(command.arguments, ["host", "a", "b"]);
    assert_eq!((command.environment.len(), command.quit_timeout), (1, Duration::from_secs(7)));
    let mut given = table("engine name=A; engine cmd=b").unwrap();
    given.set("engine", 0, "cmd", "ssh host 'my carom' -x").unwrap();
    let command = Settings::read(&given, 1).unwrap().engines[0].command.clone().unwrap();
    assert_eq!(command.arguments, ["host", "my carom", "-x"]);
}

#[test]
fn limits_replace_the_usual_clock() {
    let control = |text: &str| read(&format!("{TWO}; {text}")).map(|s| s.engines[0].limits.control);
    assert_eq!(control("each nodes=100"), Ok(TimeControl::Untimed));
    assert_eq!(control("each nodes=100 tc=5"), Ok("5".parse().unwrap()));
    assert_eq!(control("each st=0.5"), Ok(TimeControl::PerTurn { time: Duration::from_millis(500) }));
    assert_eq!(control("each tc=inf depth=3"), Ok(TimeControl::Untimed));
    let settings = read("engine cmd=a nodes=5; engine cmd=b; each tc=9 depth=4").unwrap();
    assert_eq!(settings.engines[0].limits.control, "9".parse().unwrap());
    assert_eq!((settings.engines[0].limits.nodes, settings.engines[1].limits.nodes), (Some(5), None));
}

#[test]
fn what_is_unknown_or_contradictory_is_refused_with_the_reason() {
    for (text, fault) in [
        ("game tiddlywinks", "no game is called `tiddlywinks`"),
        ("rule no-such", "no rule switch `no-such`"),
        ("engine cmd=a", "nobody to play"),
        ("engine name=a; engine cmd=b", "engine 1: there is no cmd="),
        ("engine cmd=a name=x; engine cmd=b name=x", "two engines have the name `x`"),
        ("engine cmd=a colour=red; engine cmd=b", "-engine has no setting `colour`"),
        ("rounds many", "-rounds many: it must be a whole number from 1 to 1000000000"),
        ("rounds 0", "-rounds 0: it must be a whole number from 1 to 1000000000"),
        ("rounds 9223372036854775808", "-rounds 9223372036854775808: it must be a whole number from 1 to"),
        ("rounds 1000000; games 1001", "-rounds and -games: that is more than 1000000000 games"),
        ("tournament swiss; rounds 1000000000; games 2", "more than 1000000000 games"),
        ("concurrency 20000", "-concurrency 20000: it must be a whole number from 1 to 1024"),
        ("openings file=x start=18446744073709551615", "start=18446744073709551615: it must be"),
        ("exact turns=4000000000", "-exact turns=4000000000: it must be a whole number from 1 to 30"),
        ("each timemargin=18446744073709551615", "it must be a whole number of milliseconds"),
        ("shard 1/18446744073709551615; seed 1", "N to 1000000"),
        ("sprt elo0=0 elo1=5 alpha=1e-320", "-sprt: alpha must lie between 1e-12 and 1"),
        ("event a\u{1b}[2Jb", "-event a\u{fffd}[2Jb: there is a control character in it"),
        ("each init=a\u{7}quit; engine cmd=a; engine cmd=b", "there is a control character in it"),
        ("each depth=0", "-each depth=0: it must be a whole number from 1 on"),
        ("each ponder=maybe", "-each ponder=maybe: it must be true or false"),
        ("each timemargin=-5", "-each timemargin=-5: it must be a whole number of milliseconds"),
        ("each tc=5 st=1", "which shall it be?"),
        ("each tc=inf", "thinks for ever"),
        ("each tc=soon", "`soon` is no time control"),
        ("each depth=0", "depth=0"),
        ("each proto=morse", "it must be uci|cecp|ugi|usi|ucci"),
        ("each ponder=perhaps", "ponder=perhaps"),
        ("openings order=random", "no file is named"),
        ("openings file=x order=fast", "order=fast: it must be random|sequential"),
        ("position 8/8; openings file=x", "-position and -openings"),
        ("tournament ladder", "it can be roundrobin"),
        ("tournament gauntlet; seeds 2", "there are only 2 engines"),
        ("seeds 1", "-seeds is for -tournament gauntlet"),
        ("tournament knockout; rounds 3", "as many as it needs"),
        ("shard 1/2", "name a -seed"),
        ("shard 3/2; seed 1", "I from 1 to N"),
        ("shard 1/2; seed 1; tournament swiss", "depends on all"),
        ("shard 1/2; seed 1; sprt elo0=0 elo1=5", "carom merge"),
        ("sprt elo0=0", "-sprt needs elo1="),
        ("sprt elo0=5 elo1=5", "-sprt: "),
        ("sprt elo0=0 elo1=5 alpha=0.7", "a risk lies between"),
        ("sprt elo0=0 elo1=5 model=magic", "it must be normalized|logistic|bayeselo"),
        ("engine cmd=a; engine cmd=b; engine cmd=c; sprt elo0=0 elo1=5", "compares two engines, not 3"),
        ("watch; quiet", "-watch and -quiet"),
        ("maxmoves 3; most-turns 9", "-maxmoves and -most-turns"),
        ("pgnout min=true", "no file is named"),
        ("tempo 3", "a match has no setting `tempo`"),
    ] {
        match read(text) {
            Err(error) => assert!(error.to_string().contains(fault), "{text}: {error}"),
            Ok(_) => panic!("accepted: {text}"),
        }
    }
}

#[test]
fn what_is_only_written_does_not_make_another_match() {
    let identity = |text: &str| read(text).unwrap().given.identity(false);
    let plain = identity(&format!("{TWO}; rounds 3; seed 4"));
    assert_eq!(
        identity("engine cmd=x dir=y; engine cmd=z; concurrency 9; seed 4; rounds 3; event Cup"),
        plain
    );
    assert_ne!(identity(&format!("{TWO}; rounds 4; seed 4")), plain);
    assert_ne!(identity(&format!("{TWO}; rounds 3; seed 4; each nodes=5")), plain);
}

#[test]
fn the_largest_numbers_are_games_that_never_end_and_nothing_wraps() {
    for most in
        ["maxmoves 18446744073709551615", "maxmoves 9223372036854775808", "most-turns 18446744073709551615"]
    {
        assert_eq!(read(&format!("{TWO}; {most}")).unwrap().adjudication.length, Some(usize::MAX), "{most}");
    }
    let settings = read(&format!("{TWO}; rounds 1000000000; games 1")).unwrap();
    assert_eq!(settings.schedule.total(), Some(1_000_000_000));
    assert_eq!(settings.schedule.total_of_part(7, 1_000_000), Some(1000));
}
