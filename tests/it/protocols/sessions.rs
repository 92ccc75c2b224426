//! Ordinary conversations with the real binary, both protocols.
use crate::common::conversation::Conversation;
use carom::base::Color;
use carom::game::Rules;
use carom::session::{self, chance::Chance};
use carom::variants;
use std::collections::BTreeSet;

fn uci() -> Conversation {
    let mut uci = Conversation::begin(&[], "uci");
    uci.hear_start("uciok");
    uci
}

fn word_after<'a>(line: &'a str, word: &str) -> &'a str {
    let mut words = line.split_whitespace().skip_while(|w| *w != word);
    words.nth(1).unwrap_or_else(|| panic!("no {word} in {line}"))
}

#[test]
fn uci_introduces_itself_with_the_whole_table_of_options() {
    let mut uci = uci();
    let heard = uci.heard().to_vec();
    assert!(heard[0].starts_with("id name Carom ") && heard[1].starts_with("id author "));
    for option in [
        "option name Hash type spin default 16 min 1 max 65536",
        "option name Clear Hash type button",
        "option name Threads type spin default 1 min 1 max 256",
        "option name MultiPV type spin default 1 min 1 max 256",
        "option name Ponder type check default false",
        "option name Move Overhead type spin default 10 min 0 max 5000",
        "option name UCI_Variant type combo default chess var chess var alapo var alapo-demotion var rollerball",
        "option name UCI_AnalyseMode type check default false",
        "option name clockwise-sideways type check default false",
    ] {
        assert!(heard.iter().any(|line| line.starts_with(option)), "{option}");
    }
    uci.say("quit");
    assert!(uci.end().1.success());
}

#[test]
fn choosing_a_game_is_announced_in_one_line() {
    let mut uci = uci();
    for (name, line) in [
        (
            "alapo",
            "variant alapo files 8 ranks 8 pocket 0 template fairy startpos \
             rlbqqblr/wsfkkfsw/8/8/8/8/WSFKKFSW/RLBQQBLR w - - 0 1",
        ),
        (
            "Rollerball",
            "variant rollerball files 7 ranks 7 pocket 0 template fairy startpos \
             2rbp2/2rkp2/2***2/2***2/2***2/2PKR2/2PBR2 w - 0 1",
        ),
    ] {
        uci.say(&format!("setoption name UCI_Variant value {name}"));
        assert_eq!(uci.hear_start("info string variant"), format!("info string {line}"));
    }
    uci.say("position startpos moves c2b3");
    uci.say("go depth 3");
    let best = uci.hear_start("bestmove").split_whitespace().nth(1).unwrap().to_owned();
    uci.say(&format!("position startpos moves c2b3 {best}"));
    uci.say("d");
    uci.hear_start("To decide: White");
    assert!(uci.end().1.success());
}

#[test]
fn rule_switches_take_effect_with_the_next_position() {
    let mut uci = uci();
    uci.say("setoption name UCI_Variant value rollerball");
    for (value, count) in [("false", 507), ("true", 476), ("false", 507)] {
        uci.say(&format!("setoption name Clockwise-Sideways value {value}"));
        uci.say("position startpos");
        uci.say("go perft 3");
        assert_eq!(uci.hear_start("Nodes searched"), format!("Nodes searched: {count}"));
    }
    assert!(uci.end().1.success());
}

