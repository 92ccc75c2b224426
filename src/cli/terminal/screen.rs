//! The screen: the board, beside it players, roles and turns, below it the status. Drawing is pure: a
//! [`View`] becomes lines.

use crate::base::Color;
use crate::base::columns::{cut, padded, width};
use crate::cli::matches::Size;
use crate::draw::{Look, Style, highlighted_board_text};
use crate::game::{Deal, Facts, Heap, Piece, Shape};
use crate::notation::{Coordinate, Leg, Position, parse_token};
use std::io::{self, Write};

/// The content of the screen.
#[derive(Clone, Debug)]
pub struct View {
    /// The game that is shown.
    pub facts: &'static Facts,
    /// The position as the viewer may know it.
    pub position: Position,
    /// The cards, as far as the viewer may know them.
    pub deal: Option<Deal>,
    /// The style and direction of the board.
    pub look: Look,
    /// The highlighted squares.
    pub marked: Vec<Coordinate>,
    /// A line for each player, White's first.
    pub players: [String; 2],
    /// The side to decide.
    pub actor: Option<Color>,
    /// The turns that were played, as the viewer may read them, each with its side.
    pub turns: Vec<(Color, String)>,
    /// The number of turns before the position shown; `None` for all.
    pub at: Option<usize>,
    /// The lines about the state of the game.
    pub status: Vec<String>,
    /// The answer to the last input.
    pub message: Vec<String>,
}

/// The columns between the board and the panel beside it.
const GAP: usize = 3;
/// The rows of the board and the panel: as many as the tallest board (HanniBall's) needs. Of the 24 rows of
/// an ordinary terminal seven are left below.
const BODY: usize = 16;

impl View {
    /// The lines of the screen for a terminal of this size. They are fewer than its rows, so that a line can
    /// be typed below. A message that does not fit has the screen to itself.
    pub fn lines(&self, size: Size) -> Vec<String> {
        let placement = &self.position.placement;
        let (ranks, files) = (usize::from(placement.ranks), usize::from(placement.files));
        if !self.look.tall && size.rows >= 2 * ranks + 9 && size.columns >= 5 * files + 40 {
            let look = Look { tall: true, ..self.look };
            return Self { look, ..self.clone() }.lines(size);
        }
        let columns = size.columns.saturating_sub(1);
        let body =
            self.body(columns, BODY.max(size.rows.saturating_sub(8)).min(self.board().len().max(BODY)));
        let room = size.rows.saturating_sub(2 + body.len());
        let rest = [self.status.as_slice(), &self.message].concat();
        if rest.len() <= room {
            let mut lines = body;
            lines.push(String::new());
            lines.extend(rest);
            lines.resize((size.rows - 1).max(lines.len()), String::new());
            return lines.iter().take(size.rows - 1).map(|line| cut(line, columns)).collect();
        }
        let last = size.rows.saturating_sub(2);
        let mut lines: Vec<String> = self.message.iter().take(last).map(|line| cut(line, columns)).collect();
        if self.message.len() > last {
            lines.truncate(last.saturating_sub(1));
            lines.push(format!("… and {} lines more", self.message.len() - lines.len()));
        }
        lines.push("(Enter shows the board again.)".to_owned());
        lines
    }

    /// The same for a file or a pipe, with as many lines as needed.
    pub fn plain_lines(&self, columns: usize) -> Vec<String> {
        let mut lines = self.body(columns, 0);
        lines.extend(self.status.iter().chain(&self.message).cloned());
        lines.iter().map(|line| line.trim_end().to_owned()).collect()
    }

    fn board(&self) -> Vec<String> {
        let text = highlighted_board_text(self.facts, &self.position, self.look, &self.marked);
        text.lines().map(str::to_owned).collect()
    }

