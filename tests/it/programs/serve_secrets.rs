//! What a page may know of a game with hidden cards, and whose the seats are: no message to a seat, or to somebody who looks on, tells
//! two deals apart that it cannot tell apart by the rules.
use crate::common::exchanged_hands::{BEFORE_A_CONTEST, CARD_GAMES, CardGame};
use crate::programs::serve::{Tab, opened};
use carom::base::{Color, Rng};
use serde_json::{Value, json};

/// A game over the page's messages: one page plays, another looks on.
struct Watched {
    player: Tab,
    onlooker: Tab,
    /// What the page that plays heard, with its viewer then; each answer to the onlooker.
    heard: [Vec<Value>; 2],
}

impl Watched {
    fn begin(port: u16, game: &CardGame, seats: Value) -> Self {
        let (mut player, mut onlooker) = (Tab::open(port), Tab::open(port));
        let begun = player.begin(&json!({
            "do": "new", "game": game.game, "position": game.start, "seats": seats, "level": "nodes=60", "seed": 7,
        }));
        let joined = onlooker.ask(&json!({"do": "join", "session": begun["session"]}));
        Self { player, onlooker, heard: [vec![begun], vec![joined]] }
    }

    /// Says something for the page that plays, and asks everything that can be asked of either.
    fn say(&mut self, message: &Value) -> Value {
        let answer = self.player.ask(message);
        assert_eq!(answer["type"], "state", "{message}: {answer}");
        let told = self.onlooker.state();
        self.heard[0].push(answer.clone());
        self.heard[1].push(told);
        self.ask_everything(&answer);
        answer
    }

    fn ask_everything(&mut self, state: &Value) {
        let mut questions = vec![
            json!({"do": "pgn"}),
            json!({"do": "look", "at": state["at"]}),
            json!({"do": "play", "word": "=9d,+7d"}),
        ];
        for word in ["", "=9d,", "=9d,+7d", "=9d,+2c", "O@e9,", "O@e9,=9d,+As"] {
            for question in ["legal", "continuations", "odds", "fen", "actor", "result"] {
                questions.push(json!({"do": "query", "question": question, "arguments": word}));
            }
        }
        if state["legal"]
            .as_array()
            .is_some_and(|legal| legal.iter().any(|decision| decision["kind"] == "card"))
        {
            self.player.say(&json!({"do": "hint"}));
            self.heard[0].push(self.player.next_of(&["hint"]));
            self.heard[0].push(self.player.state());
            self.heard[1].push(self.onlooker.next());
            // A hint is told only where nothing is hidden, a state to all.
            assert_eq!(self.heard[1].last().unwrap()["type"], "state");
            self.heard[1].push(self.onlooker.state());
        }
        for question in questions {
            self.heard[0].push(self.player.ask(&question));
            self.heard[1].push(self.onlooker.ask(&question));
        }
    }

    /// What `viewer` was told (`None`: who looks on), without the names of the game.
    fn texts_for(self, viewer: Option<Color>) -> Vec<Value> {
        let [player, onlooker] = self.heard;
        let Some(viewer) = viewer else { return onlooker.into_iter().map(nameless).collect() };
        let name = if viewer == Color::White { "white" } else { "black" };
        let mut looks = Value::Null;
        let seen = player.into_iter().filter(|message| {
            if message["type"] == "state" {
                looks = message["viewer"].clone();
            }
            looks == name || looks == "nobody"
        });
        seen.map(nameless).collect()
    }
}

fn nameless(mut message: Value) -> Value {
    for name in ["session", "key"] {
        message.as_object_mut().unwrap().remove(name);
    }
    message
}

/// Two persons at one page say the words of `game`; `last` of them says no more than that his turn has come.
fn two_persons(port: u16, game: &CardGame) -> Watched {
    let mut watched = Watched::begin(port, game, json!(["person", "person"]));
    for word in game.words() {
        if watched.heard[0].iter().rev().find(|message| message["type"] == "state").unwrap()["viewer"]
            == "nobody"
        {
            watched.say(&json!({"do": "ready"}));
        }
        watched.say(&json!({"do": "play", "word": word}));
    }
    if watched.heard[0].iter().rev().find(|message| message["type"] == "state").unwrap()["viewer"] == "nobody"
    {
        watched.say(&json!({"do": "ready"}));
    }
    watched
}

fn assert_same(one: &[Value], other: &[Value], what: &str) {
    assert_eq!(one.len(), other.len(), "{what}");
    for (one, other) in one.iter().zip(other) {
        assert_eq!(one, other, "{what}");
    }
}

