//! `carom bridge` between a script and a script: what is said on one side comes out on the other, line by line.

use crate::common::conversation::Conversation;
use crate::common::transcript::play_with;
use std::process::ExitStatus;

/// Plays `outer` against the bridge, behind which the engine follows `inner`; what was heard outside and how it ended.
fn talk(
    outside: &str,
    inside: &str,
    options: &[&str],
    outer: &str,
    inner: &str,
) -> (Vec<String>, ExitStatus) {
    let own = std::env::current_exe().unwrap();
    let script = format!("ENGINE_SCRIPT={inner}");
    let mut arguments = vec!["bridge", "--as", outside, "--engine", inside];
    arguments.extend(options);
    arguments.extend([
        "--",
        "env",
        &script,
        own.to_str().unwrap(),
        "common::scripted_engine::plays",
        "--exact",
    ]);
    arguments.push("--nocapture");
    let outer: Vec<&str> = outer.lines().map(str::trim).collect();
    let (heard, status) = play_with(&arguments, "bridge", 1, &outer.join("\n"));
    let wrong: Vec<_> = heard.iter().filter(|line| line.contains("WRONG")).collect();
    assert!(wrong.is_empty(), "{wrong:?}\n{heard:#?}");
    (heard, status)
}

/// The same for a conversation that ends well.
fn agree(outside: &str, inside: &str, outer: &str, inner: &str) -> Vec<String> {
    let (heard, status) = talk(outside, inside, &[], outer, inner);
    assert!(status.success(), "{heard:#?}");
    heard
}

const UCI: &str = "> uci
    < id name Fake 1
    < id author Nobody
    < option name Hash type spin default 16 min 1 max 64
    < option name Threads type spin default 1 min 1 max 8
    < option name Style type combo default Calm var Wild var Calm
    < option name Ponder type check default false
    < option name MultiPV type spin default 1 min 1 max 5
    < option name Book File type string default a b
    < option name Forget type button
    < uciok\n";

const XBOARD: &str = "> protover 2
    < feature done=0
    < feature ping=1 setboard=1 usermove=1 memory=1 exclude=1 myname=\"Fake 2\"
    < feature option=\"Style -combo Wild /// *Calm\"
    < feature option=\"Resign -check 0\"
    < feature option=\"Forget -button\"
    < feature option=\"Margin -slider 3 0 9\"
    < feature done=1\n";

#[test]
fn options_of_a_uci_engine_are_features_and_commands_of_xboard() {
    let outer = "> xboard
        > protover 2
        < feature myname=\"Fake 1\"
        < feature … memory=1 smp=1 …
        < feature option=\"Style -combo Wild /// *Calm\"
        < feature option=\"MultiPV -spin 1 1 5\"
        < feature option=\"Book File -file a b\"
        < feature option=\"Forget -button\"
        < feature done=1
        > memory 32
        > cores 2
        > option Style=wild
        > option Book File=c d
        > option Forget
        > option Nonsense=1
        < Error (no option is called `Nonsense`): option Nonsense=1
        > option Stile=calm
        < Error (no option is called `Stile`, did you mean `Style`?): option Stile=calm
        > ping 7
        < pong 7";
    let inner = "> setoption name Hash value 32
        >> setoption name Threads value 2
        >> setoption name Style value Wild
        >> setoption name Book File value c d
        >> setoption name Forget
        >> isready
        < readyok";
    let heard = agree("xboard", "uci", outer, &format!("{UCI}{inner}"));
    let declared: Vec<_> = heard.iter().filter(|line| line.starts_with("feature option=")).collect();
    for hidden in ["Hash", "Threads", "Ponder", "UCI_"] {
        assert!(declared.iter().all(|line| !line.contains(&format!("\"{hidden}"))), "{declared:?}");
    }
}

