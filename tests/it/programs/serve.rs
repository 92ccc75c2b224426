//! `carom serve` as its pages see it: games played by the legal decisions that are offered, the examples of
//! `protocol-docs/web.md`, strangers, many tabs at once, and what is left when they are closed.
use carom::base::Rng;
use carom::game::Rules;
use carom::notation::Cell;
use carom::serve::{Server, Settings};
use carom::session::{self, chance::Chance};
use carom::variants;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, Ipv4Addr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use tungstenite::handshake::client::generate_key;
use tungstenite::http::Request;
use tungstenite::{Error, Message, WebSocket};

pub fn opened(journal: Option<PathBuf>) -> Arc<Server> {
    opened_for(journal, 4)
}

/// The same where so many searches may run at once.
pub fn opened_for(journal: Option<PathBuf>, searches: usize) -> Arc<Server> {
    let address = IpAddr::from(Ipv4Addr::LOCALHOST);
    let server = Server::open(&Settings { address, port: 0, journal, searches, store: None }).unwrap();
    let own = server.clone();
    std::thread::spawn(move || own.run());
    server
}

/// A tab.
pub struct Tab(pub WebSocket<TcpStream>);

impl Tab {
    pub fn open(port: u16) -> Self {
        let mut tab = Self::connect(port, &format!("http://localhost:{port}")).unwrap();
        assert_eq!(tab.next()["type"], "hello");
        tab
    }

    fn connect(port: u16, origin: &str) -> Result<Self, String> {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
        stream.set_nodelay(true).unwrap();
        let request = Request::get(format!("ws://localhost:{port}/socket"))
            .header("Host", format!("localhost:{port}"))
            .header("Origin", origin)
            .header("Connection", "Upgrade")
            .header("Upgrade", "websocket")
            .header("Sec-WebSocket-Version", "13")
            .header("Sec-WebSocket-Key", generate_key())
            .body(())
            .unwrap();
        let shaken = tungstenite::client(request, stream);
        shaken.map(|(socket, _)| Self(socket)).map_err(|error| error.to_string())
    }

    pub fn say(&mut self, message: &Value) {
        self.0.send(Message::text(message.to_string())).unwrap();
    }

    pub fn next(&mut self) -> Value {
        loop {
            if let Message::Text(text) = self.0.read().unwrap() {
                return serde_json::from_str(&text).unwrap();
            }
        }
    }

    /// The next message that is one of these.
    pub fn next_of(&mut self, kinds: &[&str]) -> Value {
        loop {
            let message = self.next();
            if kinds.iter().any(|kind| message["type"] == *kind) {
                return message;
            }
        }
    }

    pub fn state(&mut self) -> Value {
        self.next_of(&["state"])
    }

    pub fn ask(&mut self, message: &Value) -> Value {
        self.say(message);
        self.next_of(&["state", "error", "look", "pgn", "response"])
    }

    /// Says something, and waits for a message of that kind.
    pub fn ask_of(&mut self, kind: &str, message: &Value) -> Value {
        self.say(message);
        self.next_of(&[kind, "error"])
    }

    /// Begins a game; the state of it.
    pub fn begin(&mut self, message: &Value) -> Value {
        let state = self.ask(message);
        assert_eq!(
            (&state["type"], &state["game"]),
            (&json!("state"), &message["game"]),
            "{message}: {state}"
        );
        state
    }
}

