//! Limited strength: a low number loses to full strength, more points win, and the same seed plays the same game.

use crate::common::conversation::Conversation;
use carom::engine::Engine;
use carom::search::Limits;

/// A player: so many nodes a move, less with a handicap.
struct Player {
    engine: Engine,
    nodes: u64,
}

impl Player {
    /// `handicap`: points and the seed of the mistakes.
    fn new(game: &str, nodes: u64, handicap: Option<(u32, u64)>) -> Self {
        let mut engine = Engine::new();
        let mut set = |name: &str, value: &str| assert!(engine.set(name, value).is_ok(), "{name}");
        set("UCI_Variant", game);
        set("Hash", "4");
        if let Some((elo, seed)) = handicap {
            set("UCI_LimitStrength", "true");
            set("UCI_Elo", &elo.to_string());
            set("Chance Seed", &seed.to_string());
        }
        engine.renew();
        Self { engine, nodes }
    }

    /// One of those that the search is measured against.
    fn baseline(game: &str, who: &str, nodes: u64, seed: u64) -> Self {
        let mut player = Self::new(game, nodes, None);
        assert!(player.engine.set("Player", who).is_ok());
        assert!(player.engine.set("Chance Seed", &(seed + 1).to_string()).is_ok());
        player
    }

    fn best_move(&mut self) -> String {
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        self.engine.best_move(limits).unwrap().token.unwrap()
    }
}

/// Plays one game; the words, and 2 for a win of `white`, 1 for a draw.
fn game(white: &mut Player, black: &mut Player) -> (Vec<String>, u32) {
    let mut words: Vec<String> = Vec::new();
    loop {
        let mover = if words.len().is_multiple_of(2) { &mut *white } else { &mut *black };
        mover.engine.set_up(None, &mut words.iter().map(String::as_str)).unwrap();
        let over = mover.engine.session().outcome().map(|outcome| outcome.result());
        match over {
            Some("1-0") => return (words, 2),
            Some("0-1") => return (words, 0),
            Some(_) => return (words, 1),
            None if words.len() >= 160 => return (words, 1),
            None => words.push(mover.best_move()),
        }
    }
}

/// The points of `first` in `games` games with changing colours.
fn points(
    name: &str,
    games: u64,
    mut first: impl FnMut(u64) -> Player,
    mut second: impl FnMut(u64) -> Player,
) -> u32 {
    let play = |number| {
        let (mut one, mut other) = (first(number), second(number));
        assert_eq!(one.engine.session().facts().name, name);
        if number % 2 == 0 { game(&mut one, &mut other).1 } else { 2 - game(&mut other, &mut one).1 }
    };
    (0..games).map(play).sum()
}

#[test]
fn the_weakest_lose_to_full_strength() {
    for (name, nodes) in [("chess", 3000), ("alapo", 3000), ("rollerball", 3000)] {
        let strong = |_| Player::new(name, nodes, None);
        let weak = |seed| Player::new(name, nodes, Some((600, seed + 1)));
        let won = points(name, 6, strong, weak);
        assert!(won >= 10, "{name}: {won} of 12");
    }
}

#[test]
fn more_points_are_stronger() {
    let strong = |seed| Player::new("chess", u64::MAX, Some((1200, seed + 100)));
    let weak = |seed| Player::new("chess", u64::MAX, Some((600, seed + 1)));
    let won = points("chess", 6, strong, weak);
    assert!(won >= 9, "{won} of 12");
}

/// When the weakest did not finish an iteration with all lines, they had nothing to choose from and played best: 900 lost to 600.
#[test]
fn neighbouring_levels_are_in_order() {
    let higher = |seed| Player::new("alapo", u64::MAX, Some((900, seed + 100)));
    let lower = |seed| Player::new("alapo", u64::MAX, Some((600, seed + 1)));
    let won = points("alapo", 12, higher, lower);
    assert!(won >= 14, "{won} of 24");
}

#[test]
fn the_same_seed_plays_the_same_game_and_others_play_others() {
    let play = |seed: u64| {
        let mut players = [1, 2_u64].map(|side| Player::new("chess", 3000, Some((800, seed * 2 + side))));
        let [white, black] = &mut players;
        game(white, black).0
    };
    assert_eq!(play(1), play(1));
    assert_ne!(play(1), play(2));
}