    /// The board and the panel beside it, in `rows` rows, or in as few as show the last turns.
    fn body(&self, columns: usize, rows: usize) -> Vec<String> {
        let mut board = self.board();
        // Below the board stand the hands and the roles; they move to the panel.
        let lines_a_rank = if self.look.tall && self.look.style != Style::Plain { 2 } else { 1 };
        let ranks = usize::from(self.position.placement.ranks) * lines_a_rank;
        let remarks = board.split_off((ranks + 1).min(board.len()));
        let board_columns = board.iter().map(|line| width(line)).max().unwrap_or(0);
        let side = columns.saturating_sub(board_columns + GAP);
        let mut panel = vec![self.bold(&cut(self.facts.title, side))];
        // The player at the far side of the board comes first.
        let order =
            if self.look.turned { [Color::White, Color::Black] } else { [Color::Black, Color::White] };
        for color in order {
            let sign = if self.actor == Some(color) { '>' } else { ' ' };
            let player = &self.players[color.index()];
            let line = if player.is_empty() {
                format!("{sign} {color}")
            } else {
                format!("{sign} {color}: {player}")
            };
            let line = cut(&line, side);
            panel.push(if self.actor == Some(color) { self.bold(&line) } else { line });
        }
        panel.push(String::new());
        let remarks =
            remarks.iter().map(|line| line.trim().to_owned()).chain(self.deal.iter().flat_map(cards));
        panel.extend(remarks.flat_map(|remark| wrapped(&remark, side, "  ")));
        if panel.last().is_some_and(|line| !line.is_empty()) {
            panel.push(String::new());
        }
        let legend = wrapped(&legend(self.facts), side, "  ");
        let room = if rows > 0 {
            // The legend stands where it leaves room for some turns.
            let left = rows.saturating_sub(panel.len());
            let legend = legend.len() + 1;
            left - if legend > 1 && left >= legend + 4 { legend } else { 0 }
        } else {
            4.max(board.len().saturating_sub(panel.len()))
        };
        panel.extend(self.turn_rows(side, room));
        if panel.last().is_some_and(String::is_empty) {
            panel.pop();
        }
        if !legend.is_empty() && rows > panel.len() + legend.len() {
            panel.resize(rows - legend.len(), String::new());
            panel.extend(legend);
        }
        let height = board.len().max(panel.len()).max(rows);
        board.resize(height, String::new());
        panel.resize(height, String::new());
        let row = |(board, beside): (&String, &String)| {
            let line = format!("{}{}{beside}", padded(board, board_columns), " ".repeat(GAP));
            line.trim_end().to_owned()
        };
        board.iter().zip(&panel).map(row).collect()
    }

    fn bold(&self, text: &str) -> String {
        if self.look.style == Style::Plain { text.to_owned() } else { format!("\x1b[1m{text}\x1b[0m") }
    }

    /// The rows around the last turn, or around the turn that is shown: as many as fit. Two turns share a row
    /// unless they are long.
    fn turn_rows(&self, columns: usize, room: usize) -> Vec<String> {
        let wide = columns.saturating_sub(6) / 2;
        let end = self.at.unwrap_or(self.turns.len());
        let near = &self.turns[end.saturating_sub(2 * room)..self.turns.len().min(end + 2)];
        let side_by_side = near.iter().all(|(_, text)| width(text) + 2 <= wide);
        let mut rows: Vec<String> = Vec::new();
        let (mut shown, mut number) = (0, 0);
        for (index, (color, text)) in self.turns.iter().enumerate() {
            let begins = index == 0 || *color == Color::White || self.turns[index - 1].0 == Color::Black;
            number += usize::from(begins);
            let text = cut(text, if side_by_side { wide } else { columns.saturating_sub(8) });
            let here = self.at == Some(index + 1);
            let cell = if here { self.bold(&format!("{text} <")) } else { text };
            match rows.last_mut() {
                Some(row) if !begins && side_by_side => row.push_str(&cell),
                _ if *color == Color::White => rows.push(format!("{number:>4}. {cell}")),
                _ => rows.push(format!("{number:>4}… {cell}")),
            }
            if side_by_side
                && *color == Color::White
                && let Some(row) = rows.last_mut()
            {
                *row = padded(row, 6 + wide);
            }
            if index < end {
                shown = rows.len();
            }
        }
        // The row that is shown, and if there is room one after it.
        let last = (shown + usize::from(room > 2)).max(room).min(rows.len());
        rows.drain(last.saturating_sub(room)..last).map(|row| row.trim_end().to_owned()).collect()
    }
}