#[test]
fn limits_multipv_and_searchmoves() {
    let mut uci = uci();
    uci.say("position startpos");
    uci.say("setoption name MultiPV value 3");
    uci.say("go depth 4");
    uci.hear_start("bestmove");
    for rank in 1..=3 {
        let wanted = format!("multipv {rank} ");
        assert!(uci.heard().iter().any(|line| line.contains("info depth 4") && line.contains(&wanted)));
    }
    uci.say("setoption name MultiPV value 1");
    uci.say("go nodes 5000");
    let best = uci.hear_start("bestmove");
    assert!(best.contains(" ponder "), "{best}");
    let last = uci.heard().iter().rev().find(|line| line.starts_with("info depth")).unwrap().clone();
    assert_eq!(word_after(&last, "nodes"), "5000");
    uci.say("go searchmoves a2a3 h2h3 depth 3");
    let best = uci.hear_start("bestmove");
    assert!(best.starts_with("bestmove a2a3") || best.starts_with("bestmove h2h3"), "{best}");
    uci.say("go movetime 30");
    uci.hear_start("bestmove");
    uci.say("go wtime 300 btime 300 winc 10 binc 10 movestogo 5");
    uci.hear_start("bestmove");
    uci.say("position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    uci.say("go mate 1");
    assert_eq!(uci.hear_start("bestmove").split_whitespace().nth(1), Some("d1d8"));
    assert!(uci.heard().iter().any(|line| line.contains("score mate 1")));
    assert!(uci.end().1.success());
}

#[test]
fn isready_is_answered_while_searching_and_stop_ends_it() {
    let mut uci = uci();
    uci.say("go infinite");
    uci.hear_start("info depth 4");
    for _ in 0..3 {
        uci.say("isready");
        uci.hear_start("readyok");
    }
    assert!(!uci.heard().iter().any(|line| line.starts_with("bestmove")));
    uci.say("stop");
    uci.hear_start("bestmove");
    // A second `stop` is about nothing.
    uci.say("stop");
    uci.say("isready");
    uci.hear_start("readyok");
    assert_eq!(uci.heard().iter().filter(|line| line.starts_with("bestmove")).count(), 1);
    assert!(uci.end().1.success());
}

#[test]
fn infinite_and_ponder_wait_even_when_there_is_nothing_left_to_find() {
    let mut uci = uci();
    // Mate in one: searched to the greatest depth in no time.
    uci.say("position fen 7k/8/5K2/8/8/8/8/6R1 w - - 0 1");
    uci.say("go infinite depth 3");
    uci.hear_start("info depth 3");
    uci.say("isready");
    uci.hear_start("readyok");
    assert!(!uci.heard().iter().any(|line| line.starts_with("bestmove")));
    uci.say("stop");
    uci.hear_start("bestmove");
    uci.say("go ponder wtime 100 btime 100 depth 2");
    uci.hear_start("info depth 2");
    uci.say("isready");
    uci.hear_start("readyok");
    assert_eq!(uci.heard().iter().filter(|line| line.starts_with("bestmove")).count(), 1);
    uci.say("ponderhit");
    uci.hear_start("bestmove");
    uci.say("go ponder wtime 100 btime 100");
    uci.say("stop");
    uci.hear_start("bestmove");
    assert!(uci.end().1.success());
}

#[test]
fn a_finished_game_has_no_best_move_but_a_score() {
    let mut uci = uci();
    uci.say("position startpos moves f2f3 e7e5 g2g4 d8h4");
    uci.say("go depth 5");
    assert_eq!(uci.hear_start("info depth 0"), "info depth 0 score mate 0");
    assert_eq!(uci.hear_start("bestmove"), "bestmove (none)");
    uci.say("d");
    uci.hear_start("Result: 0-1 {Black mates}");
    uci.say("position fen 7k/5Q2/8/8/8/8/8/K7 b - - 0 1");
    uci.say("go depth 5");
    assert_eq!(uci.hear_start("info depth 0"), "info depth 0 score cp 0");
    assert_eq!(uci.hear_start("bestmove"), "bestmove (none)");
    assert!(uci.end().1.success());
}

#[test]
fn perft_is_a_search_like_any_other() {
    let mut uci = uci();
    uci.say("position startpos");
    uci.say("go perft 3");
    assert_eq!(uci.hear_start("e2e4"), "e2e4: 600");
    assert_eq!(uci.hear_start("Nodes searched"), "Nodes searched: 8902");
    uci.say("go perft 12");
    uci.say("isready");
    uci.hear_start("readyok");
    uci.say("stop");
    uci.hear_start("info string perft was stopped");
    assert!(uci.end().1.success());
}

#[test]
fn the_same_search_after_ucinewgame_visits_the_same_nodes() {
    let mut uci = uci();
    let mut nodes = Vec::new();
    for _ in 0..2 {
        uci.say("ucinewgame");
        uci.say("position startpos moves e2e4");
        uci.say("go depth 6");
        let line = uci.hear_start("info depth 6");
        nodes.push(word_after(&line, "nodes").to_owned());
        uci.hear_start("bestmove");
    }
    assert_eq!(nodes[0], nodes[1]);
    assert!(uci.end().1.success());
}

fn xboard(variant: &str) -> Conversation {
    let mut xboard = Conversation::begin(&[], "xboard");
    xboard.say("protover 2");
    xboard.hear("done=1", |line| line.contains("done=1"));
    xboard.say("new");
    if variant != "normal" {
        xboard.say(&format!("variant {variant}"));
    }
    xboard
}

#[test]
fn xboard_is_told_what_we_can_and_which_games_there_are() {
    let mut xboard = xboard("normal");
    let heard = xboard.heard().join("\n");
    for word in [
        "ping=1",
        "setboard=1",
        "usermove=1",
        "san=0",
        "highlight=1",
        "analyze=1",
        "variants=\"normal,fischerandom,alapo,alapo-demotion,rollerball",
        "option=\"Move Overhead -spin 10 0 5000\"",
        "option=\"rollerball clockwise-sideways -check 0\"",
        "option=\"jai-alai layout -combo *standard",
        "option=\"wickets no-seal -check 0\"",
    ] {
        assert!(heard.contains(word), "{word} in\n{heard}");
    }
    xboard.say("variant rollerball");
    assert_eq!(
        xboard.hear_start("setup"),
        "setup (..............................................BR..K....P...............................................br..k....p.) \
         7x7+0_bughouse 2rbp2/2rkp2/2***2/2***2/2***2/2PKR2/2PBR2 w - - 0 1"
    );
    xboard.say("option Piece Lines=1");
    xboard.say("variant alapo");
    xboard.hear_start("setup (");
    xboard.hear_start("piece L& BfR");
    assert!(xboard.end().1.success());
}

#[test]
fn a_game_is_played_and_the_win_is_claimed() {
    let mut xboard = xboard("rollerball");
    for line in ["force", "setboard 2K4/7/2***2/2***2/2***2/7/6k w K 0 1", "sd 3", "go"] {
        xboard.say(line);
    }
    assert_eq!(xboard.hear_start("move"), "move c7d6");
    assert_eq!(xboard.hear_start("1-0"), "1-0 {White king reached d6}");
    // The user wins: claimed as well.
    for line in
        ["new", "variant rollerball", "force", "setboard 2K4/7/2***2/2***2/2***2/7/6k w K 0 1", "playother"]
    {
        xboard.say(line);
    }
    xboard.say("usermove c7d6");
    assert_eq!(xboard.hear_start("1-0"), "1-0 {White king reached d6}");
    assert!(xboard.end().1.success());
}

#[test]
fn pings_are_answered_while_thinking_and_after_the_hurried_move() {
    let mut xboard = xboard("normal");
    xboard.say("level 0 60 0");
    xboard.say("post");
    xboard.say("usermove e2e4");
    xboard.hear("a line of thinking", |line| line.starts_with("3 "));
    xboard.say("ping 1");
    xboard.hear_start("pong 1");
    assert!(!xboard.heard().iter().any(|line| line.starts_with("move")));
    xboard.say("?");
    xboard.say("ping 2");
    xboard.hear_start("pong 2");
    assert!(xboard.heard().iter().any(|line| line.starts_with("move")), "the move goes first");
    assert!(xboard.end().1.success());
}

#[test]
fn force_undo_remove_hint_and_analysis() {
    let mut xboard = xboard("normal");
    for line in
        ["force", "usermove e2e4", "usermove e7e5", "undo", "usermove c7c5", "remove", "usermove d2d4"]
    {
        xboard.say(line);
    }
    xboard.say("usermove c7c5");
    xboard.say("ping 1");
    xboard.hear_start("pong 1");
    assert!(!xboard.heard().iter().any(|line| line.starts_with("Illegal")));
    xboard.say("hint");
    xboard.hear_start("Hint: ");
    xboard.say("post");
    xboard.say("analyze");
    xboard.hear("analysis", |line| line.starts_with("4 "));
    xboard.say(".");
    xboard.hear_start("stat01: ");
    xboard.say("usermove d4c5");
    xboard.hear("analysis of the next position", |line| line.starts_with("1 "));
    xboard.say("usermove d4c5");
    xboard.hear_start("Illegal move (");
    xboard.say("exit");
    xboard.say("bk");
    xboard.hear_start("\tno opening book");
    assert!(xboard.end().1.success());
}

#[test]
fn pondering_takes_up_the_expected_move() {
    let mut xboard = xboard("alapo");
    for line in ["hard", "post", "level 0 0:05 0", "usermove c2b3"] {
        xboard.say(line);
    }
    xboard.hear_start("move ");
    xboard.hear("pondering", |line| line.contains("\t("));
    let pondered = xboard.heard().last().unwrap().clone();
    let expected = pondered.split(['(', ')']).nth(1).unwrap().to_owned();
    xboard.say(&format!("usermove {expected}"));
    xboard.hear_start("move ");
    assert!(!xboard.heard().iter().any(|line| line.starts_with("Illegal")));
    assert!(xboard.end().1.success());
}

#[test]
fn the_mouse_is_guided() {
    let mut xboard = xboard("rollerball");
    xboard.say("force");
    xboard.say("lift c2");
    assert_eq!(xboard.hear_start("highlight"), "highlight 7/7/7/7/1Y5/1Y5/1Y5");
    xboard.say("setboard 7/3P3/2***2/2***2/2***2/6k/K6 w - - 0 1");
    xboard.say("lift d6");
    assert_eq!(xboard.hear_start("highlight"), "highlight 4M2/4M2/7/7/7/7/7");
    xboard.say("put e6");
    assert_eq!(xboard.hear_start("choice"), "choice RB");
    xboard.say("usermove d6e6b");
    xboard.say("ping 1");
    xboard.hear_start("pong 1");
    assert!(!xboard.heard().iter().any(|line| line.starts_with("Illegal")));
    assert!(xboard.end().1.success());
}

#[test]
fn alapos_removal_is_shown_by_two_correcting_plies() {
    // Example 7 of the rules: the hundredth quiet move takes off h2 and e5.
    let mut xboard = xboard("alapo");
    for line in
        ["force", "setboard 8/8/8/3k4/3r4/8/8/K6R w a1 d5 98 60", "sd 1", "usermove h1h2", "playother"]
    {
        xboard.say(line);
    }
    // The user (Black) completes the count; the engine's piece goes in the engine's ply, his own in his.
    xboard.say("usermove d5e5");
    let first = xboard.hear_start("move ");
    let second = xboard.hear_start("move ");
    assert!(first.starts_with("move h2") && first.ends_with('z'), "{first}");
    assert!(second.starts_with("move e5") && second.ends_with('z'), "{second}");
    // Then White moves what is left.
    assert!(xboard.hear_start("move ").starts_with("move a1"));
    // Four plies back: the position before d5e5, and the same again.
    for line in
        ["force", "undo", "undo", "undo", "undo", "usermove d5e5", "usermove h2b1z", "usermove e5b1z", "go"]
    {
        xboard.say(line);
    }
    assert!(xboard.hear_start("move ").starts_with("move a1"));
    assert!(!xboard.heard().iter().any(|line| line.starts_with("Illegal")), "{:?}", xboard.heard());
    assert!(xboard.end().1.success());
}

#[test]
fn between_two_engines_the_rest_of_whites_turn_is_awaited() {
    // As XBoard relays it: Black is told to go after White's first ply, and a pass comes as a position.
    let mut xboard = xboard("alapo");
    for line in [
        "force",
        "setboard 8/8/w6s/1f6/8/8/2W3F1/1S6 w - - 99 1",
        "computer",
        "sd 1",
        "usermove c2c3",
        "go",
        "setboard 8/8/w6s/1f6/8/2W5/6F1/1S6 w - - 0 2",
        "ping 1",
    ] {
        xboard.say(line);
    }
    xboard.hear_start("pong 1");
    let spoken =
        |line: &String| ["move", "Illegal", "tellusererror"].iter().any(|word| line.starts_with(word));
    assert!(!xboard.heard().iter().any(spoken), "{:?}", xboard.heard());
    xboard.say("usermove c3a1z");
    xboard.hear_start("move ");
    assert!(xboard.end().1.success());
}

#[test]
fn demotion_in_xboards_writing_and_by_gesture() {
    let mut xboard = xboard("alapo-demotion");
    xboard.say("force");
    // As XBoard relays it for White, and for Black (castling form).
    xboard.say("usermove a1a4,a4a1w");
    xboard.say("usermove h8h8,h5i8");
    // The same of a piece on the first file: what XBoard adds is left of the board.
    xboard.say("undo");
    xboard.say("usermove a8a8,a5`8");
    xboard.say("undo");
    xboard.say("usermove h8h8,h5i8");
    xboard.say("lift h1");
    let marks = xboard.hear_start("highlight");
    assert!(marks.contains('W'), "a gesture towards h2: {marks}");
    xboard.say("ping 1");
    xboard.hear_start("pong 1");
    assert!(!xboard.heard().iter().any(|line| line.starts_with("Illegal")), "{:?}", xboard.heard());
    xboard.say("sd 1");
    xboard.say("playother");
    xboard.say("usermove h1h2");
    xboard.hear_start("Illegal move (demotion): h1h2");
    let change = xboard.hear_start("move ");
    assert!(change.starts_with("move h1x") && change.ends_with("-h1w"), "{change}");
    xboard.hear_start("move ");
    assert!(xboard.end().1.success());
}

#[test]
fn the_same_seed_and_moves_give_the_same_dice_and_a_written_roll_wins() {
    let position = "position fen ****1***/4k1r1/5ppp/8/8/8/2B5/PPP2PPP/3RK3/****1*** w - - c3:e1/e8:g8 0 30 moves c3a5,O@e9";
    let shown = |seed: u32, more: &str| {
        let mut uci = uci();
        uci.say("setoption name UCI_Variant value wickets-dice");
        uci.say(&format!("setoption name Chance Seed value {seed}"));
        uci.say(&format!("{position}{more}"));
        uci.say("d");
        let fen = uci.hear_start("Fen: ");
        let board = fen + &uci.hear_start("To decide: ");
        assert!(uci.end().1.success());
        board
    };
    let rolled: Vec<String> = (1..=12).map(|seed| shown(seed, "")).collect();
    assert_eq!(rolled, (1..=12).map(|seed| shown(seed, "")).collect::<Vec<_>>());
    let (taken, missed) = (shown(1, ",=6"), shown(1, ",=1"));
    assert_ne!(taken, missed);
    assert!(rolled.contains(&taken) && rolled.contains(&missed), "both happen in twelve rolls: {rolled:?}");
    // Whatever our own roll was, the written one counts; also when it comes as a word of its own.
    for seed in 1..=6 {
        assert_eq!(shown(seed, ",=6"), taken);
        assert_eq!(shown(seed, ",=1"), missed);
    }
}

#[test]
fn best_move_carries_the_roll_and_what_follows_it() {
    let mut uci = uci();
    uci.say("setoption name UCI_Variant value wickets-dice2");
    let mut answers = Vec::new();
    for seed in 1..=8 {
        uci.say(&format!("setoption name Chance Seed value {seed}"));
        uci.say("position fen ****1***/4k1r1/5ppp/8/8/8/2B5/PPP2PPP/3RK3/****1*** w - - c3:e1/e8:g8 0 30 moves c3a5,");
        uci.say("go searchmoves O@e9 depth 1");
        let line = uci.hear_start("bestmove");
        let best = line.split_whitespace().nth(1).unwrap().to_owned();
        assert!(best.starts_with("O@e9,="), "{best}");
        // It is one word of the same player, and legal as it stands.
        uci.say(&format!(
            "position fen ****1***/4k1r1/5ppp/8/8/8/2B5/PPP2PPP/3RK3/****1*** w - - c3:e1/e8:g8 0 30 moves c3a5,{best}"
        ));
        uci.say("d");
        uci.hear_start("To decide: Black");
        answers.push(best);
    }
    // A first roll that fails is followed by a sacrifice and a second roll, or by declining.
    assert!(answers.iter().any(|best| best.len() > "O@e9,=6".len()), "{answers:?}");
    assert!(uci.end().1.success());
}

#[test]
fn cards_a_player_may_not_see_do_not_change_what_he_plays() {
    let board = "****1***/4k1r1/5ppp/8/8/8/2B5/PPP2PPP/3RK3/****1*** w - - c3:e1/e8:g8 0 30";
    let white = "W=2d3c5c6h6d7d8s9c9dTh";
    let deals = [
        "B=As2s4c5h5s6s7c8cTcTs/S=AcAdAh2c2h3d3h3s4d4h4s5d6c7h7s8d8h9h9sTd/D=-",
        "B=AcAdAh2c2h3d3h3s4d4h/S=As2s4c5h5s6s7c8cTcTs4s5d6c7h7s8d8h9h9sTd/D=-",
        "B=?10/S=?20/D=-",
    ];
    let mut thoughts = Vec::new();
    for deal in deals {
        let mut uci = uci();
        uci.say("setoption name UCI_Variant value wickets-cards");
        uci.say("setoption name Chance value referee");
        uci.say(&format!("position fen {board} {white}/{deal} moves c3a5,O@e9,"));
        uci.say("go nodes 4000");
        uci.hear_start("bestmove");
        let (heard, status) = uci.end();
        assert!(status.success());
        // Everything but the times.
        let clean = |line: &String| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let timed = |at: usize| at > 0 && ["nps", "time"].contains(&words[at - 1]);
            (0..words.len()).filter(|&at| !timed(at)).map(|at| words[at]).collect::<Vec<_>>().join(" ")
        };
        let told = |line: &&String| line.starts_with("info depth") || line.starts_with("bestmove");
        thoughts.push(heard.iter().filter(told).map(clean).collect::<Vec<_>>());
    }
    assert!(thoughts[0].last().unwrap().starts_with("bestmove ="), "{:?}", thoughts[0]);
    assert_eq!(thoughts[0], thoughts[1]);
    assert_eq!(thoughts[0], thoughts[2]);
}

