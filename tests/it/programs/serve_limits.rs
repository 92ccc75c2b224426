//! What one page may take from the others of `carom serve`: searches, memory, messages.
use crate::programs::serve::{Tab, opened, opened_for};
use serde_json::json;
use tungstenite::Message;

#[test]
fn a_turn_is_played_while_others_analyse_and_waiting_costs_the_engine_no_time() {
    let server = opened_for(None, 1);
    let port = server.port();
    let mut analysing: Vec<Tab> = (0..3).map(|_| Tab::open(port)).collect();
    for tab in &mut analysing {
        tab.begin(&json!({"do": "new", "game": "chess", "seats": ["person", "person"]}));
        tab.ask(&json!({"do": "analyse", "lines": 1}));
    }
    analysing[0].next_of(&["thinking"]);
    let mut player = Tab::open(port);
    let games = [(1, ["engine", "person"]), (1, ["engine", "person"]), (4, ["engine", "engine"])];
    for (turns, seats) in games {
        let new = json!({"do": "new", "game": "alapo", "seats": seats, "level": "nodes=200", "tc": "3+0", "pace": 0});
        let mut state = player.begin(&new);
        while state["at"].as_u64().unwrap() < turns {
            assert!(state["result"].is_null(), "{state}");
            state = player.state();
        }
        // An engine that only waited has all its time but for what it thought.
        assert!(state["result"].is_null() && state["clocks"][0].as_u64().unwrap() > 1000, "{state}");
    }
    player.ask(&json!({"do": "new", "game": "chess", "seats": ["person", "person"]}));
    // Lines are looked for again when nobody's turn waits.
    analysing[2].next_of(&["thinking"]);
    server.close();
}

#[test]
fn whoever_joins_the_game_he_is_in_stays_in_it() {
    let server = opened(None);
    let (mut tab, mut other) = (Tab::open(server.port()), Tab::open(server.port()));
    let begun = tab.begin(&json!({"do": "new", "game": "breakthrough", "seats": ["person", "person"]}));
    other.ask(&json!({"do": "join", "session": begun["session"]}));
    // With its key, without it, by whoever plays and whoever looks on: nothing changes.
    for key in [begun["key"].clone(), json!(null)] {
        assert_eq!(tab.ask(&json!({"do": "join", "session": begun["session"], "key": key})), begun);
    }
    assert!(other.ask(&json!({"do": "join", "session": begun["session"]}))["key"].is_null());
    let played = tab.ask(&json!({"do": "play", "word": "a2a3", "at": 0}));
    assert_eq!((&played["at"], &played["key"]), (&json!(1), &begun["key"]));
    assert_eq!(other.state()["at"], 1, "who looks on is told once");
    // Who comes to know the key plays from then on.
    assert_eq!(
        other.ask(&json!({"do": "join", "session": begun["session"], "key": begun["key"]}))["key"],
        begun["key"]
    );
    assert_eq!(other.ask(&json!({"do": "play", "word": "a7a6", "at": 1}))["at"], 2);
    assert_eq!(tab.state()["at"], 2);
    server.close();
}

#[test]
fn what_is_said_back_is_short() {
    let server = opened(None);
    let mut tab = Tab::open(server.port());
    tab.begin(&json!({"do": "new", "game": "alapo", "seats": ["person", "person"]}));
    let long = "\u{e9}".repeat(50_000);
    for message in [
        long.clone(),
        json!(long).to_string(),
        json!({"do": long}).to_string(),
        json!({ &long: 1, "do": "undo" }).to_string(),
        json!({"do": "undo", &long: 1}).to_string(),
        json!({"do": "new", "game": long}).to_string(),
        json!({"do": "new", "game": "alapo", "tc": long}).to_string(),
        json!({"do": "new", "game": "alapo", "level": long}).to_string(),
        json!({"do": "new", "game": "alapo", "position": long}).to_string(),
        json!({"do": "new", "game": "alapo", "moves": [long]}).to_string(),
        json!({"do": "new", "game": "alapo", "rules": {&long: long}}).to_string(),
        json!({"do": "new", "game": "alapo", "seats": [long, long]}).to_string(),
        json!({"do": "join", "session": long}).to_string(),
        json!({"do": "play", "word": long}).to_string(),
        json!({"do": "load", "pgn": format!("[Variant \"{long}\"]\n\n1. e4 *\n")}).to_string(),
        json!({"do": "load", "pgn": format!("[Variant \"alapo\"]\n\n1. {long} *\n")}).to_string(),
        json!({"do": "query", "question": long}).to_string(),
        json!({"do": "query", "question": "legal", "arguments": long}).to_string(),
    ] {
        let what: String = message.chars().take(60).collect();
        tab.0.send(Message::text(message)).unwrap();
        let answer = tab.next_of(&["error", "response"]);
        let length = answer.to_string().chars().count();
        assert!(length < 700, "{what}: {length} characters");
    }
    server.close();
}

#[test]
fn who_does_not_read_is_let_go_and_who_reads_stays() {
    let server = opened(None);
    let port = server.port();
    let (mut deaf, mut reader) = (Tab::open(port), Tab::open(port));
    let begun = deaf.begin(&json!({"do": "new", "game": "hanniball", "seats": ["person", "person"]}));
    reader.ask(&json!({"do": "join", "session": begun["session"], "key": begun["key"]}));
    let wish = json!({"do": "seats", "seats": ["person", "person"]}).to_string();
    let mut let_go = false;
    while !let_go {
        // Until the system's own buffers are full, and what may wait besides.
        let_go = (0..50).any(|_| deaf.0.send(Message::text(wish.clone())).is_err());
        // Whoever reads has then read all that came before this answer.
        reader.ask_of("look", &json!({"do": "look", "at": 0}));
    }
    reader.say(&json!({"do": "play", "word": "d4c6,"}));
    // What the one that was let go had still said comes first, perhaps.
    while reader.next_of(&["state"])["at"] != 1 {}
    server.close();
}

#[test]
fn seeds_are_of_64_bits_and_can_be_said_again() {
    let server = opened(None);
    let mut tab = Tab::open(server.port());
    let mut seed_of = |seed: Option<u64>| -> u64 {
        tab.begin(
            &json!({"do": "new", "game": "wickets-cards", "seats": ["person", "person"], "seed": seed}),
        );
        tab.ask(&json!({"do": "resign"}));
        let pgn = tab.ask(&json!({"do": "pgn"}))["pgn"].as_str().unwrap().to_owned();
        pgn.split("[ChanceSeed \"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
    };
    let seeds: Vec<u64> = (0..8).map(|_| seed_of(None)).collect();
    // Each half of the bits differs in eight of them.
    for part in [0, 32] {
        let halves: std::collections::BTreeSet<u32> =
            seeds.iter().map(|seed| (seed >> part) as u32).collect();
        assert_eq!(halves.len(), 8, "{seeds:?}");
    }
    assert_eq!(seed_of(Some(seeds[0])), seeds[0]);
    server.close();
}
