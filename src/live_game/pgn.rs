//! Games written as PGN.

use super::{Line, Seat, Table, Turn, Viewer};
use crate::base::Color;
use crate::pgn::{ChessNotation, CommentFields, Ending, GameRecord, PgnStyle, Termination, TurnRecord};

/// What the record of a game says about it that the game itself does not know.
#[derive(Clone, Copy, Debug)]
pub struct PgnTags<'a> {
    /// The name of the occasion, for the tag `Event`.
    pub event: &'a str,
    /// The name of the engine.
    pub engine: &'a str,
    /// The date in UTC, in the format of PGN.
    pub date: &'a str,
}

/// The game at `table` as PGN, with `lines` as variations.
pub fn game_pgn(table: &Table, tags: PgnTags<'_>, lines: &[Line]) -> String {
    let session = table.session();
    let mut record = game_record(table, tags);
    let mut lines: Vec<_> = lines.iter().map(|line| records(&line.turns)).collect();
    if record.turns.is_empty() && table.ending().is_none() && !lines.is_empty() {
        // A variation needs a turn of the main line to replace.
        record.turns = lines.remove(0);
    }
    let style = PgnStyle {
        facts: session.facts(),
        rules: session.rules().clone(),
        event: tags.event.to_owned(),
        site: "?".to_owned(),
        notation: ChessNotation::Short,
        minimal: true,
        extras: CommentFields::default(),
    };
    style.write_tree(&record, &lines)
}

fn records(turns: &[Turn]) -> Vec<TurnRecord> {
    turns.iter().map(|turn| TurnRecord(turn.text.clone(), turn.owner.letter(), None)).collect()
}

/// The game at `table` as journals keep it.
pub fn game_record(table: &Table, tags: PgnTags<'_>) -> GameRecord {
    let session = table.session();
    let facts = session.facts();
    let name = |color: Color| match table.seats()[color.index()] {
        Seat::Person => "Player".to_owned(),
        Seat::Engine => tags.engine.to_owned(),
    };
    let ending = table.ending();
    let start = session.position_after(0).map(|position| position.to_string());
    let control = table.clocks().control().to_string();
    GameRecord {
        number: 1,
        round: 1,
        pair: 1,
        engines: [0, 1],
        names: table.names().cloned().unwrap_or_else(|| Color::ALL.map(name)),
        result: ending.as_ref().map_or("*", Ending::result).to_owned(),
        termination: ending.as_ref().map_or(Termination::Unterminated, |ending| ending.termination),
        reason: ending.map_or_else(|| "to be continued".to_owned(), |ending| ending.reason),
        position: start.filter(|start| start != facts.start),
        seed: table.seed(),
        controls: [control.clone(), control],
        date: tags.date.to_owned(),
        turns: records(&table.played().turns(Viewer::All)),
        last: session.position().to_string(),
    }
}
