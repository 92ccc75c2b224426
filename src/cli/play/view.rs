//! The game as a screen.

use crate::base::Color;
use crate::cli::terminal::{View, squares_of, wrapped};
use crate::draw::Look;
use crate::game::DeedKind;
use crate::game::gui::Prompt;
use crate::live_game::{Level, Seat, Table, Turn, Viewer};
use crate::notation::Leg;
use crate::session::{self, PlayerClock, STOP, TimeControl};
use std::time::Duration;

/// The screen of the game for `viewer`.
pub fn view(table: &Table, viewer: Viewer, look: Look, thinking: bool, message: &[String]) -> View {
    let session = table.session();
    let turns = table.played().turns(viewer).into_iter().map(|turn| (turn.owner, turn.text));
    let known = viewer.known(session);
    View {
        facts: session.facts(),
        position: known.position(),
        deal: known.deal(),
        look,
        marked: table.played().last(viewer).map(|(_, token)| squares_of(&token)).unwrap_or_default(),
        players: Color::ALL.map(|color| player(table, color)),
        actor: table.to_decide(),
        turns: turns.collect(),
        at: None,
        status: status(table, viewer, thinking),
        message: message.to_vec(),
    }
}

fn player(table: &Table, color: Color) -> String {
    let clock = table.clocks().of(color);
    let name = match table.seats()[color.index()] {
        Seat::Engine if clock.control() == TimeControl::Untimed => format!("Carom ({})", level(table.level)),
        Seat::Engine => "Carom".to_owned(),
        Seat::Person if table.two_persons() => "a person".to_owned(),
        Seat::Person => "you".to_owned(),
    };
    let left = table.clocks().left(color, Duration::ZERO);
    format!("{name}{}", left.map_or_else(String::new, |left| clock_text(clock, left)))
}

fn level(level: Level) -> String {
    level.name().map_or_else(|| level.to_string(), str::to_owned)
}

fn clock_text(clock: &PlayerClock, left: Duration) -> String {
    let turns = clock.turns_to_go().map_or_else(String::new, |turns| format!(" for {turns} turns"));
    format!("   {}{turns}", clock_face(left))
}

/// The time left as text: `1:05:09`, `4:58`, `0:09.3`.
pub fn clock_face(left: Duration) -> String {
    let seconds = left.as_secs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    match (hours, minutes) {
        (0, 0) if seconds < 20 => format!("0:{:04.1}", (left.as_millis() / 100) as f64 / 10.0),
        (0, _) => format!("{minutes}:{:02}", seconds % 60),
        _ => format!("{hours}:{minutes:02}:{:02}", seconds % 60),
    }
}

/// What is written as a letter and a square, other than a move.
const PUT: [(&[DeedKind], &str); 4] = [
    (&[DeedKind::Throw], "the ball to a square"),
    (&[DeedKind::Remove, DeedKind::GiveUp], "a piece off"),
    (&[DeedKind::Name], "the new Defender"),
    (&[DeedKind::Drop], "a piece from the hand"),
];

/// The last turn of each side in words, where it was more than a move. Odd notation is then not all there is.
fn happened(table: &Table, viewer: Viewer) -> Vec<String> {
    let (played, turns) = (table.played(), table.played().turns(viewer));
    let last = turns.len().saturating_sub(2);
    let mut lines = Vec::new();
    for (index, turn) in turns.iter().enumerate().skip(last) {
        let from = index.checked_sub(1).map_or(0, |before| turns[before].end);
        if played.session().made(from, turn.end).len() > 1 {
            lines.extend(wrapped(&format!("{}: {}.", turn.owner, played.in_words(from, turn.end)), 79, "  "));
        }
    }
    lines
}

