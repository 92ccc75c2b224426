//! What happens when the other side sends what nobody should: a clear message where the protocol has one, the game in
//! progress kept, never a panic, never a hang, exit 0 on `quit` and on end of input.
use crate::common::conversation::Conversation;

/// What is sent (as bytes), and what one of the answering lines must contain; empty when no answer is due.
/// After each row the engine must still be alive, and the game of the row before must still be there.
const UCI: [(&[u8], &str); 56] = [
    (b"\n", ""),
    (b"\r\n\r\n", ""),
    (b"   \t \n", ""),
    (b"\0\0\0\n", "unknown command"),
    (b"\xff\xfe\x80garbage\n", "unknown command"),
    (b"hello there\n", "unknown command: hello there"),
    (b"joho debug on\n", ""),
    (b"debug maybe\n", "debug"),
    (b"debug off\n", ""),
    (b"setoption\n", "setoption"),
    (b"setoption name\n", "name"),
    (b"setoption name Nonsense value 3\n", "no option is called `Nonsense`"),
    (b"setoption name Hash value 0\n", "from 1 to"),
    (b"setoption name Hash value 99999999999999999999999\n", "from 1 to"),
    (b"setoption name Hash value -5\n", "from 1 to"),
    (b"setoption name Hash value many\n", "from 1 to"),
    (b"setoption name MultiPV\n", "from 1 to"),
    (b"setoption name Ponder value perhaps\n", "true or false"),
    (b"setoption name UCI_Variant value tiddlywinks\n", "no game is called `tiddlywinks`"),
    (b"setoption name clockwise-sideways value 7\n", "true or false"),
    (b"position\n", "the game in progress is kept"),
    (b"position moves e2e4\n", "the game in progress is kept"),
    (b"position fen\n", "fen"),
    (b"position fen 8/8/8/8/8/8/8/8 w - - 0 1\n", "king"),
    (b"position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\n", "kept"),
    (b"position fen rnbqkbnr/ppppXppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n", "kept"),
    (b"position fen rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n", "kept"),
    (b"position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1\n", "side"),
    (b"position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e9 0 1\n", "kept"),
    (b"position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 more\n", "kept"),
    (b"position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 99999999999 1\n", "kept"),
    (b"position fen Pppppppk/8/8/8/8/8/8/K7 w - - 0 1\n", "kept"),
    (b"position startpos moves e2e4 e7e5 e1e3 g8f6\n", "number 3 of the list"),
    (b"position startpos moves e2e4 z9z9\n", "number 2 of the list"),
    (b"position startpos moves e2e4 e7e5 \xff\xff\n", "number 3 of the list"),
    (b"position startpos moves e2e4,e7e5\n", "number 1 of the list"),
    (b"position startpos moves 0000\n", "number 1 of the list"),
    (b"go depth minus\n", "depth"),
    (b"go depth 99999999999999\n", "depth"),
    (b"go movetime -3\n", "movetime"),
    (b"go nodes\n", "nodes"),
    (b"stop\n", ""),
    (b"ponderhit\n", ""),
    (b"go searchmoves e2e5 depth 1\n", "searchmoves"),
    (b"go perft 2 searchmoves e2e4 z9\n", "searchmoves"),
    (b"query\n", "query"),
    (b"query \xff\xff\n", "response unknown"),
    (b"query legal e9e9\n", "response illegal"),
    (b"query legal =1\n", "response illegal"),
    (b"query continuations ,,,\n", "response illegal"),
    (b"query continuations g1f3,g8f6\n", "response illegal"),
    (b"bench nowhere\n", "bench takes"),
    (b"bench 99999999999999999999\n", "bench takes"),
    (b"setoption name UCI_Elo value 2601\n", "from 600 to 2600"),
    (b"setoption name UCI_LimitStrength value strongly\n", "true or false"),
    (b"uginewgame now please\nposition startpos moves d2d4 d7d5\n", ""),
];

#[test]
fn uci_survives_a_table_of_bad_lines() {
    let mut uci = Conversation::begin(&[], "uci");
    uci.hear_start("uciok");
    // The game that must not be lost.
    uci.say("position startpos moves d2d4 d7d5");
    let kept = "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq";
    for (bytes, answer) in UCI {
        let row = String::from_utf8_lossy(bytes).into_owned();
        let before = uci.heard().len();
        uci.send(bytes);
        uci.say("isready");
        uci.hear_start("readyok");
        let said = uci.heard()[before..uci.heard().len() - 1].to_vec();
        if answer.is_empty() {
            assert!(said.is_empty(), "{row:?} was answered {said:?}");
        } else {
            assert!(
                said.iter().any(|line| line.contains(answer)),
                "{row:?} was answered {said:?}, not {answer:?}"
            );
        }
        uci.say("d");
        let shown = uci.hear_start("Fen: ");
        uci.hear_start("To decide: ");
        assert!(shown.contains(kept), "after {row:?} the game is {shown}");
    }
    // A `go` that cannot be obeyed is still answered, once each.
    let answers = uci.heard().iter().filter(|line| line.starts_with("bestmove")).count();
    assert_eq!(answers, 6);
    uci.say("quit");
    let (heard, status) = uci.end();
    assert!(status.success(), "{:?}", heard.last());
}