#[test]
fn clocks_scores_mates_and_pondering_of_a_uci_engine_under_xboard() {
    let outer = "> xboard
        > protover 2
        < feature done=1
        > new
        > level 40 5 2
        > post
        > hard
        > time 29000
        > otim 28000
        > usermove e2e4
        < 3 31 2 1000 5 50000 0\te7e5 g1f3
        < 7 -100003 4 2000 7 50000 0\te7e5 g1f3
        < 8 20 5 3000 8 60000 0\te7e5 !
        < move e7e5
        > time 28000
        > otim 27000
        > usermove g1f3
        < move b8c6
        > quit";
    // Before the first turn it looks at what the opponent may do.
    let inner = "> setoption name Ponder value true
        > position startpos
        >> go ponder wtime 300000 btime 300000 winc 2000 binc 2000 movestogo 40
        >> stop
        < bestmove e2e4
        > position startpos moves e2e4
        >> go wtime 280000 btime 290000 winc 2000 binc 2000 movestogo 40
        < info depth 3 seldepth 5 score cp 31 nodes 1000 nps 50000 time 20 pv e7e5 g1f3
        < info depth 7 seldepth 7 score mate -3 nodes 2000 nps 50000 time 40 pv e7e5 g1f3
        < info depth 8 seldepth 8 score cp 20 lowerbound nodes 3000 time 50 pv e7e5
        < bestmove e7e5 ponder g1f3
        > position startpos moves e2e4 e7e5 g1f3
        >> go ponder …
        >> ponderhit
        < bestmove b8c6";
    agree("xboard", "uci", outer, &format!("{UCI}{inner}"));
}

#[test]
fn analysis_move_now_undo_and_positions_reach_a_uci_engine() {
    let outer = "> xboard
        > protover 2
        < feature done=1
        > new
        > force
        > setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1
        > post
        > analyze
        < 1 30 …\te2e4
        > usermove e2e4
        < 2 40 …\te8d7
        > undo
        < 3 50 …\te2e3
        > exit
        > new
        > st 5
        > go
        < 4 60 …\td2d4
        > ?
        < move d2d4
        > quit";
    let inner = "> position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1
        >> go infinite
        < info depth 1 score cp 30 nodes 1 time 1 pv e2e4
        >> stop
        < bestmove e2e4
        >> position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 moves e2e4
        >> go infinite
        < info depth 2 score cp 40 nodes 1 time 1 pv e8d7
        >> stop
        < bestmove e8d7
        >> position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1
        >> go infinite
        < info depth 3 score cp 50 nodes 1 time 1 pv e2e3
        >> stop
        < bestmove e2e3
        > position startpos
        >> go movetime 5000
        < info depth 4 score cp 60 nodes 1 time 1 pv d2d4
        >> stop
        < bestmove d2d4";
    agree("xboard", "uci", outer, &format!("{UCI}{inner}"));
}

#[test]
fn results_are_claimed_and_illegal_moves_named_for_an_engine_that_does_neither() {
    let mates = "> position startpos moves f2f3 e7e5 g2g4
        > go …
        < bestmove d8h4";
    let outer = "> xboard
        > protover 2
        < feature done=1
        > new
        > force
        > usermove f2f3
        > usermove e7e5
        > usermove e7e5
        < Illegal move (…): e7e5
        > usermove g2g4
        > go
        < move d8h4
        << 0-1 {…}
        > quit";
    agree("xboard", "uci", outer, &format!("{UCI}{mates}"));
    let cheats = mates.replace("d8h4", "d8h5");
    let outer = outer.replace("move d8h4", "tellusererror Illegal move by the engine (…): d8h5");
    agree("xboard", "uci", &outer.replace("<< 0-1 {…}", "<< resign"), &format!("{UCI}{cheats}"));
}

#[test]
fn options_of_an_xboard_engine_are_options_of_uci() {
    let outer = "> uci
        < id name Fake 2
        < option name Style type combo default Calm var Wild var Calm
        < option name Resign type check default false
        < option name Forget type button
        < option name Margin type spin default 3 min 0 max 9
        < option name Hash type spin …
        < option name Ponder type check default false
        < uciok
        > setoption name Hash value 8
        > setoption name style value wild
        > setoption name Resign value true
        > setoption name Forget
        > setoption name Ponder value true
        > setoption name Margin value 10
        < info string option Margin takes a whole number from 0 to 9, not `10`
        > isready
        < readyok";
    let inner = "> memory 8
        >> option Style=Wild
        >> option Resign=1
        >> option Forget
        >> hard
        >> ping 1
        < pong 1";
    let heard = agree("uci", "xboard", outer, &format!("{XBOARD}{inner}"));
    assert!(!heard.iter().any(|line| line.starts_with("option name Threads")), "{heard:?}");
}