/// The hands and the cards that were played, as text. The order of the stock is not shown.
fn cards(deal: &Deal) -> Vec<String> {
    let names = |heap: &Heap| heap.seen.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let hand = |player: Color| {
        let hand = &deal.hands[player.index()];
        match (names(hand).as_str(), hand.hidden) {
            ("", count) => format!("{player} holds {count} cards"),
            (cards, 0) => format!("{player} holds {cards}"),
            (cards, count) => format!("{player} holds {cards} and {count} more"),
        }
    };
    let mut lines: Vec<String> = Color::ALL.map(hand).into();
    lines.extend(
        Some(names(&deal.discards)).filter(|cards| !cards.is_empty()).map(|cards| format!("Played: {cards}")),
    );
    lines
}

/// The letters of a game whose pieces are not those of chess: `H Horse, L Lion`.
fn legend(facts: &Facts) -> String {
    let of_chess = |shape: Shape| shape <= Shape::King || matches!(shape, Shape::Thing(_));
    if facts.pieces.iter().all(|piece| of_chess(piece.shape)) {
        return String::new();
    }
    let piece = |piece: &Piece| format!("{} {}", char::from(piece.letter), piece.title());
    // A ball that a piece has is a sign beside the piece's own letter.
    facts.pieces.iter().filter(|piece| piece.beside.is_none()).map(piece).collect::<Vec<_>>().join(", ")
}

/// The squares that a turn names.
pub fn squares_of(token: &str) -> Vec<Coordinate> {
    let legs = parse_token(token).map(|token| token.legs).unwrap_or_default();
    let squares = |leg: Leg| match leg {
        Leg::Move { from, to, .. } => vec![from, to],
        Leg::Put { at, .. } => vec![at],
        _ => Vec::new(),
    };
    legs.into_iter().flat_map(squares).collect()
}

/// Breaks `text` between words into lines of at most `columns` columns; all but the first begin with
/// `indent`.
pub fn wrapped(text: &str, columns: usize, indent: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if line.trim().is_empty() {
            line.push_str(word);
        } else if width(&line) + 1 + width(word) <= columns {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(std::mem::replace(&mut line, format!("{indent}{word}")));
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines.iter().map(|line| cut(line, columns)).collect()
}

/// The output on which screens are drawn.
pub struct Canvas<'a> {
    out: &'a mut dyn Write,
    terminal: bool,
}

impl<'a> Canvas<'a> {
    /// `terminal` tells whether `out` is a terminal, or else a file or a pipe.
    pub fn new(out: &'a mut dyn Write, terminal: bool) -> Self {
        Self { out, terminal }
    }

    /// True when a new drawing replaces the previous one.
    pub const fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// Shows the whole screen.
    pub fn show(&mut self, view: &View) -> io::Result<()> {
        if self.terminal {
            let lines = view.lines(Size::now());
            // A single write prevents flickering. Each line is cleared after its end, and so is everything
            // below the last line.
            write!(self.out, "\x1b[H{}\x1b[K\r\n\x1b[J", lines.join("\x1b[K\r\n"))?;
        } else {
            writeln!(self.out, "{}", view.plain_lines(79).join("\n"))?;
        }
        self.out.flush()
    }

    /// Shows an answer: with the screen on a terminal or if the screen is `stale`, else by itself.
    pub fn answer(&mut self, view: &View, stale: bool) -> io::Result<()> {
        if self.terminal || stale {
            return self.show(view);
        }
        for line in &view.message {
            writeln!(self.out, "{line}")?;
        }
        self.out.flush()
    }

    /// Writes a line in a file or a pipe; does nothing on a terminal.
    pub fn line(&mut self, line: &str) -> io::Result<()> {
        if !self.terminal {
            writeln!(self.out, "{line}")?;
            self.out.flush()?;
        }
        Ok(())
    }
}
