//! Two people who have a page each: whose seat it is, what both must agree to, what each may know, and games that a server finds again in
//! its file.
use crate::common::exchanged_hands::{BEFORE_A_CONTEST, CARD_GAMES, CardGame};
use crate::programs::serve::{Process, Tab, opened};
use carom::base::{Color, Rng};
use serde_json::{Value, json};

/// Two persons and somebody who looks on, each with a page.
struct Pages {
    /// White's page, Black's, and that of the onlooker.
    tabs: [Tab; 3],
    /// What each was told.
    heard: [Vec<Value>; 3],
}

impl Pages {
    /// White begins, Black takes the free seat, somebody looks on.
    fn begin(port: u16, mut wish: Value) -> Self {
        let mut tabs = [Tab::open(port), Tab::open(port), Tab::open(port)];
        wish["friend"] = json!("white");
        let begun = tabs[0].begin(&wish);
        assert_eq!(
            (&begun["seat"], &begun["yours"]),
            (&json!("white"), &json!(false)),
            "nobody to play with yet"
        );
        let early = tabs[0].ask(&json!({"do": "play", "word": "a2a3"}));
        assert_eq!(early["type"], "error", "{early}");
        let (session, code) = (begun["session"].clone(), begun["friends"]["invitation"].clone());
        let joined = tabs[1].ask(&json!({"do": "join", "session": session, "key": code}));
        assert_eq!(joined["seat"], "black", "{joined}");
        let mut heard = [tabs[0].state(), joined, tabs[2].ask(&json!({"do": "join", "session": session}))];
        for tab in &mut tabs[..2] {
            // Everybody is told that somebody looks on.
            tab.state();
        }
        assert_eq!(heard[0]["friends"]["present"], json!([true, true]));
        assert_eq!((&heard[2]["seat"], &heard[2]["key"]), (&Value::Null, &Value::Null));
        assert!(heard.iter().all(|state| state["friends"]["invitation"].is_null()), "the link was used");
        let heard = heard.each_mut().map(|state| vec![state.take()]);
        Self { tabs, heard }
    }

    fn last(&self, page: usize) -> &Value {
        self.heard[page].iter().rev().find(|message| message["type"] == "state").unwrap()
    }

    /// One page says something that changes the game: all are told.
    fn say(&mut self, page: usize, message: &Value) {
        self.tabs[page].say(message);
        for (tab, heard) in self.tabs.iter_mut().zip(&mut self.heard) {
            let told = tab.next_of(&["state", "error"]);
            assert_eq!(told["type"], "state", "{message}: {told}");
            heard.push(told);
        }
    }

    /// One page says something that it may not.
    fn refused(&mut self, page: usize, message: &Value) -> String {
        let told = self.tabs[page].ask(message);
        assert_eq!(told["type"], "error", "{message}: {told}");
        told["text"].as_str().unwrap().to_owned()
    }

    fn play(&mut self, word: &str) {
        let page = usize::from(self.last(0)["actor"] == "p2");
        self.say(page, &json!({"do": "play", "word": word}));
    }
}

#[test]
fn who_has_a_seat_plays_it_and_what_changes_the_game_both_agree_to() {
    let server = opened(None);
    let mut pages = Pages::begin(server.port(), json!({"do": "new", "game": "chess", "tc": "300+3"}));
    let session = pages.last(0)["session"].clone();
    pages.say(0, &json!({"do": "name", "name": " Ada "}));
    assert_eq!(pages.last(2)["friends"]["names"], json!(["Ada", null]));
    assert!(pages.refused(1, &json!({"do": "play", "word": "e2e4"})).contains("not your turn"));
    assert!(pages.refused(2, &json!({"do": "play", "word": "e2e4"})).contains("look on"));
    for alone in
        [json!({"do": "hint"}), json!({"do": "rewind", "to": 0}), json!({"do": "analyse", "lines": 1})]
    {
        assert!(pages.refused(0, &alone).contains("friend"), "{alone}");
    }
    pages.play("e2e4");
    assert_eq!(pages.last(1)["turns"][0]["san"], "e4");
    // To take back both must agree.
    assert!(pages.refused(1, &json!({"do": "undo"})).contains("nothing to take back"));
    pages.say(0, &json!({"do": "undo"}));
    assert_eq!(pages.last(1)["friends"]["proposal"], json!({"what": "undo", "by": "white"}));
    assert!(pages.refused(0, &json!({"do": "answer", "yes": true})).contains("nothing is asked"));
    pages.say(1, &json!({"do": "answer", "yes": false}));
    assert_eq!((&pages.last(0)["at"], &pages.last(0)["friends"]["proposal"]), (&json!(1), &Value::Null));
    pages.say(0, &json!({"do": "undo"}));
    pages.say(1, &json!({"do": "answer", "yes": true}));
    assert_eq!(pages.last(0)["at"], 0);
    // A draw that is offered lapses when somebody plays.
    pages.say(1, &json!({"do": "draw"}));
    pages.play("d2d4");
    assert_eq!(pages.last(0)["friends"]["proposal"], Value::Null);
    pages.say(0, &json!({"do": "draw"}));
    // Who offers what is offered agrees.
    pages.say(1, &json!({"do": "draw"}));
    assert_eq!(pages.last(2)["result"]["result"], "1/2-1/2");
    pages.say(0, &json!({"do": "rematch"}));
    pages.say(1, &json!({"do": "answer", "yes": true}));
    let seats = [0, 1, 2].map(|page| pages.last(page)["seat"].clone());
    assert_eq!(seats, [json!("black"), json!("white"), Value::Null]);
    assert_eq!(pages.last(2)["friends"]["names"], json!([null, "Ada"]), "the name goes with the person");
    assert_eq!((&pages.last(0)["at"], &pages.last(0)["result"]), (&json!(0), &Value::Null));
    // The key of a seat leads back to the person's seat.
    let key = pages.last(0)["key"].clone();
    let mut again = Tab::open(server.port());
    assert_eq!(again.ask(&json!({"do": "join", "session": session, "key": key}))["seat"], "black");
    pages.tabs[1].state();
    pages.say(1, &json!({"do": "resign"}));
    server.close();
}