#[test]
fn an_xboard_engine_is_told_what_is_new_and_its_thoughts_are_uci_s() {
    let outer = "> uci
        < uciok
        > ucinewgame
        > position startpos moves e2e4
        > go wtime 60000 btime 50000 winc 1000 binc 1000
        < info depth 4 seldepth 4 multipv 1 score cp -12 nodes 900 … time 150 pv e7e5 g1f3
        < info depth 5 … score mate -3 … pv e7e5 g1f3
        < bestmove e7e5 ponder g1f3
        > position startpos moves e2e4 e7e5 g1f3
        > go wtime 59000 btime 49000 winc 1000 binc 1000
        < bestmove g8f6
        > position startpos moves e2e4 e7e5 b1c3
        > go depth 3
        < bestmove b8c6
        > position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1
        > go movetime 2000
        < info … score mate 2 … pv e2e4
        > stop
        < bestmove e2e4
        > quit";
    let inner = "> new
        >> force
        >> post
        >> easy
        >> usermove e2e4
        >> level 0 0:50 1
        >> time 5000
        >> otim 6000
        >> go
        < 4 -12 15 900 1. ... e5 2. Nf3
        < 5 -100003 16 1000 e7e5 g1f3
        < move e7e5
        >> time 4900
        >> otim 5900
        >> usermove g1f3
        < move g8f6
        >> force
        >> undo
        >> undo
        >> usermove b1c3
        >> level …
        >> sd 3
        >> time …
        >> otim …
        >> go
        < move b8c6
        >> new
        >> force
        >> post
        >> easy
        >> setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1
        >> st 2
        >> go
        < 3 100002 1 20 e2e4
        >> ?
        < move e2e4";
    agree("uci", "xboard", outer, &format!("{XBOARD}{inner}"));
}

#[test]
fn analysis_chosen_moves_and_pondering_of_an_xboard_engine() {
    let outer = "> uci
        < uciok
        > position startpos
        > go infinite
        < info depth 2 … pv d2d4 d7d5
        > stop
        < bestmove d2d4 ponder d7d5
        > setoption name Ponder value true
        > position startpos
        > go wtime 60000 btime 60000
        < bestmove e2e4 ponder e7e5
        > position startpos moves e2e4 e7e5
        > go ponder wtime 60000 btime 60000
        > ponderhit
        < bestmove g1f3
        > position fen 4k3/8/8/8/8/8/P7/4K3 w - - 0 1
        > go depth 2 searchmoves a2a3 a2a4
        < bestmove a2a4
        > quit";
    let inner = "> analyze
        < 2 20 1 9 d2d4 d7d5
        >> exit
        >> force
        >> hard
        >> level 0 1 0
        >> time 6000
        >> otim 6000
        >> go
        < 3 20 1 9 e2e4 e7e5
        < move e2e4
        >> time …
        >> otim …
        >> usermove e7e5
        < move g1f3
        >> new
        >> force
        >> post
        >> hard
        >> setboard …
        >> exclude e1d1
        >> exclude e1d2
        >> exclude e1e2
        >> exclude e1f1
        >> exclude e1f2
        >> level …
        >> sd 2
        >> time …
        >> otim …
        >> go
        < move a2a4";
    let inner = inner.replacen(">> level 0 1 0", ">> force\n>> level 0 1 0", 1);
    agree("uci", "xboard", outer, &format!("{XBOARD}{inner}"));
}

#[test]
fn an_xboard_engine_that_resigns_offers_draws_or_claims_is_heard() {
    let outer = "> uci
        < uciok
        > position startpos
        > go depth 2
        < info string the engine offers a draw
        < info … pv e2e4
        < info string the engine resigns
        < bestmove e2e4
        > position startpos moves e2e4
        > go depth 2
        < info string Illegal move by the engine (…): e7e4
        < bestmove (none)
        > quit";
    let inner = "> go
        < offer draw
        < 2 20 1 9 e2e4
        < resign
        > go
        < move e7e4";
    agree("uci", "xboard", outer, &format!("{XBOARD}{inner}"));
}

