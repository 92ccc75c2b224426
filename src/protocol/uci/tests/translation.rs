//! USI and UCCI, line by line.

use super::super::{Dialect, Translator};

#[test]
fn usi_is_uci_seen_from_the_other_side() {
    let mut usi = Translator::new(Dialect::Usi).unwrap();
    for (theirs, ours) in [
        ("usi", "uci"),
        ("usinewgame", "ucinewgame"),
        ("setoption name USI_Hash value 16", "setoption name Hash value 16"),
        ("position startpos moves 7g7f 3c3d 8h2b+ P*5e", "position startpos moves c3c4 g7g6 b2h8+ P@e5"),
        (
            "position sfen 4k4/9/9/9/9/9/9/9/4K4 w 2Pp 4 moves 5a5b",
            "position fen 4k4/9/9/9/9/9/9/9/4K4[PPp] b - - 0 2 moves e9e8",
        ),
        ("go btime 9000 wtime 8000 binc 7 winc 6", "go wtime 9000 winc 7 btime 8000 binc 6"),
        ("go ponder depth 3", "go ponder depth 3"),
        ("isready", "isready"),
    ] {
        assert_eq!(usi.command_to_uci(theirs), ours);
        if ours.starts_with("setoption") {
            usi.reply_to_uci("option name USI_Hash type spin default 16 min 1 max 64");
        }
        let back = usi.command_from_uci(ours);
        let same = back == theirs || back == "go btime 9000 binc 7 wtime 8000 winc 6";
        assert!(same, "{theirs}: {back}");
    }
    for (theirs, ours) in [
        ("go btime 1000 wtime 2000 byoyomi 500", "go wtime 1500 winc 500 btime 2500 binc 500"),
        ("go btime 0 wtime 0 byoyomi 500", "go movetime 500"),
        ("gameover win", ""),
        ("position sfen k4/5/5/5/4K b - 1 moves 1e1d", "position fen k4/5/5/5/4K[] w - - 0 1 moves e1e2"),
    ] {
        assert_eq!(usi.command_to_uci(theirs), ours);
    }
    usi.set_size(9, 9);
    assert_eq!(usi.command_from_uci("go movetime 500"), "go btime 0 wtime 0 byoyomi 500");
    for (theirs, ours) in [
        ("usiok", "uciok"),
        ("bestmove 7g7f ponder 3c3d", "bestmove c3c4 ponder g7g6"),
        ("bestmove resign", "bestmove (none)"),
        ("info depth 3 score cp -12 pv 7g7f P*5e", "info depth 3 score cp -12 pv c3c4 P@e5"),
        ("info depth 3 score mate 3 nodes 9", "info depth 3 score mate 2 nodes 9"),
        ("info depth 3 score mate -4 nodes 9", "info depth 3 score mate -2 nodes 9"),
        ("info string 7g7f", "info string 7g7f"),
        ("option name USI_Ponder type check default true", "option name Ponder type check default true"),
    ] {
        assert_eq!(usi.reply_to_uci(theirs), ours);
        assert_eq!(usi.reply_from_uci(ours), theirs);
    }
    assert_eq!(usi.reply_to_uci("info score mate +"), "info score mate 50");
    // What an engine says of a game that was asked for before the present one is too late.
    let told = "info string variant breakthrough files 8 ranks 8 pocket 0";
    usi.command_from_uci("setoption name UCI_Variant value breakthrough");
    usi.command_from_uci("setoption name UCI_Variant value shogi");
    usi.reply_to_uci(told);
    assert_eq!(usi.command_from_uci("position startpos moves c3c4"), "position startpos moves 7g7f");
    usi.command_from_uci("setoption name UCI_Variant value breakthrough");
    usi.reply_to_uci(told);
    assert_eq!(usi.command_from_uci("position startpos moves a2a3"), "position startpos moves 8g8f");
    assert_eq!(
        usi.reply_to_uci("option name Book type filename default x"),
        "option name Book type string default x"
    );
}

#[test]
fn ucci_counts_ranks_from_0_and_the_clocks_of_who_is_to_move() {
    let mut ucci = Translator::new(Dialect::Ucci).unwrap();
    for (theirs, ours) in [
        ("ucci", "uci"),
        ("position startpos moves h2e2 h9g7", "position startpos moves h3e3 h10g8"),
        ("position fen 4k4/9/9/9/9/9/9/9/9/4K4 b - - 0 1", "position fen 4k4/9/9/9/9/9/9/9/9/4K4 b - - 0 1"),
        ("go depth 5", "go depth 5"),
    ] {
        assert_eq!(ucci.command_to_uci(theirs), ours);
        assert_eq!(ucci.command_from_uci(ours), theirs);
    }
    let go = "go time 30 increment 1 opptime 20 oppincrement 2 movestogo 7";
    assert_eq!(
        ucci.command_to_uci(go),
        "go movestogo 7 wtime 20000 winc 2000 btime 30000 binc 1000",
        "Black"
    );
    assert_eq!(ucci.command_to_uci("setoption usemillisec true"), "");
    ucci.command_to_uci("position startpos");
    assert_eq!(ucci.command_to_uci(go), "go movestogo 7 wtime 30 winc 1 btime 20 binc 2");
    assert_eq!(
        ucci.command_from_uci("go wtime 30 winc 1 btime 20 binc 2"),
        "go time 30 increment 1 opptime 20 oppincrement 2"
    );
    assert_eq!(ucci.command_from_uci("go movetime 500"), "go movestogo 1 time 500");
    for (theirs, ours) in [
        ("bestmove h2e2 ponder h9g7", "bestmove h3e3 ponder h10g8"),
        ("nobestmove", "bestmove (none)"),
        ("info depth 3 score 12 pv h2e2", "info depth 3 score cp 12 pv h3e3"),
        ("option Book type string default x", "option name Book type string default x"),
    ] {
        assert_eq!(ucci.reply_to_uci(theirs), ours);
        assert_eq!(ucci.reply_from_uci(ours), theirs);
    }
    assert_eq!(ucci.reply_from_uci("info score mate 2"), "info score 29998");
    assert_eq!(ucci.reply_from_uci("option name Move Overhead type spin"), "option Move_Overhead type spin");
    assert_eq!(ucci.command_to_uci("setoption Move_Overhead 5"), "setoption name Move Overhead value 5");
    assert_eq!(ucci.reply_to_uci("option usemillisec type check default false"), "");
    assert_eq!(ucci.command_from_uci("isready"), "setoption usemillisec true\nisready");
    assert_eq!(ucci.command_from_uci("isready"), "isready");
}