#[test]
fn tree_search_beats_greed_and_greed_beats_chance_and_the_search_beats_all() {
    let name = "alapo";
    let player = |who: &'static str, nodes| move |seed| Player::baseline(name, who, nodes, seed);
    for (better, worse, least) in [("greedy", "random", 14), ("mcts", "random", 14), ("search", "mcts", 14)] {
        let won = points(name, 8, player(better, 4000), player(worse, 4000));
        assert!(won >= least, "{better} against {worse}: {won} of 16");
    }
}

#[test]
fn every_player_keeps_to_legal_moves_in_every_game() {
    for facts in carom::variants::all() {
        for who in ["mcts", "greedy", "random"] {
            let mut player = Player::baseline(facts.name, who, 300, 5);
            let mut words: Vec<String> = Vec::new();
            for _ in 0..12 {
                player.engine.set_up(None, &mut words.iter().map(String::as_str)).unwrap();
                if player.engine.session().outcome().is_some() {
                    break;
                }
                words.push(player.best_move());
            }
        }
    }
}

#[test]
fn every_player_chooses_among_the_turns_it_is_asked_about() {
    for (game, moves, asked) in [
        ("wickets-dice", "d2d4 a7a6", ["e1d2,O@c2", "f2f3", "e1d2,O@c3"]),
        ("hanniball", "d4e6", ["b12c10,d13e13", "b12c10,f12g10,h13h14", "d12b11,d13c12,c14c13,h12i10"]),
        ("chess", "e2e4", ["e7e5", "c7c5", "a7a6"]),
    ] {
        let mut uci = Conversation::begin(&[], &format!("setoption name UCI_Variant value {game}"));
        for (who, seed) in
            ["search", "mcts", "greedy", "random"].iter().flat_map(|who| (1..7).map(move |seed| (who, seed)))
        {
            uci.say(&format!("setoption name Player value {who}"));
            uci.say(&format!("setoption name Chance Seed value {seed}"));
            uci.say(&format!("position startpos moves {moves}"));
            uci.say(&format!("go nodes 200 searchmoves {}", asked.join(" ")));
            let best = uci.hear_start("bestmove").split_whitespace().nth(1).unwrap().to_owned();
            // Where chance comes next its word follows.
            assert!(asked.iter().any(|turn| best.starts_with(turn)), "{who} in {game}, seed {seed}: {best}");
        }
        assert!(uci.end().1.success());
    }
}

/// With so few positions that no search sees the mate from where it begins; both sides are the same player.
#[test]
fn a_lone_king_is_mated_before_fifty_moves_are_over() {
    for (game, position, result) in [
        ("chess", "8/8/8/3k4/8/8/8/Q6K w - - 0 1", "1-0"),
        ("chess", "8/8/8/3k4/8/8/8/R6K w - - 0 1", "1-0"),
        ("chess", "7k/8/8/3K4/8/8/8/6bb w - - 0 1", "0-1"),
        ("chess", "8/8/8/3k4/8/8/8/1NB4K w - - 0 1", "1-0"),
        ("chess", "8/8/8/3k4/8/8/8/1N3B1K w - - 0 1", "1-0"),
        ("wickets-det", "****1***/8/5K2/8/8/3o4/8/5k2/1Oq5/****1*** w - - -:f7/-:c1 0 1", "0-1"),
        ("wickets-det", "****1***/8/o4K2/8/3O4/8/R7/4k3/8/****1*** w - - -:a3/-:e2 0 1", "1-0"),
    ] {
        let mut player = Player::new(game, 5000, None);
        let mut words: Vec<String> = Vec::new();
        let found = loop {
            player.engine.set_up(Some(position), &mut words.iter().map(String::as_str)).unwrap();
            if let Some(outcome) = player.engine.session().outcome() {
                break outcome.result();
            }
            words.push(player.best_move());
        };
        assert_eq!(found, result, "{game} {position}: {}", words.join(" "));
    }
}

#[test]
fn tree_search_sees_a_win_and_takes_it() {
    let mut player = Player::baseline("chess", "mcts", 100_000, 3);
    let position = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";
    player.engine.set_up(Some(position), &mut std::iter::empty()).unwrap();
    assert_eq!(player.best_move(), "a1a8");
}