#[test]
fn games_nobody_here_knows_pass_through_as_words() {
    let uci = "> uci
        < id name Fake 3
        < option name UCI_Variant type combo default chess var chess var crazyhouse var oddhouse
        < uciok
        > setoption name UCI_Variant value oddhouse
        < info string variant oddhouse files 9 ranks 10 pocket 3 template crazyhouse startpos 9/9/9/9/9/9/9/9/9/K7k[Q] w - - 0 1
        > isready
        < readyok\n";
    let outer = "> xboard
        > protover 2
        < feature variants=\"normal,crazyhouse,oddhouse\"
        < feature done=1
        > new
        > post
        > variant crazyhouse
        > force
        > usermove e2e4
        > go
        < move P@e5
        > new
        > variant oddhouse
        < setup 9x10+3_crazyhouse 9/9/9/9/9/9/9/9/9/K7k[Q] w - - 0 1
        > usermove a0b9
        < 3 15 1 7 3 … 0\ti0i1 Q@a9
        < move i0i1
        > usermove Q@a9
        < 1/2-1/2 {the engine has no move}
        > quit";
    let inner = "> setoption name UCI_Variant value crazyhouse
        > position startpos moves e2e4
        > go …
        < bestmove P@e5
        > setoption name UCI_Variant value oddhouse
        > position startpos moves a1b10
        > go …
        < info depth 3 score cp 15 nodes 7 time 10 pv i1i2 Q@a10
        < bestmove i1i2
        > position startpos moves a1b10 i1i2 Q@a10
        > go …
        < info depth 0 score cp 0
        < bestmove (none)";
    agree("xboard", "uci", outer, &format!("{uci}{inner}"));
}

#[test]
fn an_engine_that_dies_floods_or_hangs_is_reported_in_the_outer_protocol() {
    for (habit, uci, xboard) in [
        ("die", "info string `…` disconnects", "tellusererror `…` disconnects"),
        ("flood", "info string `…` floods its output", "tellusererror `…` floods its output"),
        ("hang", "info string `…` does not answer to isready", "tellusererror `…` does not answer to ping"),
    ] {
        let inner = format!("{UCI}> isready\n! {habit}");
        let patience: &[&str] = if habit == "hang" { &["--patience", "1"] } else { &[] };
        let outer = format!("> uci\n< uciok\n> isready\n< {uci}");
        let (heard, status) = talk("uci", "uci", patience, &outer, &inner);
        assert_eq!(status.code(), Some(1), "{heard:?}");
        assert!(!heard.contains(&"readyok".to_owned()));
        let outer = format!("> xboard\n> protover 2\n< feature done=1\n> ping 1\n< {xboard}\n<< resign");
        let (heard, status) = talk("xboard", "uci", patience, &outer, &inner);
        assert_eq!(status.code(), Some(1), "{heard:?}");
    }
}

/// Plays `outer`, ends the input, and gives what was answered from then on, too. The last line of `outer` is not waited for.
fn answers(outside: &str, inside: &str, outer: &str, inner: &str) -> Vec<String> {
    let (heard, status) = talk(outside, inside, &[], outer, inner);
    assert!(status.success(), "{heard:#?}");
    heard
        .into_iter()
        .filter(|line| ["readyok", "bestmove", "pong"].iter().any(|w| line.starts_with(w)))
        .collect()
}

#[test]
fn the_end_of_the_input_takes_no_answer_away_in_any_protocol() {
    // Many at once: searches that wait for each other, and `isready` behind them.
    let many = "> go nodes 1\n".repeat(20);
    let played = "> position startpos\n>> go nodes 1\n< bestmove e2e4\n".repeat(20);
    let heard = answers("uci", "uci", &format!("> uci\n< uciok\n{many}"), &format!("{UCI}{played}"));
    assert_eq!(heard, ["bestmove e2e4"; 20]);
    // One without end is stopped, as Carom itself does it, and the engine's last word handed on.
    for last in ["", "> quit"] {
        let outer = |wait| format!("> uci\n< uciok\n> isready\n{wait}> go infinite\n{last}");
        let inner = "> isready\n< readyok\n> go infinite\n>> stop\n< bestmove d2d4";
        let heard = answers("uci", "uci", &outer(""), &format!("{UCI}{inner}"));
        assert_eq!(heard, ["readyok", "bestmove d2d4"], "{last}");
        let inner = "> ping 1\n< pong 1\n> analyze\n< 3 20 5 100 d2d4 d7d5\n> exit";
        let heard = answers("uci", "xboard", &outer("< readyok\n"), &format!("{XBOARD}{inner}"));
        assert_eq!(heard.first().map(String::as_str), Some("readyok"), "{last}");
        assert!(heard[1..].len() == 1 && heard[1].starts_with("bestmove "), "{last} {heard:?}");
    }
    // Nothing is said of a search under XBoard, but each ping has its pong.
    let outer = "> xboard\n> protover 2\n< feature done=1\n> new\n> go\n> ping 1\n> ping 2";
    let inner = "> go …\n> isready\n< readyok\n>> isready\n< readyok";
    assert_eq!(answers("xboard", "uci", outer, &format!("{UCI}{inner}")), ["pong 1", "pong 2"]);
}

