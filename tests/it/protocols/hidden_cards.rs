//! What the protocols say in games with hidden cards: the same game with hidden cards exchanged sounds the same.
use crate::common::conversation::Conversation;
use crate::common::exchanged_hands::{BEFORE_A_CONTEST, CARD_GAMES, CardGame};
use carom::base::{Color, Rng};
use carom::game::{Actor, Rules};
use carom::notation::{Leg, parse_token};
use carom::session::{self, Session, chance::Chance};
use carom::variants;

#[test]
fn every_row_of_the_table_has_its_test() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("protocol-docs/chance-and-hidden.md")).unwrap();
    let table =
        page.lines().skip_while(|line| !line.starts_with("| who |")).take_while(|line| line.starts_with('|'));
    let rows: Vec<Vec<&str>> =
        table.skip(2).map(|line| line.trim_matches('|').split('|').map(str::trim).collect()).collect();
    for who in [
        "page",
        "terminal",
        "looks on",
        "XBoard",
        "engine of a match",
        "opponent",
        "bridge",
        "spectator",
        "journal",
        "log",
        "processes",
    ] {
        assert!(rows.iter().any(|row| row[0].contains(who)), "{who}");
    }
    for row in rows {
        let (module, test) = row.last().unwrap().trim_matches('`').rsplit_once("::").unwrap();
        let text = std::fs::read_to_string(root.join(format!("tests/it/{}.rs", module.replace("::", "/"))))
            .unwrap_or_default();
        assert!(text.contains(&format!("#[test]\nfn {test}()")), "{row:?}");
    }
}

/// A line without what a clock measured.
fn timeless(line: &str) -> String {
    let mut words = line.split_whitespace();
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        if matches!(word, "time" | "nps") {
            words.next();
        } else {
            kept.push(word);
        }
    }
    kept.join(" ")
}

/// All that Carom says in UCI to a search of the game's last position, as the first of the game.
fn searched(conversation: &mut Conversation, game: &CardGame) -> Vec<String> {
    conversation.say("ucinewgame");
    searched_next(conversation, game)
}

/// The same, after what was searched before.
fn searched_next(conversation: &mut Conversation, game: &CardGame) -> Vec<String> {
    conversation.say(&format!("position fen {} moves {}", game.start, game.tokens.join(" ")));
    conversation.say("isready");
    conversation.hear_start("readyok");
    let before = conversation.heard().len();
    conversation.say("go nodes 1500");
    conversation.hear_start("bestmove");
    conversation.heard()[before..].iter().map(|line| timeless(line)).collect()
}

#[test]
fn over_uci_a_search_depends_on_nothing_its_player_may_not_know() {
    let mut compared = 0;
    for (game, chance) in CARD_GAMES.into_iter().flat_map(|game| [(game, "referee"), (game, "self")]) {
        let mut conversation = Conversation::begin(&[], "uci");
        conversation.say(&format!("setoption name UCI_Variant value {game}"));
        conversation.say(&format!("setoption name Chance value {chance}"));
        conversation.say("setoption name Chance Seed value 7");
        for seed in 1..=3 {
            let whole = CardGame::random(game, BEFORE_A_CONTEST, seed, 12);
            let mut rng = Rng::new(seed);
            for end in [0].into_iter().chain(whole.before_cards()) {
                let played = whole.first(end);
                let Actor::Player(player) = played.session().unwrap().actor() else { continue };
                let Some(twin) = played.exchanged(&[player], &mut rng) else { continue };
                let (one, other) = (searched(&mut conversation, &played), searched(&mut conversation, &twin));
                // What chance deals to the player is seen from then on: until then all is equal.
                let best = one.last().unwrap().split_whitespace().nth(1).unwrap();
                let own = best.split(",+").next().unwrap();
                let drawn = format!("pv {own},+");
                let until = |lines: &[String]| -> Vec<String> {
                    let before = lines.iter().take_while(|line| {
                        !line.starts_with("bestmove") && (best == own || !line.contains(&drawn))
                    });
                    before.cloned().collect()
                };
                assert_eq!(until(&one), until(&other), "{played:?}\n{twin:?}");
                let said = |lines: &[String]| lines.last().unwrap().starts_with(&format!("bestmove {own}"));
                assert!(said(&one) && said(&other), "{one:?}\n{other:?}");
                compared += until(&one).len();
            }
        }
        assert!(conversation.end().1.success());
    }
    assert!(compared > 200, "only {compared} lines were compared");
}

