//! The mirror by itself: it reads plies, and another plays what they mean.

use crate::base::Rng;
use crate::game::{Actor, Rules};
use crate::session::chance::Chance;
use crate::session::{Look, Session, open};
use crate::variants;
use crate::xboard::mirror::{Change, Heard, Mirror, Sent};
use crate::xboard::view;

/// A game that is shown in single steps if `in_steps`, and its mirror.
fn begin(name: &str, start: Option<&str>, seed: u64, in_steps: bool) -> (Box<dyn Session>, Mirror) {
    let facts = variants::find(name).unwrap();
    let mut session = open(facts, Rules::of(facts), Chance::Own { seed });
    session.set_up(start, &mut std::iter::empty()).unwrap();
    let mirror = Mirror::new(&*session, in_steps);
    (session, mirror)
}

/// Plays decisions, and what is rolled after them.
fn decide(session: &mut dyn Session, mirror: &mut Mirror, path: &[u32]) {
    for &decision in path {
        assert!(session.decide(decision));
    }
    for decision in session.rolled() {
        assert!(session.decide(decision));
    }
    mirror.note_decisions(session);
}

fn carry_out(session: &mut dyn Session, mirror: &mut Mirror, change: &Change) {
    if let Some(point) = change.back {
        session.rewind(point.decisions);
        mirror.go_to(session, point);
    }
    if !change.path.is_empty() {
        decide(session, mirror, &change.path);
    }
    if change.shown {
        mirror.settle_here();
    }
}

/// Shows random decisions as plies to a mirror whose game has other dice. Returns the number of plies, and
/// of those that were the beginning of something.
fn shown(name: &str, start: Option<&str>, seed: u64) -> (usize, usize) {
    let (mut ours, mut mirror) = begin(name, start, seed, true);
    let (mut theirs, mut listener) = begin(name, start, seed + 100, true);
    let mut rng = Rng::new(seed);
    let (mut plies, mut begun) = (0, 0);
    for _ in 0..60 {
        let mut list = Vec::new();
        ours.explore(&mut |path, _| {
            list.push(path[0]);
            Look::Skip
        });
        let Some(&decision) = rng.pick(&list).filter(|_| ours.outcome().is_none()) else { break };
        decide(&mut *ours, &mut mirror, &[decision]);
        for ply in mirror.settle(&*ours) {
            plies += 1;
            match listener.hear(&*theirs, &ply.to_string(), false) {
                Heard::Step(change, None) => carry_out(&mut *theirs, &mut listener, &change),
                Heard::Incomplete(change) => {
                    begun += 1;
                    carry_out(&mut *theirs, &mut listener, &change);
                }
                _ => panic!("{name} {seed}: {ply} means nothing in {}", theirs.position()),
            }
        }
        if ours.actor() != Actor::Nobody {
            assert_eq!(ours.position().to_string(), theirs.position().to_string(), "{name} {seed}");
            assert!(listener.board.looks_like(&mirror.board) && listener.shows_all(), "{name} {seed}");
        }
    }
    (plies, begun)
}

#[test]
fn plies_are_read_as_the_decisions_that_they_show() {
    const WICKET: &str = "****1***/4k1r1/5ppp/8/8/8/2B5/PPP2PPP/3RK3/****1*** w - - c3:e1/e8:g8 0 30";
    for (name, start, several) in
        [("hanniball", None, true), ("jai-alai", None, false), ("wickets-dice", Some(WICKET), true)]
    {
        let (mut plies, mut begun) = (0, 0);
        for seed in 1..=3 {
            let (more, beginnings) = shown(name, start, seed);
            (plies, begun) = (plies + more, begun + beginnings);
        }
        assert!(plies > 60 && (begun > 0 || !several), "{name}: {plies} plies, {begun} begun");
    }
}

#[test]
fn a_ply_of_the_mouse_is_a_step_and_other_plies_leave_no_trace() {
    let (session, mut mirror) = begin("hanniball", None, 1, true);
    for text in ["b4h9", "a1a1", "z9z9", "O-O"] {
        assert!(matches!(mirror.hear(&*session, text, true), Heard::Nothing), "{text}");
        assert!(mirror.plies() == 0 && mirror.shows_all(), "{text}");
    }
    let Heard::Step(change, None) = mirror.hear(&*session, "b4c6", true) else { panic!("no step") };
    assert_eq!(Some(change.path), session.decisions_of("b4c6,"));
    // XBoard's board has moved, the game has not.
    assert!(mirror.plies() == 1 && !mirror.shows_all());
}

#[test]
fn where_turns_are_whole_they_are_heard_as_written() {
    let (mut session, mut mirror) = begin("alapo", Some("8/8/8/3k4/3r4/8/7R/K7 b h2 d5 99 60"), 1, false);
    let Heard::Turn(token) = mirror.hear(&*session, "d5e5", true) else { panic!("no turn") };
    session.play(&token).unwrap();
    mirror.note_token(&*session);
    // Two pieces are removed, which XBoard does not know: first White's ply, then Black's.
    assert!(!mirror.shows_all());
    assert!(matches!(mirror.hear(&*session, "h2h3z", true), Heard::Correction));
    assert!(matches!(mirror.hear(&*session, "e5e4z", true), Heard::Correction));
    assert!(mirror.shows_all() && mirror.plies() == 3);
    let board = |text: &str| view::board(session.facts(), text).unwrap();
    let present = board(&session.shown().to_string());
    assert!(matches!(mirror.hear_board(&present, true), Sent::Present));
    assert!(matches!(mirror.hear_board(&present, false), Sent::Other), "a game may begin there");
    assert!(matches!(mirror.hear_board(&board("8/8/8/8/8/8/8/K7 w"), true), Sent::Other));
}