#[test]
fn who_owes_a_last_word_and_does_not_say_it_is_not_waited_for_without_end() {
    let outer = "> uci\n< uciok\n> go infinite";
    let (heard, status) = talk("uci", "uci", &["--patience", "1"], outer, &format!("{UCI}> go …\n! hang"));
    assert_eq!(status.code(), Some(1), "{heard:?}");
    assert!(heard.iter().any(|line| line.contains("does not answer to stop")), "{heard:?}");
}

/// What an engine says to correct XBoard's board is nothing that its game would have to be told anew for.
#[test]
fn plies_that_correct_the_board_are_no_moves_of_the_engine() {
    let declared =
        "> protover 2\n< feature ping=1 setboard=1 usermove=1 variants=\"alapo\" myname=\"Fake 6\" done=1\n";
    // The fourth turn brings the start for the second time; the eighth takes two pieces off.
    let turns = ["c2b3", "c7b6", "b3c2", "b6c7", "c2b3", "c7b6", "b3c2", "b6c7", "f2g3"];
    let mut outer = "> uci\n< uciok\n".to_owned();
    let mut inner = String::new();
    for own in (1..turns.len()).step_by(2) {
        outer += &format!("> position startpos moves {}\n> go depth 1\n", turns[..own].join(" "));
        outer += &format!("< bestmove {}…\n> isready\n< readyok\n", turns[own]);
        // Told one turn at a time, and never from the beginning.
        let (told, ping) = (turns[own - 1], own.div_ceil(2));
        inner += &match own {
            1 => format!("> usermove {told}\n>> level …\n>> sd 1\n>> time …\n>> otim …\n>> go\n"),
            _ => format!(">> time …\n>> otim …\n>> usermove {told}\n"),
        };
        inner += &format!("< move {}\n< move c2z\n< move c7c6z\n< move @@@@\n", turns[own]);
        inner += &format!(">> ping {ping}\n< pong {ping}\n");
    }
    agree("uci", "xboard", &outer, &format!("{declared}{inner}"));
}

#[test]
fn readiness_is_the_engine_s_unless_told_otherwise() {
    let inner = format!("{UCI}! hang");
    let (heard, status) =
        talk("uci", "uci", &["--ready"], "> uci\n< uciok\n> isready\n< readyok\n> quit", &inner);
    assert!(status.success(), "{heard:?}");
}

#[test]
fn both_conversations_are_written_down_and_can_be_played_again() {
    let path = std::env::temp_dir().join(format!("carom-bridge-log-{}", std::process::id()));
    let outer = "> uci
        < uciok
        > position startpos
        > go depth 1
        < bestmove e2e4
        > quit";
    let inner = format!("{UCI}> go depth 1\n< bestmove e2e4\n");
    let (heard, status) = talk("uci", "uci", &["--log", path.to_str().unwrap()], outer, &inner);
    assert!(status.success(), "{heard:?}");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let inside: Vec<String> = text
        .lines()
        .filter_map(|line| line.strip_prefix("# ")?.split_once(' ').map(|(_, said)| said.to_owned()))
        .collect();
    assert!(inside.contains(&"> go depth 1".to_owned()) && inside.contains(&"< bestmove e2e4".to_owned()));
    // The outer one is a script as it stands, the inner one once its marks are taken off.
    let again: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(again.first(), Some(&"> uci"));
    let (heard, status) = talk("uci", "uci", &[], &text, &inside.join("\n"));
    assert!(status.success(), "{heard:?}");
}