fn get(port: u16, request: &str) -> String {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
    stream.write_all(request.replace('\n', "\r\n").replace("PORT", &port.to_string()).as_bytes()).unwrap();
    let mut answer = Vec::new();
    // Who is refused may be hung up on while he still speaks.
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

/// What a person sees of a decision before it is chosen; two that look alike could not be told apart.
fn looks(decision: &Value) -> String {
    ["kind", "from", "to", "path", "gone", "becomes", "what", "label"]
        .map(|name| decision[name].to_string())
        .join(" ")
}

/// A game of two persons who choose at random, and the same words said to the rules alone.
fn random_game(port: u16, game: &'static str, seed: u64, roll: bool) {
    let facts = variants::find(game).unwrap();
    let chance = if roll { Chance::Referee } else { Chance::Own { seed } };
    let mut rules = session::open(facts, Rules::of(facts), chance);
    rules.set_chance(chance);
    rules.set_up(None, &mut std::iter::empty()).unwrap();
    let mut tab = Tab::open(port);
    let begin = json!({"do": "new", "game": game, "seats": ["person", "person"], "seed": seed, "roll": roll});
    let mut state = tab.begin(&begin);
    let mut rng = Rng::new(seed);
    loop {
        if !state["result"].is_null() {
            break;
        }
        if state["viewer"] == "nobody" {
            assert!(state["legal"].as_array().unwrap().is_empty(), "{game}: {state}");
            state = tab.ask(&json!({"do": "ready"}));
        }
        let legal = state["legal"].as_array().unwrap();
        let different: BTreeSet<String> = legal.iter().map(looks).collect();
        assert_eq!(different.len(), legal.len(), "{game}: two decisions look alike: {legal:#?}");
        let decision = rng.pick(legal).unwrap_or_else(|| panic!("{game}: nothing is legal: {state}"));
        let word = decision["word"].as_str().unwrap().to_owned();
        state = tab.ask(&json!({"do": "play", "word": word, "at": state["at"]}));
        assert_eq!(state["type"], "state", "{game}: {word}: {state}");
        rules.play(&word).or_else(|error| rules.play(&format!("{word},")).map_err(|_| error)).unwrap();
        assert_eq!(state["at"], rules.tokens_played(), "{game}: {word}");
        assert_eq!(state["result"].is_null(), rules.outcome().is_none(), "{game}: {word}");
    }
    let outcome = rules.outcome().unwrap();
    let reason = format!("{} ({})", outcome.reason, outcome.rule);
    assert_eq!(state["result"], json!({"result": outcome.result(), "reason": reason}), "{game}");
    assert_eq!(state["fen"], rules.position().to_string(), "{game}");
    // Every board can be looked at again.
    for end in state["turns"].as_array().unwrap().iter().rev().take(20).map(|turn| &turn["end"]) {
        let look = tab.ask(&json!({"do": "look", "at": end}));
        assert_eq!(look["type"], "look", "{game}: {look}");
        let shown = rules.shown_after(end.as_u64().unwrap() as usize).unwrap();
        let pieces = look["board"]["pieces"].as_object().unwrap();
        let letters = shown.placement.cells.iter().filter(|cell| matches!(cell, Cell::Piece { .. })).count();
        assert_eq!(pieces.len(), letters, "{game} after {end}");
        if *end == state["at"] {
            assert_eq!(look["board"], state["board"], "{game}");
        }
    }
}

#[test]
fn random_games_of_every_mode_end_as_the_rules_say() {
    let server = opened(None);
    let port = server.port();
    std::thread::scope(|scope| {
        for (seed, facts) in (7..).zip(variants::all()) {
            scope.spawn(move || {
                random_game(port, facts.name, seed, false);
                if facts.name.starts_with("wickets-dice") {
                    random_game(port, facts.name, seed, true);
                }
            });
        }
    });
    server.close();
}

#[test]
fn the_engine_answers_and_its_games_end_as_well() {
    let server = opened(None);
    let port = server.port();
    std::thread::scope(|scope| {
        for facts in variants::all() {
            scope.spawn(move || {
                let mut tab = Tab::open(port);
                let new = json!({"do": "new", "game": facts.name, "seats": ["person", "engine"], "level": "nodes=40", "seed": 2});
                let mut state = tab.begin(&new);
                let mut rng = Rng::new(2);
                let mut turns = 0;
                while state["result"].is_null() && turns < 400 {
                    if state["yours"] != true {
                        // Nobody shows the person what the engine holds.
                        assert_eq!(state["legal"], json!([]), "{state}");
                        state = tab.state();
                        continue;
                    }
                    if !state["cards"].is_null() {
                        assert_eq!(state["cards"][1]["seen"], json!([]), "{}", facts.name);
                        assert!(state["fen"].as_str().unwrap().contains("/B=?"), "{state}");
                    }
                    let word = rng.pick(state["legal"].as_array().unwrap()).unwrap()["word"].clone();
                    state = tab.ask(&json!({"do": "play", "word": word, "at": state["at"]}));
                    turns += 1;
                }
                assert!(turns > 3, "{}: {state}", facts.name);
            });
        }
    });
    server.close();
}

#[test]
fn a_tab_that_comes_back_in_mid_turn_finds_everything_as_it_was() {
    let server = opened(None);
    let mut tab = Tab::open(server.port());
    tab.begin(&json!({"do": "new", "game": "hanniball", "seats": ["person", "engine"], "level": "nodes=50"}));
    let before = tab.ask(&json!({"do": "play", "word": "d4c6,"}));
    assert_eq!((&before["steps"], &before["yours"]), (&json!([1, 2]), &json!(true)), "{before}");
    drop(tab);
    for _ in 0..3 {
        let mut again = Tab::open(server.port());
        // The room may be just closing or still open; both end in the same state.
        let after = again.ask(&json!({"do": "join", "session": before["session"], "key": before["key"]}));
        assert_eq!(before, after);
    }
    let mut other = Tab::open(server.port());
    let error = other.ask(&json!({"do": "join", "session": "0123456789abcdef"}));
    assert_eq!(error["type"], "error");
    let mut again = Tab::open(server.port());
    again.ask(&json!({"do": "join", "session": before["session"], "key": before["key"]}));
    assert_eq!(again.ask(&json!({"do": "undo"}))["steps"], json!([0, 2]));
    server.close();
}

#[test]
fn two_tabs_of_a_game_see_the_same_and_two_games_know_nothing_of_each_other() {
    let server = opened(None);
    let port = server.port();
    let (mut one, mut other, mut third) = (Tab::open(port), Tab::open(port), Tab::open(port));
    let new = json!({"do": "new", "game": "rollerball", "seats": ["person", "person"]});
    let begun = one.begin(&new);
    third.begin(&new);
    let join = json!({"do": "join", "session": begun["session"], "key": begun["key"]});
    assert_eq!(other.ask(&join), begun);
    let word = begun["legal"][0]["word"].clone();
    let played = one.ask(&json!({"do": "play", "word": word, "at": 0}));
    assert_eq!(other.state(), played);
    let late = other.ask(&json!({"do": "play", "word": word, "at": 0}));
    assert_eq!(late["text"], "the board has changed since");
    assert_eq!(third.ask(&json!({"do": "query", "question": "fen"}))["response"], begun["fen"]);
    server.close();
}

#[test]
fn a_board_is_as_large_as_the_rules_make_it() {
    let server = opened(None);
    let mut tab = Tab::open(server.port());
    let boards = [
        ("breakthrough", json!({}), [8, 8]),
        ("breakthrough", json!({"board-size": "5x6"}), [5, 6]),
        ("alapo", json!({"board-size": "6x5"}), [6, 5]),
        ("rollerball", json!({}), [7, 7]),
        ("hanniball", json!({}), [9, 15]),
    ];
    for (game, rules, size) in boards {
        let seats = ["person", "person"];
        let begun = tab.begin(&json!({"do": "new", "game": game, "rules": rules, "seats": seats}));
        let board = &begun["board"];
        assert_eq!(json!([board["files"], board["ranks"]]), json!(size), "{game}");
    }
    server.close();
}

#[test]
fn who_goes_back_keeps_what_was_played_as_a_variation() {
    let server = opened(None);
    let mut tab = Tab::open(server.port());
    tab.begin(&json!({"do": "new", "game": "breakthrough", "seats": ["person", "person"]}));
    for word in ["a2a3", "a7a6", "b2b3"] {
        assert_eq!(tab.ask(&json!({"do": "play", "word": word}))["type"], "state");
    }
    let look = tab.ask(&json!({"do": "look", "at": 1}));
    assert_eq!((&look["board"]["pieces"]["a3"], &look["board"]["pieces"]["a7"]), (&json!("P"), &json!("p")));
    let back = tab.ask(&json!({"do": "rewind", "to": 1}));
    assert_eq!(tree(&back), ["0 after 1: a7a6 b2b3"]);
    let other = tab.ask(&json!({"do": "play", "word": "h7h6"}));
    assert_eq!(texts(&other["turns"]), "a2a3 h7h6");
    // Another turn on the board of a variation, and one more beside that.
    let look = tab.ask(&json!({"do": "look", "variation": 0, "at": 2}));
    assert_eq!((&look["board"]["pieces"]["a6"], &look["board"]["pieces"]["h7"]), (&json!("p"), &json!("p")));
    assert!(look["legal"].as_array().unwrap().iter().any(|decision| decision["word"] == "c2c3"), "{look}");
    tab.ask(&json!({"do": "variation", "number": 0, "to": 2}));
    let third = tab.ask(&json!({"do": "play", "word": "c2c3", "at": 2}));
    assert_eq!(texts(&third["turns"]), "a2a3 a7a6 c2c3");
    assert_eq!(tree(&third), ["0 after 2: b2b3", "1 after 1: h7h6"]);
    let first = tab.ask(&json!({"do": "variation", "number": 1}));
    assert_eq!(texts(&first["turns"]), "a2a3 h7h6");
    assert_eq!(tree(&first), ["0 after 1: a7a6 b2b3", "2 of 0 after 2: c2c3"]);
    // The record has the tree, and is read again as the same.
    let pgn = tab.ask(&json!({"do": "pgn"}))["pgn"].clone();
    let moves = pgn.as_str().unwrap().split("\n\n").nth(1).unwrap();
    assert_eq!(moves, "1. a2a3 h7h6 (1... a7a6 2. b2b3 (2. c2c3)) {to be continued} *");
    let mut reader = Tab::open(server.port());
    assert_eq!(reader.ask(&json!({"do": "undo"}))["text"], "no game has begun");
    let read = reader.ask(&json!({"do": "load", "pgn": pgn}));
    assert_eq!((&read["fen"], &read["turns"]), (&first["fen"], &first["turns"]));
    assert_eq!(tree(&read), ["0 after 1: a7a6 b2b3", "1 of 0 after 2: c2c3"]);
    assert_eq!(reader.ask(&json!({"do": "pgn"}))["pgn"], pgn);
    server.close();
}

fn texts(turns: &Value) -> String {
    let turns = turns.as_array().unwrap().iter().map(|turn| turn["text"].as_str().unwrap());
    turns.collect::<Vec<_>>().join(" ")
}

/// The variations of a state.
fn tree(state: &Value) -> Vec<String> {
    let line = |branch: &Value| {
        let of = branch["of"].as_u64().map_or(String::new(), |of| format!(" of {of}"));
        format!("{}{of} after {}: {}", branch["number"], branch["at"], texts(&branch["turns"]))
    };
    state["variations"].as_array().unwrap().iter().map(line).collect()
}

#[test]
fn a_variation_of_chess_is_read_and_written_in_short_writing() {
    let server = opened(None);
    let mut tab = Tab::open(server.port());
    let pgn = "[Result \"*\"]\n\n1. e4 e5 (1... c5 2. Nf3 (2. Nc3 Nc6) d6) 2. Bc4 (2. Qxf9) *\n";
    let state = tab.ask(&json!({"do": "load", "pgn": pgn}));
    assert_eq!(texts(&state["turns"]), "e2e4 e7e5 f1c4");
    let record = |tab: &mut Tab| tab.ask(&json!({"do": "pgn"}))["pgn"].as_str().unwrap().replace('\n', " ");
    let told = record(&mut tab);
    assert!(told.contains(" 1. e4 e5 (1... c5 2. Nf3 (2. Nc3 Nc6) 2... d6) 2. Bc4 {"), "{told}");
    // Where the game was taken back to, what followed stands beside its last turn.
    tab.ask(&json!({"do": "rewind", "to": 2}));
    let told = record(&mut tab);
    assert!(told.contains("1. e4 e5 (1... c5 2. Nf3 (2. Nc3 Nc6) 2... d6) (1... e5 2. Bc4) {"), "{told}");
    server.close();
}

#[test]
fn a_king_in_check_is_named_in_every_game_that_has_check() {
    let server = opened(None);
    let mut tab = Tab::open(server.port());
    let mut check = |game: &str, position: &str| {
        let wish = json!({"do": "new", "game": game, "position": position, "seats": ["person", "person"]});
        tab.begin(&wish)["check"].clone()
    };
    for (game, in_check, king, not) in [
        ("chess", "4k3/8/8/8/7b/8/3N4/4K2R w - - 0 1", "e1", "4k3/8/8/8/8/8/3N4/4K2R w - - 0 1"),
        (
            "wickets-dice",
            "****1***/4k1r1/5ppp/8/8/8/2B5/PPP2PPP/3KR3/****1*** b - - c3:d1/e8:g8 0 30",
            "e8",
            "****1***/4k1r1/5ppp/8/8/8/2B5/PPP2PPP/3K1R2/****1*** b - - c3:d1/e8:g8 0 30",
        ),
        (
            "rollerball",
            "2rbp2/1R1k3/2***2/2***2/2***2/2K4/3R3 b - 0 1",
            "d6",
            "2rbp2/3k3/2***2/2***2/2***2/2K4/3R3 b - 0 1",
        ),
        (
            "jai-alai",
            "9/ppp6/4k4/9/9/9/4A4/KPP6[TTTTtttt] b 0 1",
            "e6",
            "9/ppp6/4k4/9/9/9/5A3/KPP6[TTTTtttt] b 0 1",
        ),
    ] {
        assert_eq!(check(game, in_check), king, "{game}");
        assert_eq!(check(game, not), Value::Null, "{game}");
    }
    server.close();
}

/// True when `pattern` is found in `found`: objects may have more names, `…` is anything.
fn fits(pattern: &Value, found: &Value) -> bool {
    match (pattern, found) {
        (Value::String(any), _) if any == "…" => !found.is_null(),
        (Value::Object(pattern), Value::Object(found)) => {
            pattern.iter().all(|(name, value)| found.get(name).is_some_and(|own| fits(value, own)))
        }
        (Value::Array(pattern), Value::Array(found)) => {
            let open = pattern.last() == Some(&json!("…"));
            let listed = if open { &pattern[..pattern.len() - 1] } else { &pattern[..] };
            (open && found.len() >= listed.len() || found.len() == listed.len())
                && listed.iter().zip(found).all(|(one, other)| fits(one, other))
        }
        _ => pattern == found,
    }
}

#[test]
fn the_examples_of_the_page_about_the_page_are_true() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol-docs/web.md");
    let page = std::fs::read_to_string(page).unwrap();
    let server = opened(None);
    let blocks: Vec<&str> =
        page.split("```web\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(blocks.len() >= 5);
    for block in blocks {
        let mut tab = Tab::connect(server.port(), &format!("http://localhost:{}", server.port())).unwrap();
        for line in block.lines() {
            let (sign, text) = line.split_at(2);
            let value: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{line}: {error}"));
            match sign {
                "> " => tab.say(&value),
                "< " => {
                    let mut heard = Vec::new();
                    while !heard.last().is_some_and(|last| fits(&value, last)) {
                        assert!(heard.len() < 200, "{line}: heard {heard:#?}");
                        let next = tab.next();
                        let unexpected = next["type"] == "error" && value["type"] != "error";
                        assert!(!unexpected, "{line}: heard {next}");
                        heard.push(next);
                    }
                }
                _ => panic!("{line}: expected > or <"),
            }
        }
    }
    server.close();
}

#[test]
fn strangers_get_nothing() {
    let server = opened(None);
    let port = server.port();
    let status = |request: &str| get(port, request).split("\r\n").next().unwrap_or_default().to_owned();
    let page = get(port, "GET / HTTP/1.1\nHost: localhost:PORT\n\n");
    assert!(page.starts_with("HTTP/1.1 200 OK\r\n"), "{page}");
    for header in
        ["Content-Security-Policy: default-src 'none'; script-src 'self'", "X-Content-Type-Options: nosniff"]
    {
        assert!(page.contains(header), "{header}");
    }
    assert!(!page.to_ascii_lowercase().contains("access-control-allow"));
    for (request, wanted) in [
        ("GET / HTTP/1.1\nHost: evil.example:PORT\n\n", "403"),
        ("GET / HTTP/1.1\n\n", "403"),
        ("GET / HTTP/1.1\nHost: localhost:PORT\nOrigin: http://evil.example\n\n", "403"),
        ("GET /pieces/alapo.svg HTTP/1.1\nHost: localhost:PORT\nSec-Fetch-Site: cross-site\n\n", "403"),
        ("POST / HTTP/1.1\nHost: localhost:PORT\n\n", "405"),
        ("GET /Cargo.toml HTTP/1.1\nHost: localhost:PORT\n\n", "404"),
        ("GET /pieces/../../Cargo.toml HTTP/1.1\nHost: localhost:PORT\n\n", "404"),
        ("GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\nHost: localhost:PORT\n\n", "404"),
        ("GET //etc/passwd HTTP/1.1\nHost: localhost:PORT\n\n", "404"),
        ("GET /socket HTTP/1.1\nHost: localhost:PORT\n\n", "400"),
        ("nonsense\n\n", "400"),
    ] {
        assert!(status(request).contains(wanted), "{request}: {}", status(request));
    }
    for origin in ["http://evil.example", "null", "https://localhost", &format!("http://127.0.0.1:{port}")] {
        let error = Tab::connect(port, origin).err().unwrap_or_else(|| panic!("{origin} is let in"));
        assert!(error.contains("403"), "{origin}: {error}");
    }
    server.close();
}

/// Something that no page would say.
fn hostile(rng: &mut Rng, number: u64) -> String {
    let words = [
        "new",
        "join",
        "play",
        "undo",
        "rewind",
        "variation",
        "look",
        "hint",
        "analyse",
        "seats",
        "load",
        "query",
        "game",
        "x",
    ];
    let values = [
        json!(null),
        json!(-1),
        json!(1e300),
        json!(u64::MAX),
        json!("…\u{0}\u{1b}[2J"),
        json!("../../etc/passwd"),
        json!("a".repeat(3000)),
        json!([[]]),
        json!({"a": {}}),
        json!("e2e4,e2e4,e2e4"),
        json!("=6"),
        json!("+As"),
        json!("0000"),
        json!("8/8/8/8/8/8/8/8 w - - 0 1"),
        json!("hanniball"),
        json!(["person", "person"]),
        json!("depth=99"),
        json!(true),
    ];
    match number % 5 {
        0 => "[".repeat(2000),
        1 => format!("{{\"do\":\"{}\"", words[number as usize % words.len()]),
        2 => values[number as usize % values.len()].to_string(),
        _ => {
            let mut object = serde_json::Map::new();
            object.insert("do".into(), json!(rng.pick(&words).unwrap()));
            for name in [
                "word", "game", "to", "at", "number", "seats", "position", "moves", "level", "pgn",
                "question", "session", "lines",
            ] {
                if rng.below(3) == 0 {
                    object.insert(name.into(), rng.pick(&values).unwrap().clone());
                }
            }
            Value::Object(object).to_string()
        }
    }
}

/// Says `count` hostile things; each is answered, by an explanation or by what it asks for.
fn be_hostile(port: u16, seed: u64, count: u64) {
    let mut rng = Rng::new(seed);
    let mut tab = Tab::open(port);
    for number in 0..count {
        let text = hostile(&mut rng, number);
        tab.0.send(Message::text(text.clone())).unwrap();
        let answer = tab.next();
        assert!(answer["type"].is_string(), "{text}: {answer}");
    }
}

#[test]
fn ten_thousand_hostile_messages_break_nothing_and_leave_nothing_behind() {
    let process = Process::start();
    let port = process.port;
    let mut bystander = Tab::open(port);
    let begun = bystander.begin(&json!({"do": "new", "game": "alapo", "seats": ["person", "person"]}));
    let round = || {
        std::thread::scope(|scope| {
            (1..=4).for_each(|seed| drop(scope.spawn(move || be_hostile(port, seed, 2500))))
        });
        // Bytes are no text, and too many of them are no message.
        let mut tab = Tab::open(port);
        tab.0.send(Message::binary(vec![0, 159, 146, 150])).unwrap();
        assert_eq!(tab.next()["type"], "error");
        let long = tab.0.send(Message::text("x".repeat(300_000)));
        let closed = |read| {
            matches!(
                read,
                Err(Error::Io(_) | Error::Protocol(_) | Error::ConnectionClosed) | Ok(Message::Close(_))
            )
        };
        assert!(long.is_err() || closed(tab.0.read()));
    };
    round();
    #[cfg(target_os = "linux")]
    {
        let memory = process.status("VmRSS");
        round();
        let after = process.status("VmRSS");
        eprintln!("10,000 hostile messages: {memory} kB before, {after} kB after");
        assert!(after < memory + 10_000, "{memory} kB became {after} kB");
    }
    let fen = bystander.ask(&json!({"do": "query", "question": "fen"}));
    assert_eq!(fen["response"], begun["fen"]);
}

/// `carom serve` as a process.
pub struct Process {
    child: Child,
    pub port: u16,
}

impl Process {
    fn start() -> Self {
        Self::start_with(&[])
    }

    pub fn start_with(options: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
        command.args(["serve", "--port", "0"]).args(options);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let port = line.split("localhost:").nth(1).unwrap().split('/').next().unwrap().parse().unwrap();
        Self { child, port }
    }

    /// Ends it as a crash would.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// How it ends that cannot begin, and what it says then.
    pub fn fails(options: &[&str]) -> (Option<i32>, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
        let ended = command.args(["serve", "--port", "0"]).args(options).output().unwrap();
        (ended.status.code(), String::from_utf8_lossy(&ended.stderr).into_owned())
    }

    /// A number of its status: threads, or kilobytes of memory.
    #[cfg(target_os = "linux")]
    fn status(&self, name: &str) -> u64 {
        let text = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.trim_matches([':', '\t', ' ']).split(' ').next().unwrap().parse().unwrap()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_hundred_tabs_at_once_lose_nothing_and_leave_nothing_behind() {
    let process = Process::start();
    let port = process.port;
    let games = variants::all();
    // What is built at the first use is there from then on.
    let round = |tabs: usize| {
        let mut open: Vec<Tab> = (0..tabs).map(|_| Tab::open(port)).collect();
        std::thread::scope(|scope| {
            for (number, tab) in open.iter_mut().enumerate() {
                let game = games[number % games.len()].name;
                scope.spawn(move || {
                    let new = json!({"do": "new", "game": game, "seats": ["person", "engine"], "level": "nodes=30", "seed": number + 1});
                    let mut state = tab.begin(&new);
                    let mut rng = Rng::new(number as u64);
                    let mut said = 0;
                    while said < 4 && state["result"].is_null() {
                        if state["yours"] == true {
                            let word = rng.pick(state["legal"].as_array().unwrap()).unwrap()["word"].clone();
                            let before = state["at"].as_u64().unwrap();
                            state = tab.ask(&json!({"do": "play", "word": word, "at": before}));
                            assert_eq!(state["at"].as_u64().unwrap(), before + 1, "{state}");
                            said += 1;
                        } else {
                            state = tab.state();
                        }
                    }
                });
            }
        });
        assert!(process.status("Threads") > 2 * tabs as u64);
        for tab in &open {
            tab.0.get_ref().shutdown(std::net::Shutdown::Both).unwrap();
        }
    };
    let settled = |wanted: u64| {
        // Asking takes the time that threads need to end.
        for _ in 0..100_000 {
            get(port, "GET /x HTTP/1.1\nHost: localhost:PORT\n\n");
            if process.status("Threads") <= wanted {
                return;
            }
        }
        panic!("{} threads are left", process.status("Threads"));
    };
    let idle = process.status("Threads");
    // As many games as are kept are kept from then on.
    for _ in 0..3 {
        round(100);
        settled(idle + 1);
    }
    let memory = process.status("VmRSS");
    for _ in 0..3 {
        round(100);
        settled(idle + 1);
    }
    let most = process.status("VmHWM");
    let after = process.status("VmRSS");
    eprintln!("100 games at once: {memory} kB before, {most} kB at most, {after} kB after");
    assert!(after < memory + memory / 4 + 20_000, "{memory} kB became {after} kB, at most {most} kB");
}

#[test]
fn a_match_is_watched_from_its_journal() {
    let folder = std::env::temp_dir().join(format!("carom-watch-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let journal = folder.join("games.jsonl");
    let _ = std::fs::remove_file(&journal);
    let server = opened(Some(journal.clone()));
    let mut tab = Tab::open(server.port());
    assert_eq!(tab.ask(&json!({"do": "journal", "from": 0}))["type"], "error");
    let played = Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(["match", "-game", "chess", "-games", "4", "-each", "nodes=50", "tc=inf", "-quiet", "-journal"])
        .arg(&journal)
        .output()
        .unwrap();
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
    tab.say(&json!({"do": "journal", "from": 0}));
    let answer = tab.next_of(&["journal"]);
    assert_eq!((&answer["games"], &answer["game"]), (&json!(4), &json!("chess")));
    assert_eq!(answer["rows"].as_array().unwrap().len(), 4);
    assert_eq!(answer["curve"].as_array().unwrap().len(), 4);
    let number = answer["rows"][0]["number"].clone();
    tab.say(&json!({"do": "game", "number": number}));
    let game = tab.next_of(&["game"]);
    let (boards, turns) = (game["boards"].as_array().unwrap(), game["turns"].as_array().unwrap());
    assert_eq!(boards.len(), turns.len() + 1, "every turn has its board");
    assert_eq!(turns.len(), answer["rows"][0]["turns"]);
    tab.say(&json!({"do": "game", "number": 77}));
    assert_eq!(tab.next_of(&["error"])["text"], "there is no game 77");
    // What was read is not read again: it may be anything by now, what is new is found behind it.
    let text = std::fs::read_to_string(&journal).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let number = |number: u64| {
        let first = lines[4].find("\"number\":").unwrap() + "\"number\":".len();
        let end = first + lines[4][first..].find(',').unwrap();
        format!("{}{number}{}\n", &lines[4][..first], &lines[4][end..])
    };
    // By its beginning a file is known again, so the damage is behind that.
    assert!(lines[..3].concat().len() > 4096, "the games are longer");
    let damaged = text.replacen(lines[3], &"x".repeat(lines[3].len()), 1);
    std::fs::write(&journal, format!("{damaged}{}", number(99))).unwrap();
    let answer = tab.ask_of("journal", &json!({"do": "journal", "from": 4}));
    assert_eq!(answer["type"], "journal", "{answer}");
    assert_eq!((&answer["games"], &answer["rows"][0]["number"]), (&json!(5), &json!(99)));
    // Half a line waits for its other half.
    let line = number(100);
    let append = |part: &str| {
        let mut file = std::fs::OpenOptions::new().append(true).open(&journal).unwrap();
        file.write_all(part.as_bytes()).unwrap();
    };
    append(&line[..40]);
    assert_eq!(tab.ask_of("journal", &json!({"do": "journal", "from": 5}))["games"], 5);
    append(&line[40..]);
    assert_eq!(tab.ask_of("journal", &json!({"do": "journal", "from": 5}))["games"], 6);
    // Another file of that name is read from its beginning.
    std::fs::write(&journal, format!("{}\n{}\n", lines[0], lines[1])).unwrap();
    let answer = tab.ask_of("journal", &json!({"do": "journal", "from": 0}));
    assert_eq!((&answer["games"], answer["curve"].as_array().unwrap().len()), (&json!(1), 1));
    server.close();
    std::fs::remove_dir_all(folder).unwrap();
}
