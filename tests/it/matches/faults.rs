//! Engines that misbehave, in both protocols: the right result, for the right reason, and the next game unaffected.
use carom::arena::settings::SettingsTable;
use carom::arena::{MatchEvent, MatchState, Settings, Tournament, TournamentError};
use carom::pgn::{GameRecord, Termination};
use std::sync::atomic::AtomicBool;

/// Group, place, name, value.
pub type Entry = (String, usize, String, String);

pub fn entry(group: &str, place: usize, name: &str, value: &str) -> Entry {
    (group.to_owned(), place, name.to_owned(), value.to_owned())
}

pub fn settings(entries: &[Entry]) -> Settings {
    let mut given = SettingsTable::default();
    for (group, place, name, value) in entries {
        given.set(group, *place, name, value).unwrap();
    }
    Settings::read(&given, 1).unwrap()
}

/// The settings that make this binary the engine at `place`.
pub fn engine(place: usize, habit: &str, protocol: &str, once: Option<&str>) -> Vec<Entry> {
    let own = std::env::current_exe().unwrap();
    let mut entries = vec![
        entry("engine", place, "cmd", own.to_str().unwrap()),
        entry("engine", place, "name", if place == 0 { "Good" } else { "Odd" }),
        entry("engine", place, "env.ODD_HABIT", habit),
        entry("engine", place, "proto", protocol),
    ];
    for argument in ["common::odd_engine::plays", "--exact", "--nocapture"] {
        entries.push(entry("engine", place, "arg", argument));
    }
    entries.extend(once.map(|path| entry("engine", place, "env.ODD_ONCE", path)));
    entries
}

/// Plays a match of two games, the odd engine being Black in the first.
fn play(
    habit: &str,
    protocol: &str,
    more: &[(&str, &str, &str)],
) -> Result<Vec<GameRecord>, TournamentError> {
    let once = std::env::temp_dir().join(format!("carom-odd-{habit}-{protocol}-{}", std::process::id()));
    let _ = std::fs::remove_file(&once);
    let mut entries = engine(0, "good", "uci", None);
    entries.extend(engine(1, habit, protocol, Some(once.to_str().unwrap())));
    entries.push(entry("", 0, "most-turns", "20"));
    entries.push(entry("each", 0, "tc", "60"));
    entries.push(entry("each", 0, "quit", "0.2"));
    for (group, name, value) in more {
        entries.push(entry(group, 1, name, value));
    }
    let (tournament, engines) = Tournament::prepare(settings(&entries))?;
    let mut games = Vec::new();
    let mut tell = |event: MatchEvent, _: &MatchState| -> Result<(), TournamentError> {
        if let MatchEvent::Finished(game) = event {
            games.push(*game);
        }
        Ok(())
    };
    tournament.run(engines, &mut MatchState::default(), &AtomicBool::new(false), None, &mut tell)?;
    let _ = std::fs::remove_file(once);
    Ok(games)
}

/// The odd engine loses the first game for this reason, and the second is as it should be.
fn check(habit: &str, protocol: &str, more: &[(&str, &str, &str)], ending: Termination, words: &str) {
    let games = play(habit, protocol, more).unwrap();
    let told: Vec<_> = games.iter().map(|game| (&game.result, &game.reason, game.turns.len())).collect();
    let [first, second] = games.as_slice() else { panic!("{habit}, {protocol}: {told:?}") };
    assert_eq!((first.result.as_str(), first.termination), ("1-0", ending), "{habit}, {protocol}: {told:?}");
    assert!(first.reason.starts_with("Black ") && first.reason.contains(words), "{habit}: {}", first.reason);
    // It had made one good turn; what it did then is no turn of the record.
    let made = if habit == "early-exit" { 5 } else { 3 };
    assert_eq!(first.turns.len(), made, "{habit}, {protocol}: {told:?}");
    assert_eq!((second.termination, second.turns.len()), (Termination::LengthAdjudication, 20), "{habit}");
}

#[test]
fn who_expects_the_right_turn_is_told_so_and_who_does_not_is_asked_again() {
    for habit in ["ponder", "wrong-guess"] {
        let games = play(habit, "uci", &[("engine", "ponder", "true")]).unwrap();
        for game in games {
            let told = (game.termination, game.turns.len());
            assert_eq!(told, (Termination::LengthAdjudication, 20), "{habit}: {}", game.reason);
        }
    }
}

