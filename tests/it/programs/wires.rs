//! Engines over a wire: what callers get, and what strangers do not.

use carom::pgn::Termination;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tungstenite::Message;
use tungstenite::client::IntoClientRequest;

/// A `carom listen`, and its addresses.
struct Listening {
    child: Child,
    tcp: String,
    web_socket: String,
}

impl Listening {
    fn with(words: &[&str]) -> Self {
        Self::started(Command::new(env!("CARGO_BIN_EXE_carom")).args(["listen", "--port", "0"]).args(words))
    }

    /// Engines that write without end when they are asked for their second turn.
    fn flooding() -> Self {
        let words = ["--most", "2", "--", std::env::current_exe().unwrap().to_str().unwrap()]
            .map(str::to_owned)
            .into_iter()
            .chain(["common::odd_engine::plays", "--exact", "--nocapture"].map(str::to_owned));
        let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
        Self::started(command.args(["listen", "--port", "0"]).args(words).env("ODD_HABIT", "flood"))
    }

    fn started(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut next = || lines.next().unwrap().unwrap();
        Self { tcp: next(), web_socket: next(), child }
    }

    fn host(&self) -> &str {
        self.tcp.strip_prefix("tcp://").unwrap().split('/').next().unwrap()
    }

    fn call(&self) -> TcpStream {
        let stream = TcpStream::connect(self.host()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What comes after `said`, up to a line that is `end`, or to the end of the connection.
fn answer(mut stream: &TcpStream, said: &str, end: &str) -> String {
    let _ = stream.write_all(said.as_bytes());
    let mut heard = String::new();
    for line in BufReader::new(stream).lines().map_while(Result::ok) {
        heard.push_str(&line);
        heard.push('\n');
        if line == end {
            break;
        }
    }
    heard
}

#[test]
fn a_caller_has_an_engine_of_its_own_over_tcp_and_over_a_web_socket() {
    let listening = Listening::with(&["--most", "2"]);
    let (one, other) = (listening.call(), listening.call());
    assert!(answer(&one, "uci\n", "uciok").ends_with("uciok\n"));
    assert!(answer(&other, "ugi\n", "ugiok").ends_with("ugiok\n"), "another engine");
    // A third has no place, until one of them is gone.
    assert_eq!(answer(&listening.call(), "uci\n", "uciok"), "");
    one.shutdown(Shutdown::Both).unwrap();
    let again = || answer(&listening.call(), "uci\n", "uciok");
    assert!(
        std::iter::repeat_with(again).take(1000).any(|heard| heard.ends_with("uciok\n")),
        "the place is free again"
    );
    drop(other);

    let web = |address: &str| {
        std::iter::repeat_with(|| tungstenite::connect(address)).take(1000).find_map(Result::ok)
    };
    let (mut socket, _) = web(&listening.web_socket).unwrap();
    socket.send(Message::text("uci")).unwrap();
    let heard: Vec<String> =
        std::iter::repeat_with(|| socket.read().unwrap().into_text().unwrap().to_string())
            .take_while(|line| line != "uciok")
            .collect();
    assert!(heard.iter().all(|line| !line.contains('\n')) && heard[0].starts_with("id name "), "{heard:?}");
}

#[test]
fn a_goodbye_behind_lines_ends_at_once() {
    let listening = Listening::with(&["--most", "1"]);
    let (mut socket, _) = tungstenite::connect(&listening.web_socket).unwrap();
    socket.write(Message::text("uci\nisready")).unwrap();
    socket.close(None).unwrap();
    // The caller does not hang up; its place is free all the same, and the goodbye is answered behind that.
    while !socket.read().unwrap().is_close() {}
    let (mut other, _) = tungstenite::connect(&listening.web_socket).unwrap();
    other.send(Message::text("uci")).unwrap();
    assert!(other.read().unwrap().into_text().unwrap().starts_with("id name "));
    other.close(None).unwrap();
    while !other.read().unwrap().is_close() {}
    // The end of what a caller says is its goodbye over TCP, and the end of the engine is ours: neither is an error.
    let wire = |address: &str, said: &str, is_last: bool| {
        let mut wire = Command::new(env!("CARGO_BIN_EXE_carom"))
            .args(["wire", address])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = wire.stdin.take();
        input.as_ref().unwrap().write_all(said.as_bytes()).unwrap();
        if is_last {
            input = None;
        }
        let done = wire.wait_with_output().unwrap();
        drop(input);
        done
    };
    for address in [&listening.tcp, &listening.web_socket] {
        let done = wire(address, "ucinewgame\n", true);
        assert!(done.status.success() && done.stderr.is_empty(), "{address}: {done:?}");
        let done = wire(address, "uci\nquit\n", false);
        assert!(done.status.success() && done.stderr.is_empty(), "{address}: {done:?}");
        assert!(String::from_utf8_lossy(&done.stdout).ends_with("uciok\n"), "{address}: {done:?}");
    }
}

#[test]
fn strangers_get_nothing() {
    let open = Listening::with(&[]);
    // A page in a browser could send this, from anywhere.
    for said in [
        "POST / HTTP/1.1\r\nHost: x\r\n\r\nuci\r\n",
        "GET / HTTP/1.1\r\n\r\nuci\r\n",
        "G E T HTTP/1.1\r\n\r\nuci\r\n",
    ] {
        let heard = answer(&open.call(), said, "uciok");
        assert!(heard.starts_with("HTTP/1.1 4") && !heard.contains("uciok"), "{said}: {heard}");
    }
    let mut request = open.web_socket.as_str().into_client_request().unwrap();
    request.headers_mut().insert("Origin", "http://elsewhere.example".parse().unwrap());
    assert!(tungstenite::connect(request).is_err());
    // A line that does not end, and a line that is too long.
    for said in ["u".repeat(20_000), format!("uci\n{}\n", "u".repeat(1 << 21))] {
        let stream = open.call();
        let mut writing = stream.try_clone().unwrap();
        std::thread::spawn(move || drop(writing.write_all(said.as_bytes())));
        let mut heard = Vec::new();
        let _ = (&stream).read_to_end(&mut heard);
    }
    assert!(answer(&open.call(), "uci\n", "uciok").ends_with("uciok\n"), "the others are served on");

    let closed = Listening::with(&["--token", "sesame"]);
    for said in ["uci\n", "token open\nuci\n", "token sesam\nuci\n"] {
        assert_eq!(answer(&closed.call(), said, "uciok"), "", "{said}");
    }
    assert!(answer(&closed.call(), "token sesame\nuci\n", "uciok").ends_with("uciok\n"));
    assert!(tungstenite::connect(closed.web_socket.replace("sesame", "open")).is_err());
    assert!(tungstenite::connect(closed.web_socket.as_str()).is_ok());
}

#[test]
fn a_match_is_played_over_both_wires_and_a_listener_that_is_gone_is_refused() {
    let listening = Listening::with(&["--most", "9", "--token", "t"]);
    let engines = |one: &str, other: &str| {
        let words =
            ["match", "-game", "alapo", "-each", "nodes=50", "-rounds", "1", "-most-turns", "20", "-engine"];
        Command::new(env!("CARGO_BIN_EXE_carom"))
            .args(words)
            .args([&format!("cmd={one}"), "name=A", "-engine", &format!("cmd={other}"), "name=B"])
            .output()
            .unwrap()
    };
    let played = engines(&listening.tcp, &listening.web_socket);
    let told = String::from_utf8_lossy(&played.stdout);
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
    assert_eq!(told.matches("Finished game").count(), 2, "{told}");
    assert!(told.contains("Latency of A:") && !told.contains("Faults"), "{told}");
    // The bridge and `comply` name engines so, too.
    let mut bridge = Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(["bridge", "--as", "xboard", "--", &listening.web_socket])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    bridge.stdin.take().unwrap().write_all(b"xboard\nprotover 2\nping 7\nquit\n").unwrap();
    let told = bridge.wait_with_output().unwrap();
    assert!(String::from_utf8_lossy(&told.stdout).contains("pong 7"));
    let gone = listening.tcp.clone();
    drop(listening);
    let refused = engines(&gone, "carom");
    assert!(!refused.status.success(), "{}", String::from_utf8_lossy(&refused.stdout));
    let wrong = engines("wss://host:1", "carom");
    assert_eq!(wrong.status.code(), Some(2));
}

/// Carries conversations between callers and `host`, and cuts one of them, once, when its engine makes its third turn.
fn cutting(host: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("tcp://{}", listener.local_addr().unwrap());
    let has_cut = Arc::new(AtomicBool::new(false));
    std::thread::spawn(move || {
        for caller in listener.incoming().map_while(Result::ok) {
            let engine = TcpStream::connect(&host).unwrap();
            let ends = || (caller.try_clone().unwrap(), engine.try_clone().unwrap());
            let (mut from, mut to) = ends();
            std::thread::spawn(move || {
                let _ = std::io::copy(&mut from, &mut to);
                let _ = to.shutdown(Shutdown::Both);
            });
            let ((mut to, from), has_cut) = (ends(), Arc::clone(&has_cut));
            std::thread::spawn(move || {
                let mut turns = 0;
                for line in BufReader::new(&from).lines().map_while(Result::ok) {
                    turns += u32::from(line.starts_with("bestmove"));
                    if turns == 3 && !has_cut.swap(true, Ordering::SeqCst) || writeln!(to, "{line}").is_err()
                    {
                        break;
                    }
                }
                let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
            });
        }
    });
    address
}

#[test]
fn a_wire_that_is_cut_in_the_middle_of_a_game_loses_it_and_the_next_game_has_a_new_wire() {
    let listening = Listening::with(&[]);
    let folder = tempfile::tempdir().unwrap();
    let engine = format!("cmd={}", cutting(listening.host().to_owned()));
    let played = Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(["match", "-game", "alapo", "-each", "nodes=50", "-rounds", "1", "-most-turns", "20"])
        .args([
            "-journal",
            "j.jsonl",
            "-seed",
            "1",
            "-engine",
            &engine,
            "name=A",
            "-engine",
            "cmd=carom",
            "name=B",
        ])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
    let games = crate::matches::records::games(&folder.path().join("j.jsonl"));
    let told: Vec<_> = games.iter().map(|game| (game.termination, game.turns.len())).collect();
    let [(Termination::Disconnect, 4), (Termination::LengthAdjudication | Termination::Normal, 5..)] =
        told[..]
    else {
        panic!("{told:?}")
    };
    assert_eq!(games[0].result, "0-1", "{}", games[0].reason);
}

#[test]
fn a_flood_fills_no_place_for_ever_and_a_caller_that_does_not_read_disturbs_nobody() {
    let listening = Listening::flooding();
    let asked =
        |number: usize| format!("position startpos moves {}\ngo depth 1\n", vec!["a2a3"; number].join(" "));
    let begin = || {
        let stream = listening.call();
        assert!(answer(&stream, "uci\n", "uciok").ends_with("uciok\n"));
        (&stream).write_all((asked(0) + &asked(2)).as_bytes()).unwrap();
        stream
    };
    // This one is never read again: what the engine writes fills all buffers on the way.
    let deaf = begin();
    let flooded = begin();
    let mut heard = vec![0; 1 << 22];
    (&flooded).read_exact(&mut heard).unwrap();
    assert!(String::from_utf8_lossy(&heard).contains("info string blah blah\ninfo string"));
    assert_eq!(answer(&listening.call(), "uci\n", "uciok"), "", "both places are taken");
    // Until the place is free again.
    let wait = || while !answer(&listening.call(), "uci\n", "uciok").ends_with("uciok\n") {};
    drop(flooded);
    wait();
    drop(deaf);
    wait();

    let listening = Listening::flooding();
    let played = Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(["match", "-game", "chess", "-each", "nodes=5", "-rounds", "1", "-games", "1", "-engine"])
        .args([&format!("cmd={}", listening.web_socket), "name=A", "-engine", "cmd=carom", "name=B"])
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&played.stdout);
    // Either end of the wire may be the first that has enough of it.
    assert!(told.contains("White floods") || told.contains("White disconnects"), "{told}");
}