#[test]
fn a_ugi_engine_is_a_uci_engine_and_an_xboard_engine() {
    let greeting = "> ugi
        < id name Fake 4
        < option name Hash type spin default 16 min 1 max 64
        < ugiok\n";
    let uci = "> uci
        < id name Fake 4
        < uciok
        > ucinewgame
        > position startpos moves e2e4
        > go wtime 3000 btime 2000 winc 10 binc 20
        < info depth 4 … score mate 2 … pv e7e5 g1f3
        < bestmove e7e5
        > quit";
    let inner = "> uginewgame
        >> position startpos moves e2e4
        >> go p1time 3000 p2time 2000 p1inc 20 p2inc 20
        < info depth 4 score mate 3 nodes 9 time 1 pv e7e5 g1f3
        < info nodes 9 nps 9000 time 1
        < bestmove e7e5";
    agree("uci", "ugi", uci, &format!("{greeting}{inner}"));
    let xboard = "> xboard
        > protover 2
        < feature done=1
        > memory 32
        > new
        > post
        > st 2
        > usermove e2e4
        < 4 100002 …\te7e5 g1f3
        < move e7e5
        > quit";
    let inner = "> setoption name Hash value 32
        > position startpos moves e2e4
        >> go movetime 2000
        < info depth 4 score mate 3 nodes 9 time 1 pv e7e5 g1f3
        < bestmove e7e5";
    agree("xboard", "ugi", xboard, &format!("{greeting}{inner}"));
}

#[test]
fn uci_and_xboard_engines_are_ugi_engines() {
    let outer = "> ugi
        < id name Fake …
        < ugiok
        > uginewgame
        > position startpos moves e2e4
        > query p1turn
        << response false
        > go p1time 3000 p2time 2000 p1inc 20 p2inc 20
        < info depth 4 … score mate 3 … pv e7e5 g1f3
        < info nodes …
        << bestmove e7e5
        > position startpos moves f2f3 e7e5 g2g4 d8h4
        > query gameover
        << response true
        > query result
        << response p2win
        > quit";
    let uci = "> ucinewgame
        >> position startpos moves e2e4
        >> go wtime 3000 btime 2000 winc 20 binc 20
        < info depth 4 score mate 2 nodes 9 time 1 pv e7e5 g1f3
        < bestmove e7e5 ponder g1f3";
    agree("ugi", "uci", outer, &format!("{UCI}{uci}"));
    let xboard = "> usermove e2e4
        >> level …
        >> time 200
        >> otim 300
        >> go
        < 4 100002 1 9 e7e5 g1f3
        < move e7e5";
    agree("ugi", "xboard", outer, &format!("{XBOARD}{xboard}"));
}

/// XBoard counts the ten ranks of Xiangqi from 0, UCCI does, and UCI counts them from 1.
#[test]
fn the_ranks_of_xiangqi_are_counted_as_each_side_counts_them() {
    let engine = "> protover 2
        < feature ping=1 setboard=1 usermove=1 variants=\"xiangqi,oddhouse\" myname=\"Fake 6\" done=1
        > variant xiangqi
        > usermove h2e2
        > go
        < 3 15 1 7 h9g7 h0g2
        < move h9g7
        > usermove h0g2
        < move i9h9\n";
    let uci = "> uci
        < uciok
        > position startpos moves h3e3
        > go depth 3
        < info depth 3 … pv h10g8 h1g3
        < bestmove h10g8 ponder h1g3
        > position startpos moves h3e3 h10g8 h1g3
        > go depth 3
        < bestmove i10h10
        > quit";
    let ucci = "> ucci
        < ucciok
        > position startpos moves h2e2
        > go depth 3
        < info depth 3 … pv h9g7 h0g2
        < bestmove h9g7 ponder h0g2
        > position startpos moves h2e2 h9g7 h0g2
        > go depth 3
        < bestmove i9h9
        > quit";
    for (outside, outer) in [("uci", uci), ("ucci", ucci)] {
        let (heard, status) = talk(outside, "xboard", &["--game", "xiangqi"], outer, engine);
        assert!(status.success(), "{heard:#?}");
    }
}

/// A game nobody here knows, from an engine that plays only that: a clone of Ataxx.
#[test]
fn a_ugi_engine_s_own_game_passes_through_as_words() {
    let outer = "> uci
        < uciok
        > position fen x5o/7/7/7/7/7/o5x x 0 1 moves g2 a1a3
        > go movetime 100
        < bestmove f7
        > quit";
    let inner = "> ugi
        < id name Fake 5
        < ugiok
        > position fen x5o/7/7/7/7/7/o5x x 0 1 moves g2 a1a3
        >> go movetime 100
        < bestmove f7";
    let (heard, status) = talk("uci", "ugi", &["--game", "ataxx"], outer, inner);
    assert!(status.success(), "{heard:#?}");
}