#[test]
fn a_search_uses_nothing_that_a_search_for_the_other_player_left_behind() {
    let mut compared = 0;
    let mut conversation = Conversation::begin(&[], "uci");
    for game in CARD_GAMES {
        conversation.say(&format!("setoption name UCI_Variant value {game}"));
        for seed in 1..=7 {
            let whole = CardGame::random(game, BEFORE_A_CONTEST, seed, 12);
            let mut rng = Rng::new(seed);
            for end in whole.before_cards() {
                let played = whole.first(end);
                let actor = |tokens: usize| whole.first(tokens).session().unwrap().actor();
                let Actor::Player(player) = actor(end) else { continue };
                let other = Actor::Player(!player);
                let Some(earlier) = (0..end).rev().find(|&tokens| actor(tokens) == other) else { continue };
                let Some(twin) = played.exchanged(&[player], &mut rng) else { continue };
                let [one, other] = [&played, &twin].map(|game| {
                    searched(&mut conversation, &game.first(earlier));
                    let lines = searched_next(&mut conversation, game);
                    // Lines that show a card that is drawn may differ.
                    lines.into_iter().filter(|line| !line.contains(",+")).collect::<Vec<_>>()
                });
                assert_eq!(one, other, "{played:?}\n{twin:?}");
                compared += one.len();
            }
        }
    }
    assert!(conversation.end().1.success());
    assert!(compared > 100, "only {compared} lines were compared");
}

/// A user who plays White at random against Carom over XBoard; what he is told from each of his words to the next.
struct Game {
    whole: CardGame,
    words: Vec<String>,
    told: Vec<Vec<String>>,
}

/// Plays it: `words` first, then what `rng` chooses.
fn play_xboard(game: &'static str, start: &str, words: &[String], rng: &mut Rng) -> Game {
    let facts = variants::find(game).unwrap();
    // It knows the stock, and so what Carom draws.
    let mut session = session::open(facts, Rules::of(facts), Chance::Own { seed: 7 });
    session.set_up(Some(start), &mut std::iter::empty()).unwrap();
    let mut conversation = Conversation::begin(&[], "xboard");
    for line in ["protover 2", "new", "nps 400", "st 1", "post", "hard", "option Chance Seed=7"] {
        conversation.say(line);
    }
    conversation.say(&format!("variant {game}"));
    conversation.say(&format!("setboard {start}"));
    conversation.say("ping 0");
    conversation.hear_start("pong 0");
    let (mut said, mut told) = (Vec::new(), Vec::new());
    while said.len() < 14 && session.outcome().is_none() {
        let word = words.get(said.len()).cloned().unwrap_or_else(|| attack(&*session, rng));
        let before = conversation.heard().len();
        session.play(&word).unwrap();
        conversation.say(&format!("usermove {word}"));
        said.push(word);
        while session.outcome().is_none() && session.actor() == Actor::Player(Color::Black) {
            let line = conversation.hear_start("move ");
            // Where a card is drawn face down we know which it is.
            let words = line["move ".len()..].split("+?").map(|words| words.trim_matches(','));
            words.filter(|words| !words.is_empty()).for_each(|words| session.play(words).unwrap());
        }
        conversation.say(&format!("ping {}", said.len()));
        conversation.hear_start("pong");
        told.push(conversation.heard()[before..].to_vec());
    }
    conversation.say("quit");
    assert!(conversation.end().1.success());
    let start = session.position_after(0).unwrap().to_string();
    Game { whole: CardGame { game, start, tokens: session.as_text().1 }, words: said, told }
}