/// The first position in which something can be thrown, as a game of every mode with chance.
const BEFORE_A_THROW: &str = "****1***/4k1r1/5ppp/8/8/8/2B5/PPP2PPP/3RK3/****1*** w - - c3:e1/e8:g8 0 30";

#[test]
fn what_is_taken_back_and_played_again_is_drawn_anew_and_the_record_replays() {
    for (game, last, least) in [
        ("wickets-dice", "O@e9", 4),
        ("wickets-dice2", "O@e9,", 4),
        ("wickets-cards", "", 6),
        ("wickets-cards2", "", 6),
    ] {
        let facts = variants::find(game).unwrap();
        let open = |chance| session::open(facts, Rules::of(facts), chance);
        let mut played = open(Chance::Own { seed: 5 });
        played.set_up(Some(BEFORE_A_THROW), &mut ["c3a5,"].into_iter()).unwrap();
        let word = if last.is_empty() {
            played.play("O@e9,").unwrap();
            format!("{},", played.continuations()[0])
        } else {
            last.to_owned()
        };
        let before = played.tokens_played();
        let hands = [Color::White, Color::Black].map(|player| played.position_for(player));
        let mut brought = BTreeSet::new();
        for _ in 0..24 {
            played.play(&word).or_else(|_| played.play(word.trim_end_matches(','))).unwrap();
            let (start, tokens) = played.as_text();
            brought.insert(tokens.last().unwrap().clone());
            // Whoever has only the text comes to the same position.
            let mut again = open(Chance::Referee);
            again.set_up(start.as_deref(), &mut tokens.iter().map(String::as_str)).unwrap();
            assert_eq!(again.position(), played.position(), "{game}: {tokens:?}");
            // Whoever only looks back sees the same again.
            let position = played.position();
            let token = tokens.last().unwrap().clone();
            played.rewind(before);
            played.play(&word).or_else(|_| played.play(word.trim_end_matches(','))).unwrap();
            assert_eq!((played.position(), played.last_token()), (position, Some(token)), "{game}");
            played.retract(before);
            assert_eq!(
                hands,
                [Color::White, Color::Black].map(|player| played.position_for(player)),
                "{game}"
            );
        }
        assert!(brought.len() >= least, "{game}: {brought:?}");
    }
}