#[test]
fn illegal_turns_and_none_at_all() {
    for protocol in ["uci", "cecp"] {
        check("illegal", protocol, &[], Termination::IllegalMove, "makes an illegal move: e2e5");
        check("garbage", protocol, &[], Termination::IllegalMove, "makes an illegal move: \u{1F4A9}!!");
        check("null", protocol, &[], Termination::NoMove, "makes an illegal move");
    }
    check("none", "uci", &[], Termination::NoMove, "makes an illegal move: (none)");
    check("empty", "uci", &[], Termination::NoMove, "makes an illegal move");
    check("none", "cecp", &[], Termination::IllegalMove, "makes an illegal move: (none)");
}

#[test]
fn crashes_and_early_exits() {
    for protocol in ["uci", "cecp"] {
        check("crash", protocol, &[], Termination::Disconnect, "disconnects");
        check("early-exit", protocol, &[], Termination::Disconnect, "disconnects");
    }
}

#[test]
fn hangs_and_late_answers() {
    let quick = [("engine", "st", "1"), ("engine", "timemargin", "1000"), ("engine", "hang", "1")];
    let patient = [("engine", "st", "1"), ("engine", "timemargin", "1000"), ("engine", "hang", "60")];
    for protocol in ["uci", "cecp"] {
        check("hang", protocol, &quick, Termination::Stall, "stalls");
        check("late", protocol, &patient, Termination::TimeForfeit, "loses on time");
    }
}

#[test]
fn floods_of_output() {
    for protocol in ["uci", "cecp"] {
        check("flood", protocol, &[], Termination::Flood, "floods");
        check("long-line", protocol, &[], Termination::Flood, "floods");
    }
}

#[test]
fn wrong_claims_refusals_and_resignations() {
    check("claim", "cecp", &[], Termination::FalseClaim, "claims wrongly: 1-0 {I say so}");
    check("refuse", "cecp", &[], Termination::Refusal, "refuses a legal move");
    check("resign", "cecp", &[], Termination::Resignation, "resigns");
}

#[test]
fn a_handshake_has_a_total_of_time_bytes_and_options_that_nothing_extends() {
    for protocol in ["uci", "cecp"] {
        for (habit, fault) in [
            ("endless-options", "cannot play: it declares more than 1000 options"),
            ("endless-lines", "cannot play: its handshake is longer than 1048576 bytes"),
            ("endless-wait", "stalls"),
        ] {
            let mut entries = engine(0, "good", "uci", None);
            entries.extend(engine(1, habit, protocol, None));
            entries.push(entry("each", 0, "start", "1"));
            let error = Tournament::prepare(settings(&entries)).err().unwrap().to_string();
            // Whoever is quick uses up the bytes before the time.
            let lengthy = habit == "endless-wait" && error.contains("is longer than 1048576 bytes");
            assert!(lengthy || error == format!("engine 2 (Odd): {fault}"), "{protocol}, {habit}: {error}");
        }
    }
}

#[test]
fn noise_and_stale_answers_do_no_harm() {
    for habit in ["good", "noise", "twice", "stubborn"] {
        for protocol in ["uci", "cecp", "ugi"] {
            for game in play(habit, protocol, &[]).unwrap() {
                assert_eq!(
                    game.termination,
                    Termination::LengthAdjudication,
                    "{habit}, {protocol}: {}",
                    game.reason
                );
                assert_eq!(game.turns.len(), 20);
                let played: Vec<&str> = game.turns.iter().map(|turn| turn.0.as_str()).collect();
                assert_eq!(
                    played.join(" "),
                    crate::common::odd_engine::GAME.split(' ').take(20).collect::<Vec<_>>().join(" ")
                );
            }
        }
    }
}

#[test]
fn an_engine_that_never_gets_ready_loses_every_game_and_the_match_goes_on() {
    for protocol in ["uci", "cecp"] {
        let games = play("crash-at-start", protocol, &[]).unwrap();
        let told: Vec<_> = games.iter().map(|game| (game.result.as_str(), game.termination)).collect();
        assert_eq!(told, [("1-0", Termination::Disconnect), ("0-1", Termination::Disconnect)]);
    }
}

#[test]
fn who_takes_alapo_for_a_chess_variant_sees_what_the_rules_take_off() {
    let mut entries = [engine(0, "shuttle", "uci", None), engine(1, "shuttle", "uci", None)].concat();
    for (group, name, value) in [
        ("", "game", "alapo"),
        ("", "games", "1"),
        ("", "most-turns", "12"),
        ("each", "variant", "alapo8"),
        ("each", "positions", "fen"),
        ("each", "tc", "60"),
    ] {
        entries.push(entry(group, 0, name, value));
    }
    let (tournament, engines) = Tournament::prepare(settings(&entries)).unwrap();
    let mut games = Vec::new();
    let mut tell = |event: MatchEvent, _: &MatchState| -> Result<(), TournamentError> {
        if let MatchEvent::Finished(game) = event {
            games.push(*game);
        }
        Ok(())
    };
    tournament.run(engines, &mut MatchState::default(), &AtomicBool::new(false), None, &mut tell).unwrap();
    let turns: Vec<&str> = games[0].turns.iter().map(|turn| turn.0.as_str()).collect();
    // After the eighth ply the start stands for the third time (R12): c2 and c7 go, and others must move.
    assert_eq!(turns[..8].join(" "), "c2b3 c7b6 b3c2 b6c7 c2b3 c7b6 b3c2 b6c7", "{}", games[0].reason);
    assert_eq!(turns[8..].join(" "), "f2g3 f7g6 g3f2 g6f7", "{}", games[0].reason);
    assert_eq!(games[0].termination, Termination::LengthAdjudication);
}