const XBOARD: [(&[u8], &str); 26] = [
    (b"\0\n", "Error (unknown command)"),
    (b"\xff\xff\xff\n", "Error (unknown command)"),
    (b"frobnicate 3\n", "Error (unknown command): frobnicate 3"),
    (b"variant tiddlywinks\n", "Error (no game is called `tiddlywinks`"),
    (b"level\n", "Error ("),
    (b"level a b c\n", "Error ("),
    (b"st soon\n", "Error ("),
    (b"sd -3\n", "Error ("),
    (b"time yesterday\n", "Error ("),
    (b"memory 0\n", ""),
    (b"cores 0\n", ""),
    (b"option Hash\n", "Error ("),
    (b"option Nonsense=3\n", "Error (no option is called"),
    (b"usermove\n", "Error ("),
    (b"usermove e2e5\n", "Illegal move ("),
    (b"usermove e7e5\n", "Illegal move ("),
    (b"usermove e9e5\n", "Illegal move ("),
    (b"e2e5\n", "Illegal move ("),
    (b"usermove d4d5,d5d6\n", "Illegal move ("),
    (b"setboard nonsense\n", "Illegal position"),
    (b"setboard 8/8/8/8/8/8/8/8 w - - 0 1\n", "Illegal position"),
    (b"edit\nKz9\n.\n", "Error (no such square"),
    (b"?\n", ""),
    (b"ping\n", "Error ("),
    (b"lift z99\n", ""),
    (b"put z99\n", ""),
];

#[test]
fn xboard_survives_a_table_of_bad_lines() {
    let mut xboard = Conversation::begin(&[], "xboard");
    xboard.say("protover 2");
    xboard.hear("done=1", |line| line.contains("done=1"));
    for line in ["new", "force", "usermove d2d4", "usermove d7d5"] {
        xboard.say(line);
    }
    for (bytes, answer) in XBOARD {
        let row = String::from_utf8_lossy(bytes).into_owned();
        let before = xboard.heard().len();
        xboard.send(bytes);
        xboard.say("ping 7");
        xboard.hear_start("pong 7");
        let said = xboard.heard()[before..xboard.heard().len() - 1].to_vec();
        if answer.is_empty() {
            assert!(said.is_empty(), "{row:?} was answered {said:?}");
        } else {
            assert!(
                said.iter().any(|line| line.contains(answer)),
                "{row:?} was answered {said:?}, not {answer:?}"
            );
        }
        // The game goes on: this is legal only after d2d4 d7d5.
        xboard.say("usermove c2c4");
        xboard.say("undo");
        xboard.say("ping 8");
        let before = xboard.heard().len();
        xboard.hear_start("pong 8");
        assert_eq!(xboard.heard().len(), before + 1, "after {row:?}: {:?}", &xboard.heard()[before..]);
    }
    xboard.say("quit");
    assert!(xboard.end().1.success());
}

#[test]
fn a_line_of_ten_megabytes_is_refused_and_the_next_is_read() {
    for (first, answer, next, reply) in [
        ("uci", "info string a line of 10485760 bytes is too long", "isready", "readyok"),
        ("xboard", "Error (10485760 bytes are too long", "ping 3", "pong 3"),
    ] {
        let mut talk = Conversation::begin(&[], first);
        talk.send(&vec![b'x'; 10 << 20]);
        talk.send(b"\n");
        talk.hear_start(answer);
        talk.say(next);
        talk.hear_start(reply);
        assert!(talk.end().1.success());
    }
}

#[test]
fn a_last_half_line_counts() {
    let mut uci = Conversation::begin(&[], "uci");
    uci.send(b"isready");
    let (heard, status) = uci.end();
    assert_eq!(heard.last().map(String::as_str), Some("readyok"));
    assert!(status.success());
}

#[test]
fn end_of_input_is_survived_in_every_state() {
    let searches =
        ["go infinite", "go ponder wtime 1000 btime 1000", "go depth 60", "go perft 9", "go movetime 600000"];
    for go in searches {
        for last in ["", "stop\n", "quit\n", "isready\n", "go depth 1\n", "stop\nquit\n"] {
            let mut uci = Conversation::begin(&[], "uci");
            uci.say("position startpos moves e2e4");
            uci.say(go);
            uci.send(last.as_bytes());
            let (heard, status) = uci.end();
            assert!(status.success(), "{go} {last:?}");
            let moves = heard.iter().filter(|line| line.starts_with("bestmove")).count();
            let asked = usize::from(!go.contains("perft")) + usize::from(last.contains("go"));
            assert_eq!(moves, asked, "{go} {last:?}: {heard:?}");
        }
    }
    for state in
        ["", "new\ngo\n", "new\nanalyze\n", "new\nhard\npost\ngo\n", "force\n", "new\nedit\n", "new\nhint\n"]
    {
        let mut xboard = Conversation::begin(&[], "xboard");
        xboard.send(state.as_bytes());
        let (_, status) = xboard.end();
        assert!(status.success(), "{state:?}");
    }
    // Before any protocol was chosen.
    for first in ["", "quit", "nonsense", "\0"] {
        assert!(Conversation::begin(&[], first).end().1.success(), "{first:?}");
    }
}

#[test]
fn go_during_a_search_ends_it_and_each_gets_its_answer() {
    let mut uci = Conversation::begin(&[], "uci");
    uci.say("go infinite");
    uci.say("position startpos moves e2e4 e7e5");
    uci.say("go depth 1");
    uci.say("go depth 2");
    for _ in 0..3 {
        uci.hear_start("bestmove");
    }
    uci.say("isready");
    uci.hear_start("readyok");
    let (heard, status) = uci.end();
    assert!(status.success());
    assert_eq!(heard.iter().filter(|line| line.starts_with("bestmove")).count(), 3);
}