/// Carom behind the bridge in each dialect plays what it plays without: UGI inside, under UCI, UGI and the XBoard protocol, and
/// UGI outside, over UCI and the XBoard protocol.
#[test]
fn carom_plays_the_same_through_ugi_in_both_directions() {
    let own = env!("CARGO_BIN_EXE_carom");
    for game in ["chess", "rollerball", "hanniball"] {
        let ask = |arguments: &[&str], greeting: &str, end: &str| {
            let select = format!("> setoption name UCI_Variant value {game}\n");
            let script = format!(
                "> {greeting}\n< {end}\n{select}> position startpos\n> go nodes 400\n< bestmove …\n> quit"
            );
            let (heard, status) = play_with(arguments, game, 1, &script);
            assert!(status.success(), "{heard:?}");
            let best = heard.iter().find_map(|line| line.strip_prefix("bestmove ")).unwrap();
            best.split(' ').next().unwrap().to_owned()
        };
        let bare = ask(&[], "uci", "uciok");
        let bridged =
            |outside, inside| ["bridge", "--as", outside, "--engine", inside, "--game", game, "--", own];
        for inside in ["uci", "ugi", "xboard"] {
            assert_eq!(ask(&bridged("ugi", inside), "ugi", "ugiok"), bare, "{game}, UGI over {inside}");
        }
        assert_eq!(ask(&bridged("uci", "ugi"), "uci", "uciok"), bare, "{game}, UCI over UGI");
        // XBoard has no words for nodes but `nps`: so many nodes are a second.
        let name = if game == "chess" { "normal" } else { game };
        let script = format!(
            "> xboard\n> protover 2\n< feature done=1\n> option Turn View=whole\n> new\n> variant {name}\n> nps 400\n> st 1\n> go\n\
             < move …\n> quit"
        );
        let moved = |arguments: &[&str]| {
            let (heard, status) = play_with(arguments, game, 1, &script);
            assert!(status.success(), "{heard:?}");
            heard.iter().find(|line| line.starts_with("move ")).unwrap().clone()
        };
        assert_eq!(moved(&bridged("xboard", "ugi")), moved(&[]), "{game}, XBoard's protocol over UGI");
    }
}

/// Whatever signal ends the bridge, it leaves no child, nor what that has started, in whatever session.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_ends_the_engine_and_what_it_started() {
    use rustix::process::{Pid, Signal, kill_process};
    let own = std::env::current_exe().unwrap();
    for (name, signal) in [("interrupt", Signal::INT), ("terminate", Signal::TERM), ("hang-up", Signal::HUP)]
    {
        let pids = std::env::temp_dir().join(format!("carom-bridge-{name}-{}", std::process::id()));
        let file = pids.display();
        let engine = format!(
            "sleep 1000 & echo $! >{file}; (setsid sleep 1000 & echo $! >>{file}); echo $$ >>{file}; \
             ENGINE_SCRIPT='{UCI}> isready\n< readyok' exec {} common::scripted_engine::plays --exact --nocapture",
            own.display()
        );
        let mut talk = Conversation::begin(
            &["bridge", "--as", "uci", "--engine", "uci", "--", "sh", "-c", &engine],
            "uci",
        );
        talk.hear_start("uciok");
        // A search is in progress, which the engine never ends.
        talk.say("go infinite");
        talk.say("isready");
        talk.hear_start("readyok");
        kill_process(Pid::from_raw(talk.id() as i32).unwrap(), signal).unwrap();
        let (heard, status) = talk.ended();
        assert_eq!(status.code(), Some(130), "{name}: {heard:?}");
        // That the engine has gone is no fault of its own.
        assert!(!heard.iter().any(|line| line.contains("disconnects")), "{name}: {heard:?}");
        let text = std::fs::read_to_string(&pids).unwrap();
        assert_eq!(text.lines().count(), 3, "{text}");
        for id in text.lines() {
            let state = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
            let state = state.rsplit(") ").next().unwrap_or_default();
            assert!(state.is_empty() || state.starts_with(['Z', 'X']), "{name}: {id} lives on: {state}");
        }
        std::fs::remove_file(&pids).unwrap();
    }
}