#[test]
fn no_message_tells_deals_apart_that_are_alike_to_who_gets_it() {
    let server = opened(None);
    let port = server.port();
    let mut compared = 0;
    for (game, seed) in CARD_GAMES.into_iter().flat_map(|game| (1..=4).map(move |seed| (game, seed))) {
        let whole = CardGame::random(game, BEFORE_A_CONTEST, seed, 24);
        let mut rng = Rng::new(seed);
        let cards = whole.before_cards();
        assert!(!cards.is_empty(), "{whole:?}");
        // Just before a card is played, the one that is drawn for it is hidden.
        for end in [cards[0], cards[cards.len() / 2], *cards.last().unwrap()] {
            let played = whole.first(end);
            if played.session().unwrap().outcome().is_some() {
                continue;
            }
            for viewer in [None, Some(Color::White), Some(Color::Black)] {
                let Some(twin) = played.exchanged(viewer.as_slice(), &mut rng) else { continue };
                let [one, other] = [&played, &twin].map(|game| two_persons(port, game).texts_for(viewer));
                assert!(!one.is_empty());
                assert_same(&one, &other, &format!("{viewer:?}: {} and {}", played.start, twin.start));
                compared += one.len();
            }
        }
    }
    assert!(compared > 10_000, "{compared} messages were compared");
    server.close();
}

#[test]
fn odds_of_a_draw_are_those_of_who_looks() {
    let server = opened(None);
    let mut tab = Tab::open(server.port());
    let new = json!({"do": "new", "game": "wickets-cards", "seats": ["person", "engine"], "position": BEFORE_A_CONTEST});
    tab.begin(&new);
    let state = tab.ask(&json!({"do": "play", "word": "c3a5,O@e9,"}));
    let legal = state["legal"].as_array().unwrap();
    assert_eq!(legal.len(), 10, "{state}");
    for decision in legal {
        let odds = decision["odds"].as_array().unwrap();
        // All cards but the ten of one's own hand.
        assert_eq!(odds.len(), 30, "{decision}");
        assert!(odds.iter().all(|case| case["of"] == 30 && case["cases"] == 1), "{decision}");
    }
    server.close();
}

#[test]
fn against_the_engine_the_order_of_the_stock_is_in_no_message() {
    let server = opened(None);
    let port = server.port();
    for (game, seed) in CARD_GAMES.into_iter().zip(1..) {
        let dealt = CardGame::random(game, BEFORE_A_CONTEST, seed, 0);
        let mut rng = Rng::new(seed);
        // Neither player can tell these deals apart, so that the engine plays the same.
        let twin = dealt.exchanged(&Color::ALL, &mut rng).unwrap();
        let mut runs = [&dealt, &twin].map(|game| Watched::begin(port, game, json!(["person", "engine"])));
        for turn in 0..6 {
            let [one, other] = &mut runs;
            let state = one.heard[0].iter().rev().find(|message| message["type"] == "state").unwrap().clone();
            let legal = state["legal"].as_array().unwrap();
            let card = legal.iter().any(|decision| decision["kind"] == "card");
            let word = if turn == 0 { json!("c3a5,O@e9,") } else { rng.pick(legal).unwrap()["word"].clone() };
            if card {
                // From here on the rules show what is drawn.
                break;
            }
            for run in [one, other] {
                run.say(&json!({"do": "play", "word": word}));
                while run.heard[0].iter().rev().find(|message| message["type"] == "state").unwrap()["yours"]
                    != true
                {
                    let state = run.player.state();
                    run.heard[0].push(state);
                    run.heard[1].push(run.onlooker.state());
                }
            }
        }
        let [one, other] =
            runs.map(|run| run.heard.map(|heard| heard.into_iter().map(nameless).collect::<Vec<_>>()));
        assert!(one[0].iter().any(|state| state["legal"][0]["kind"] == "card"), "a card is to be played");
        assert_same(&one[0], &other[0], "the person");
        assert_same(&one[1], &other[1], "the onlooker");
    }
    server.close();
}

