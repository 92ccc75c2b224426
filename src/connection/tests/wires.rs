//! What this end of a wire must do.

use crate::connection::pipes::{Pipes, Plain, Transport};
use crate::connection::wire::call;
use crate::connection::{EngineCommand, Own, Process, ProcessError, threaded};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};
use tungstenite::Message;

fn later() -> Instant {
    Instant::now() + Duration::from_secs(20)
}

/// Both ends of a connection.
fn both() -> (TcpStream, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let near = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    (near, listener.accept().unwrap().0)
}

/// The first fault when lines are asked for.
fn fault<T: Transport>(pipes: &mut Pipes<T>) -> ProcessError {
    loop {
        if let Err(fault) = pipes.next_line(later()) {
            return fault;
        }
    }
}

fn sockets_behave<T: Transport>() {
    let (near, mut far) = both();
    let mut pipes = Pipes::<T>::over(near, Box::new(Plain)).unwrap();
    assert_eq!(pipes.next_line(Instant::now()), Err(ProcessError::TimedOut));
    pipes.write("uci\nisready\n", later()).unwrap();
    let mut heard = [0; 12];
    far.read_exact(&mut heard).unwrap();
    assert_eq!(&heard, b"uci\nisready\n");
    far.write_all(b"a\r\n\tb\nlast").unwrap();
    assert_eq!(pipes.next_line(later()).unwrap().0, "a");
    pipes.close_input();
    assert_eq!(far.read(&mut heard).unwrap(), 0, "the input is closed, the output goes on");
    drop(far);
    assert_eq!([(); 2].map(|()| pipes.next_line(later()).unwrap().0), [" b", "last"]);
    assert_eq!(pipes.next_line(later()), Err(ProcessError::Disconnected));

    let (near, mut far) = both();
    let mut pipes = Pipes::<T>::over(near, Box::new(Plain)).unwrap();
    std::thread::spawn(move || while far.write_all(b"info string flood\n").is_ok() {});
    assert_eq!(fault(&mut pipes), ProcessError::Flooded);

    let (near, _far) = both();
    let mut pipes = Pipes::<T>::over(near, Box::new(Plain)).unwrap();
    let soon = Instant::now() + Duration::from_millis(20);
    assert_eq!(pipes.write(&"x".repeat(1 << 25), soon), Err(ProcessError::TimedOut), "it does not read");
}

#[test]
fn sockets_carry_lines_and_see_ends_floods_and_the_deaf() {
    sockets_behave::<Own>();
}

#[test]
fn threaded_sockets_do_the_same() {
    sockets_behave::<threaded::Threaded>();
}

fn web_sockets_behave<T: Transport>() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("ws://{}/token", listener.local_addr().unwrap());
    let far = std::thread::spawn(move || {
        let mut far = tungstenite::accept(listener.accept().unwrap().0).unwrap();
        far.write(Message::text("first")).unwrap();
        far.write(Message::Ping("hi".into())).unwrap();
        far.write(Message::text("a\nb")).unwrap();
        far.flush().unwrap();
        let heard = [(); 3].map(|()| far.read().unwrap());
        assert_eq!(heard, [Message::text("uci"), Message::text("isready"), Message::Pong("hi".into())]);
        far.write(Message::text("last")).unwrap();
        far.close(None).unwrap();
        // It does not hang up: the goodbye must be enough, and is answered.
        assert!(far.read().unwrap().is_close());
    });
    let (socket, framing) = call(&address.parse().unwrap()).unwrap();
    let mut pipes = Pipes::<T>::over(socket, framing).unwrap();
    let mut next = || pipes.next_line(later()).map(|(line, _)| line);
    assert_eq!([next(), next(), next()], ["first", "a", "b"].map(|line| Ok(line.to_owned())));
    pipes.write("uci\nisready\n", later()).unwrap();
    assert_eq!(pipes.next_line(later()).unwrap().0, "last");
    assert_eq!(pipes.next_line(later()), Err(ProcessError::Disconnected));
    assert_eq!(pipes.write("more\n", later()), Err(ProcessError::Disconnected));
    pipes.close_input();
    far.join().unwrap();
}

#[test]
fn web_sockets_carry_lines_answer_pings_and_end_at_a_goodbye() {
    web_sockets_behave::<Own>();
}

#[test]
fn threaded_web_sockets_do_the_same() {
    web_sockets_behave::<threaded::Threaded>();
}

#[test]
fn an_engine_at_an_address_is_asked_to_quit_and_its_end_is_waited_for() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let command = EngineCommand::new(format!("tcp://{}/secret", listener.local_addr().unwrap()));
    assert!(!command.to_string().contains("secret"));
    let far = std::thread::spawn(move || {
        let (far, _) = listener.accept().unwrap();
        let mut lines = BufReader::new(&far).lines().map_while(Result::ok);
        assert_eq!([lines.next().unwrap(), lines.next().unwrap()], ["token secret", "uci"]);
        (&far).write_all(b"uciok\n").unwrap();
        lines.collect::<Vec<_>>()
    });
    let mut process = Process::start(&command).unwrap();
    process.send("uci").unwrap();
    assert_eq!(process.receive(later()).unwrap().0, "uciok");
    assert!(process.wait(Instant::now()).is_none());
    drop(process);
    assert_eq!(far.join().unwrap(), ["quit"]);

    let mut with_arguments = command.clone();
    with_arguments.arguments.push("-x".into());
    for refused in [with_arguments, EngineCommand::new("wss://host:1"), command] {
        assert!(Process::start(&refused).is_err(), "{refused}");
    }
}