#[test]
fn a_game_or_a_value_the_engine_does_not_know_is_refused_before_the_first_game() {
    let error_in = |protocol, more: &[(&str, &str)]| {
        let mut entries = engine(0, "learner", protocol, None);
        entries.extend(engine(1, "learner", protocol, None));
        entries.extend(more.iter().map(|(name, value)| entry("engine", 1, name, value)));
        let prepared = Tournament::prepare(settings(&entries));
        prepared.err().map_or(String::new(), |error| error.to_string())
    };
    let error = |more: &[(&str, &str)]| error_in("uci", more);
    let refused = "engine 2 (Odd): cannot play: ";
    for (more, why) in [
        (vec![("variant", "other")], "it does not know the game other (its UCI_Variant offers chess)"),
        (vec![("option.Ponder", "on")], "option Ponder=on: it must be true or false"),
        (vec![("option.Hash", "65")], "option Hash=65: it must be a whole number from 1 to 64"),
        (vec![("option.Hash", "much")], "option Hash=much: it must be a whole number from 1 to 64"),
        (vec![("option.UCI_Variant", "go")], "option UCI_Variant=go: it must be one of chess"),
    ] {
        assert_eq!(error(&more), format!("{refused}{why}"));
    }
    assert_eq!(error(&[("option.Hash", "64")]), "");
    for (more, why) in [
        (("option.Contempt", "51"), "option Contempt=51: it must be a whole number from -50 to 50"),
        (("option.Book", "yes"), "option Book=yes: it must be true or false"),
        (("option.Style", "wild"), "option Style=wild: it must be one of bold, calm"),
        (("option.Hash", "0"), "option Hash=0: it must be a whole number from 1 on"),
        (("option.Threads", "1"), "it has no option `Threads`"),
        (("variant", "other"), "it does not know the game other (its feature variants: normal)"),
    ] {
        assert_eq!(error_in("cecp", &[more]), format!("{refused}{why}"));
    }
    for fine in
        [("option.Contempt", "-50"), ("option.Book", "true"), ("option.Book", "0"), ("option.Hash", "9")]
    {
        assert_eq!(error_in("cecp", &[fine]), "");
    }
    // The file tells of the game: the engine must be asked again.
    for protocol in ["uci", "cecp"] {
        let learned = [("variant", "other"), ("option.VariantPath", "games.ini")];
        assert_eq!(error_in(protocol, &learned), "");
    }
    let mut entries = engine(0, "good", "uci", None);
    entries.extend(engine(1, "good", "cecp", None));
    entries.push(entry("", 0, "game", "alapo"));
    let error = Tournament::prepare(settings(&entries)).err().unwrap().to_string();
    assert_eq!(
        error,
        "engine 1 (Good): cannot play: it does not know the game alapo (it has no option UCI_Variant)"
    );
}

#[test]
fn protocols_are_found_and_what_cannot_play_is_refused_before_the_first_game() {
    // The engine answers to all greetings: UCI is tried first.
    let mut entries = engine(0, "good", "uci", None);
    entries.extend(engine(1, "good", "uci", None));
    entries.retain(|entry| entry.2 != "proto");
    entries.push(entry("", 0, "most-turns", "4"));
    assert!(Tournament::prepare(settings(&entries)).is_ok());
    entries.push(entry("engine", 1, "option.Hash", "5"));
    let error = Tournament::prepare(settings(&entries)).err().unwrap().to_string();
    assert_eq!(error, "engine 2 (Odd): cannot play: it has no option `Hash`");
    let mut entries = engine(0, "good", "uci", None);
    entries.push(entry("engine", 1, "cmd", "/no/such/engine"));
    let error = Tournament::prepare(settings(&entries)).err().unwrap().to_string();
    // With a drive before it on Windows.
    let absolute = std::path::absolute("/no/such/engine").unwrap();
    let told = format!("engine 2: cannot play: `{}` does not start: ", absolute.display());
    assert!(error.starts_with(&told), "{error}");
}