#[test]
fn a_game_whose_cards_were_shown_does_not_go_on() {
    let server = opened(None);
    let mut tab = Tab::open(server.port());
    let new =
        json!({"do": "new", "game": "wickets-cards", "seats": ["person", "engine"], "level": "nodes=40"});
    tab.begin(&new);
    for seats in [["engine", "engine"], ["engine", "person"], ["person", "person"]] {
        let refused = tab.ask(&json!({"do": "seats", "seats": seats}));
        assert_eq!(refused["text"], "both hands would be seen: players change in a new game", "{seats:?}");
    }
    // Another level shows nothing.
    assert_eq!(
        tab.ask(&json!({"do": "seats", "seats": ["person", "engine"], "level": "nodes=50"}))["level"],
        "nodes=50"
    );
    tab.ask(&json!({"do": "play", "word": "e2e4"}));
    while tab.state()["yours"] != true {}
    let before = tab.ask(&json!({"do": "resign"}));
    assert_eq!((&before["viewer"], &before["result"]["result"]), (&json!("all"), &json!("0-1")));
    let record = tab.ask(&json!({"do": "pgn"}));
    assert_eq!(record["type"], "pgn");
    let refused = tab.ask_of("state", &json!({"do": "load", "pgn": record["pgn"]}));
    assert!(refused["text"].as_str().unwrap().contains("shows the hidden cards"), "{refused}");
    for back in [json!({"do": "undo"}), json!({"do": "rewind", "to": 0}), json!({"do": "rewind", "to": 1})] {
        let refused = tab.ask(&back);
        assert_eq!(
            refused["text"], "the cards of this game were shown, so it cannot go on",
            "{back}: {refused}"
        );
    }
    assert_eq!(
        tab.ask(&json!({"do": "look", "at": 0}))["legal"].as_array().unwrap().len(),
        0,
        "nothing is decided there"
    );
    // Two persons: one may give his seat to the engine, and does not get it back.
    let mut tab = Tab::open(server.port());
    tab.begin(
        &json!({"do": "new", "game": "wickets-cards2", "seats": ["person", "person"], "level": "nodes=40"}),
    );
    assert_eq!(tab.ask(&json!({"do": "seats", "seats": ["person", "engine"]}))["viewer"], "white");
    assert_eq!(tab.ask(&json!({"do": "seats", "seats": ["person", "person"]}))["type"], "error");
    // Where nothing is hidden, all of this is as ever.
    let mut tab = Tab::open(server.port());
    tab.begin(&json!({"do": "new", "game": "wickets-dice", "seats": ["person", "person"]}));
    assert_eq!(tab.ask(&json!({"do": "resign"}))["result"]["result"], "0-1");
    assert!(tab.ask(&json!({"do": "undo"}))["result"].is_null());
    assert_eq!(
        tab.ask(&json!({"do": "seats", "seats": ["engine", "person"]}))["seats"],
        json!(["engine", "person"])
    );
    server.close();
}

#[test]
fn who_looks_on_has_no_seat() {
    let server = opened(None);
    let port = server.port();
    for game in ["rollerball", "wickets-cards"] {
        let (mut player, mut onlooker) = (Tab::open(port), Tab::open(port));
        let begun = player.begin(&json!({"do": "new", "game": game, "seats": ["person", "person"]}));
        assert!(begun["key"].is_string() && begun["key"] != begun["session"]);
        let seen = onlooker.ask(&json!({"do": "join", "session": begun["session"]}));
        assert_eq!((&seen["key"], &seen["yours"], &seen["legal"]), (&Value::Null, &json!(false), &json!([])));
        for wish in [
            json!({"do": "ready"}),
            json!({"do": "play", "word": "c2b3"}),
            json!({"do": "undo"}),
            json!({"do": "rewind", "to": 0}),
            json!({"do": "variation", "number": 0}),
            json!({"do": "resign"}),
            json!({"do": "draw"}),
            json!({"do": "hint"}),
            json!({"do": "analyse", "lines": 3}),
            json!({"do": "hurry"}),
            json!({"do": "pause", "on": true}),
            json!({"do": "seats", "seats": ["engine", "engine"]}),
        ] {
            let refused = onlooker.ask(&wish);
            assert_eq!(
                refused["text"], "you look on: the seats of this game belong to another page",
                "{wish}"
            );
        }
        let wrong = onlooker.ask(&json!({"do": "join", "session": begun["session"], "key": "0".repeat(32)}));
        assert_eq!(wrong["text"], "that is not the key of the game");
        // A game of its own is another one; the first is as it was, for who has its key.
        let own = onlooker.begin(&json!({"do": "new", "game": "alapo"}));
        assert_ne!(own["session"], begun["session"]);
        drop(player);
        let mut again = Tab::open(port);
        assert_eq!(
            again.ask(&json!({"do": "join", "session": begun["session"], "key": begun["key"]})),
            begun
        );
    }
    server.close();
}

#[test]
fn lines_and_hints_end_where_chance_speaks() {
    let server = opened(None);
    for game in ["wickets-dice", "wickets-dice2", "wickets-cards", "wickets-cards2"] {
        for seed in 1..=4 {
            let mut tab = Tab::open(server.port());
            tab.begin(&json!({
                "do": "new", "game": game, "seats": ["person", "engine"], "level": "nodes=300", "position": BEFORE_A_CONTEST, "seed": seed,
                "moves": if game.contains("dice") { vec!["c3a5,"] } else { vec!["c3a5,O@e9,"] },
            }));
            tab.say(&json!({"do": "analyse", "lines": 2}));
            tab.say(&json!({"do": "hint"}));
            let mut heard = Vec::new();
            while heard.last().is_none_or(|last: &Value| last["type"] != "hint") {
                heard.push(tab.next());
            }
            let hint = heard.pop().unwrap();
            assert!(
                !hint["word"].as_str().unwrap().contains('+')
                    && !hint["word"].as_str().unwrap().contains(",="),
                "{hint}"
            );
            for line in heard.iter().flat_map(|message| message["lines"].as_array()).flatten() {
                // Only what the player says himself is known.
                let first = line["pv"][0].as_str().unwrap();
                let drawn = first.split(',').skip(1).any(|leg| leg.starts_with(['=', '+']));
                let cards = game.contains("cards") && !first.contains('+');
                assert!(!drawn || cards, "after a real throw: {line}");
            }
        }
    }
    server.close();
}