#[test]
fn a_roll_that_begins_a_turn_stays_for_who_takes_back_and_the_next_one_is_drawn_anew() {
    let facts = variants::find("dice-chess").unwrap();
    let open = |chance| session::open(facts, Rules::of(facts), chance);
    let mut played = open(Chance::Own { seed: 5 });
    played.set_up(None, &mut std::iter::empty()).unwrap();
    let rolled = played.position();
    let turn = played.first_token().unwrap();
    let mut brought = BTreeSet::new();
    for _ in 0..24 {
        played.play(&turn).unwrap();
        let (_, tokens) = played.as_text();
        assert!(tokens[0].starts_with('=') && tokens[0].ends_with(&turn), "{tokens:?}");
        assert!(tokens[1].starts_with('=') && tokens[1].ends_with(','), "{tokens:?}");
        assert_eq!((tokens.len(), played.tokens_played()), (2, 1));
        let mut again = open(Chance::Referee);
        again.set_up(None, &mut tokens.iter().map(String::as_str)).unwrap();
        assert_eq!(again.position(), played.position(), "{tokens:?}");
        brought.insert(played.position().to_string());
        played.retract(0);
        assert_eq!(played.position(), rolled);
    }
    assert!(brought.len() >= 12, "{brought:?}");
    // A roll that is written takes the place of the one that was drawn.
    played.play("=111,a2a3,b2b3,c2c3").unwrap();
    assert_eq!(played.last_token().unwrap(), "=111,a2a3,b2b3,c2c3");
    // A roll is no end of the turn before.
    let error = played.play("=111,a7a6,b7b6,c7c6,=123").unwrap_err();
    assert!(error.to_string().contains("the turn is complete"), "{error}");
}

#[test]
fn a_throw_taken_back_over_xboard_rolls_anew() {
    for back in ["undo", "remove"] {
        let mut xboard = xboard("wickets-dice");
        xboard.say("force");
        xboard.say("option Chance Seed=3");
        let mut rolled = BTreeSet::new();
        xboard.say(&format!("setboard {}", BEFORE_A_THROW.replace(" w ", " b ")));
        xboard.say("usermove h7h6");
        for _ in 0..16 {
            xboard.say("usermove c3a5,O@e9");
            rolled.insert(xboard.hear_start("telluser Chance: "));
            xboard.say(back);
            if back == "remove" {
                // The move before went as well.
                xboard.say("usermove h7h6");
            }
        }
        assert!(rolled.len() >= 4, "{back}: {rolled:?}");
        assert!(xboard.end().1.success());
    }
}