/// Each page of a game, without what names it.
fn nameless(mut message: Value) -> Value {
    for name in ["session", "key"] {
        message.as_object_mut().unwrap().remove(name);
    }
    message
}

#[test]
fn no_message_to_a_seat_tells_deals_apart_that_its_person_cannot() {
    let server = opened(None);
    let mut compared = 0;
    for (game, seed) in CARD_GAMES.into_iter().flat_map(|game| (1..=2).map(move |seed| (game, seed))) {
        let whole = CardGame::random(game, BEFORE_A_CONTEST, seed, 24);
        let mut rng = Rng::new(seed);
        let cards = whole.before_cards();
        let played = whole.first(*cards.last().unwrap());
        if played.session().unwrap().outcome().is_some() {
            continue;
        }
        for (page, viewer) in [Some(Color::White), Some(Color::Black), None].into_iter().enumerate() {
            let Some(twin) = played.exchanged(viewer.as_slice(), &mut rng) else { continue };
            let [one, other] = [&played, &twin].map(|game| {
                let wish = json!({"do": "new", "game": game.game, "position": game.start, "seed": 7});
                let mut pages = Pages::begin(server.port(), wish);
                for word in game.words() {
                    pages.play(&word);
                }
                let heard = std::mem::take(&mut pages.heard[page]);
                heard.into_iter().map(nameless).collect::<Vec<_>>()
            });
            assert!(one.len() > 2);
            assert_eq!(one, other, "{viewer:?}: {} and {}", played.start, twin.start);
            compared += one.len();
        }
    }
    assert!(compared > 40, "{compared} messages were compared");
    server.close();
}

#[test]
fn games_survive_a_server_that_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let store = path.to_str().unwrap();
    let mut process = Process::start_with(&["--store", store]);
    let mut pages = Pages::begin(process.port, json!({"do": "new", "game": "hanniball", "tc": "600+5"}));
    for word in ["d4c6,", "0000", "d12e10,"] {
        pages.play(word);
    }
    let mut alone = Tab::open(process.port);
    alone.begin(
        &json!({"do": "new", "game": "chess", "seats": ["person", "person"], "moves": ["e2e4", "e7e5"]}),
    );
    alone.ask(&json!({"do": "rewind", "to": 1}));
    let other = alone.ask(&json!({"do": "play", "word": "c7c5"}));
    alone.ask(&json!({"do": "resign"}));
    let other = json!({"do": "join", "session": other["session"], "key": other["key"]});
    for (times, torn) in [(0, false), (1, true)] {
        process.kill();
        if torn {
            // What the server had not written to its end is cut off.
            use std::io::Write;
            std::fs::OpenOptions::new()
                .append(true)
                .open(&path)
                .unwrap()
                .write_all(b"{\"event\":\"ga")
                .unwrap();
        }
        process = Process::start_with(&["--store", store]);
        for page in 0..3 {
            let before = pages.last(page).clone();
            let mut tab = Tab::open(process.port);
            let after = tab.ask(&json!({"do": "join", "session": before["session"], "key": before["key"]}));
            for name in ["at", "turns", "fen", "board", "seat", "key", "prompt", "steps", "story", "tc"] {
                assert_eq!(after[name], before[name], "{name}, time {times}");
            }
        }
        let found = Tab::open(process.port).ask(&other);
        assert_eq!(found["turns"][1]["text"], "c7c5", "{found}");
        assert_eq!(found["variations"][0]["turns"][0]["text"], "e7e5");
        assert_eq!(found["result"]["reason"], "White resigns");
    }
    // Another program's file is left as it is.
    let foreign = folder.path().join("notes.txt");
    std::fs::write(&foreign, "my notes\n").unwrap();
    let (code, told) = Process::fails(&["--store", foreign.to_str().unwrap()]);
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains("left as it is"), "{told}");
    assert_eq!(std::fs::read_to_string(&foreign).unwrap(), "my notes\n");
    let (_, told) = Process::fails(&["--store", store]);
    assert!(told.contains("in use"), "{told}");
}