/// What a die or a card decides of the decisions that may be made now, where that is short enough to be read:
/// `O@e9 leaves it to chance: 3 of 6 wicket not taken (needed 4), 3 of 6 wicket taken (needed 4).`
fn chances(session: &dyn session::Session) -> Vec<String> {
    let decisions = session::decisions_and_outcomes(session, |successor| {
        let legs = successor.legs().iter().map(ToString::to_string).collect::<Vec<_>>();
        // The next player's throw is not what this decision leaves to chance.
        (!successor.between_turns()).then(|| legs.join(","))
    });
    let line = |(token, outcomes): (Option<String>, Vec<session::ChanceOutcome>)| {
        let of: u32 = outcomes.iter().map(|outcome| outcome.cases).sum();
        let case =
            |outcome: session::ChanceOutcome| Some(format!("{} of {of} {}", outcome.cases, outcome.label?));
        let cases: Vec<_> = outcomes.into_iter().filter_map(case).collect();
        (!cases.is_empty()).then_some(format!("{} leaves it to chance: {}.", token?, cases.join(", ")))
    };
    decisions.into_iter().filter_map(line).collect()
}

fn status(table: &Table, viewer: Viewer, thinking: bool) -> Vec<String> {
    let session = table.session();
    if let Some(ending) = table.ending() {
        return wrapped(&format!("The game is over: {}, {}.", ending.result(), ending.reason), 79, "");
    }
    let mut lines = Vec::new();
    let begun = table.begun(viewer);
    if let Some(text) = &begun {
        lines.push(format!("{}'s turn so far: {}", table.session().on_turn(), text.trim_end_matches(',')));
    } else if let Some(Turn { owner, text, .. }) = table.played().turns(viewer).pop() {
        let own = table.lone_person() == Some(owner);
        let player = if own { "You".to_owned() } else { owner.to_string() };
        lines.push(format!("{player} played {}", text.trim_end_matches(',')));
    }
    lines.extend(happened(table, viewer));
    let Some(color) = table.to_decide() else {
        let faces =
            session.odds().iter().map(|(face, weight)| format!("{face} ({weight})")).collect::<Vec<_>>();
        lines.push(format!(
            "Chance decides: type the outcome, such as =4. It matters whether it is {}.",
            faces.join(" or ")
        ));
        return lines;
    };
    if thinking {
        lines.push(format!("{color} thinks… (Ctrl-C: play at once)"));
        return lines;
    }
    if viewer == Viewer::Nobody {
        lines.push(format!("{color} is next. {color} alone must look now: press Enter then."));
        return lines;
    }
    let known = viewer.known(session);
    let prompt = known.prompt(&[]);
    if let Some(prompt) = &prompt {
        lines.extend(wrapped(&prompt.question, 79, "  "));
    }
    let ways = known.continuations();
    let number = ways.len();
    let so_far = match begun {
        Some(text) if text.ends_with(',') => format!("{color} goes on: {number} ways"),
        _ => format!("{color} to move: {number} ways"),
    };
    let mut what: Vec<String> = vec![so_far];
    let mut puts: Vec<(DeedKind, u8)> = Vec::new();
    known.explore(&mut |_, successor| {
        if let Some(&Leg::Put { letter, .. }) = successor.legs().first() {
            puts.push((successor.deed().kind, letter));
        }
        session::Look::Skip
    });
    for (kinds, meaning) in PUT {
        let put = puts.iter().find(|(kind, _)| kinds.contains(kind));
        what.extend(put.map(|&(_, letter)| format!("{}@… {meaning}", char::from(letter))));
    }
    let chances = chances(&*known);
    if ways.iter().any(|way| way == STOP) {
        what.push(". ends the turn".to_owned());
    }
    what.push("? lists them; help tells the rest".to_owned());
    lines.extend(wrapped(&format!("{}.", what.join("; ")), 79, "  "));
    lines.extend(chances.iter().flat_map(|line| wrapped(line, 79, "  ")));
    if let Some(prompt) = prompt.filter(Prompt::is_typed) {
        lines.extend(wrapped(&prompt.how, 79, "  "));
    }
    lines
}