/// A legal word, one that throws the ball at the wicket if there is one.
pub fn attack(session: &dyn Session, rng: &mut Rng) -> String {
    let all = session.tokens("", 20_000).unwrap().unwrap();
    let wicket = if session.actor() == Actor::Player(Color::White) { "O@e9" } else { "O@e0" };
    let throws: Vec<String> = all.iter().filter(|token| token.contains(wicket)).cloned().collect();
    rng.pick(if throws.is_empty() { &all } else { &throws }).unwrap().clone()
}

#[test]
fn over_xboard_nothing_tells_the_user_what_carom_holds_or_draws() {
    let (mut equal, mut drawn) = (0, 0);
    for (game, seed) in CARD_GAMES.into_iter().flat_map(|game| (1..=4).map(move |seed| (game, seed))) {
        let facts = variants::find(game).unwrap();
        let mut dealt = session::open(facts, Rules::of(facts), Chance::Own { seed });
        dealt.set_up(Some(BEFORE_A_CONTEST), &mut std::iter::empty()).unwrap();
        let start = dealt.position().to_string();
        let mut rng = Rng::new(seed);
        let one = play_xboard(game, &start, &[], &mut rng);
        // Its own draws are told to the user in these words, and no others.
        let others = one.told.iter().flatten().filter(|line| !line.starts_with("telluser Chance: "));
        for line in others.clone() {
            let named = |word: &str| {
                let legs = parse_token(word).map(|token| token.legs).unwrap_or_default();
                legs.iter().any(|leg| matches!(leg, Leg::Draw(Some(_))))
            };
            assert!(!line.split_whitespace().any(named), "{line}");
        }
        drawn += others.filter(|line| line.contains("+?")).count();
        let Some(twin) = one.whole.exchanged(&[Color::White], &mut rng) else { continue };
        let other = play_xboard(game, &twin.start, &one.words[..1], &mut rng);
        for (number, (told, again)) in one.told.iter().zip(&other.told).enumerate() {
            // With other cards Carom may well decide otherwise: its turn is the first that may differ.
            let turn = |line: &String| line.starts_with("move ");
            let before =
                |lines: &[String]| lines.iter().take_while(|line| !turn(line)).cloned().collect::<Vec<_>>();
            assert_eq!(before(told), before(again), "{game}, {seed}, after word {number}");
            equal += 1;
            if told != again || one.words.get(number + 1) != other.words.get(number + 1) {
                break;
            }
        }
    }
    assert!(equal >= 8 && drawn >= 8, "{equal} answers were compared, {drawn} cards drawn");
}

#[test]
fn over_xboard_a_user_cannot_ask_which_card_comes_next() {
    let facts = variants::find("wickets-cards").unwrap();
    let mut dealt = session::open(facts, Rules::of(facts), Chance::Own { seed: 3 });
    dealt.set_up(Some(BEFORE_A_CONTEST), &mut std::iter::empty()).unwrap();
    let start = dealt.position().to_string();
    let hand = start.split("W=").nth(1).unwrap();
    let (card, next) = (&hand[..2], &start.split("S=").nth(1).unwrap()[..2]);
    let mut conversation = Conversation::begin(&[], "xboard");
    for line in ["protover 2", "new", "variant wickets-cards", &format!("setboard {start}")] {
        conversation.say(line);
    }
    let mut refusals = Vec::new();
    for drawn in [next, &start.split("B=").nth(1).unwrap()[..2]] {
        conversation.say(&format!("usermove c3a5,O@e9,={card},+{drawn}"));
        let refusal = conversation.hear_start("Illegal move");
        refusals.push(refusal.replace(drawn, ""));
    }
    assert_eq!(refusals[0], refusals[1]);
    conversation.say("quit");
    assert!(conversation.end().1.success());
}
