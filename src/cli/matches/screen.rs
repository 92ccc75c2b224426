//! The foot of a terminal: lines that are redrawn in place, while other lines scroll by above them.

use crate::arena::schedule::Pairing;
use crate::arena::{GameSnapshot, Tournament};
use crate::base::columns::{cut, width};
use crate::base::{Color, without_controls};
use crate::cli::terminal::squares_of;
use crate::draw::{Style, highlighted_board_text};
use crate::session::TimeControl;
use std::fmt::Write;
use std::io::{self, IsTerminal};
use terminal_size::{Height, Width, terminal_size_of};

/// The foot of a terminal as it was last drawn.
#[derive(Debug, Default)]
pub struct Screen {
    /// The width of each of its lines, in columns.
    drawn: Vec<usize>,
}

/// The size of a terminal in columns and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    pub columns: usize,
    pub rows: usize,
}

impl Size {
    /// The size of the terminal on standard output; 80 by 24 if it is unknown.
    pub fn now() -> Self {
        match terminal_size_of(io::stdout()) {
            Some((Width(columns), Height(rows))) if columns > 0 && rows > 0 => {
                Self { columns: columns.into(), rows: rows.into() }
            }
            _ => Self { columns: 80, rows: 24 },
        }
    }
}

impl Screen {
    /// The text that writes `above`, which are whole lines, above the foot and replaces the foot by `foot`.
    /// It must be written in one call, so that nothing flickers. The terminal scrolls for `above` only, since
    /// no line of the foot is wider than the terminal and there are fewer lines than rows.
    pub fn frame(&mut self, above: &str, foot: &[String], size: Size) -> String {
        let mut text = String::new();
        // Lines drawn when the terminal was wider have been broken by it.
        let rows: usize = self.drawn.iter().map(|width| width.div_ceil(size.columns).max(1)).sum();
        if rows > 0 {
            // Writing to a String cannot fail.
            let _ = write!(text, "\x1b[{}A\r", rows.min(size.rows.saturating_sub(1)).max(1));
        }
        if !above.is_empty() && rows > 0 {
            text.push_str("\x1b[J");
        }
        text.push_str(above);
        // The last column stays free, since some terminals then move to the next line.
        let foot = foot.iter().take(size.rows.saturating_sub(1)).map(|line| cut(line, size.columns - 1));
        self.drawn.clear();
        for line in foot {
            let _ = writeln!(text, "{line}\x1b[K");
            self.drawn.push(width(&line));
        }
        if rows > 0 {
            text.push_str("\x1b[J");
        }
        text
    }
}

/// The lines of a picture above a table that fit into `rows`. The picture has priority; of the table, the
/// last line is the most important, followed by the first ones.
pub fn fitting(picture: &[String], table: &[String], rows: usize) -> Vec<String> {
    let picture = if picture.len() < rows || table.is_empty() { picture } else { &[] };
    let room = rows.saturating_sub(picture.len());
    let mut lines = picture.to_vec();
    match table.split_last() {
        Some((last, first)) if room > 0 => {
            lines.extend(first.iter().take(room - 1).cloned());
            lines.push(last.clone());
        }
        _ => {}
    }
    lines
}

/// A running game: the board for the foot of a terminal, else one line for each turn.
pub fn picture(tournament: &Tournament, pairing: &Pairing, snapshot: &GameSnapshot<'_>) -> String {
    let facts = tournament.settings.facts;
    let turn = snapshot.session.tokens_played();
    let clock = |color: Color| {
        let limits = &tournament.settings.engines[pairing.engines[color.index()]].limits;
        let left = snapshot.clocks[color.index()].as_secs_f64();
        if limits.control == TimeControl::Untimed { String::new() } else { format!("{color} {left:.1} s") }
    };
    let last = snapshot.turns.last().map(|turn| snapshot.public_turn(turn)).map_or(String::new(), |turn| {
        let search_info = turn.2.as_ref().map_or("", |move_info| &move_info.0);
        format!("{} {search_info}", turn.0)
    });
    if !io::stdout().is_terminal() {
        if turn == 0 {
            return String::new();
        }
        let clocks = Color::ALL.map(clock).into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>();
        return format!("{}\n", format!("{turn:>3}. {last:<24} {}", clocks.join(", ")).trim_end());
    }
    let marked = snapshot.turns.last().map(|turn| squares_of(&turn.0)).unwrap_or_default();
    let board = highlighted_board_text(facts, &snapshot.session.public_position(), Style::Terminal, &marked);
    let [first, second] = pairing.engines.map(|engine| without_controls(&tournament.names[engine]));
    let clocks = Color::ALL.map(clock).join("   ");
    let line = format!("turn {turn}  {last}   {clocks}");
    format!(
        "\n{}, game {}: {first} vs {second}\n{}\n{}\n",
        facts.title,
        pairing.number,
        board.trim_end(),
        line.trim_end()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    /// A terminal that understands the escape sequences of the frames: its rows, and how many have scrolled
    /// away.
    struct Terminal {
        size: Size,
        rows: Vec<Vec<char>>,
        at: (usize, usize),
        scrolled: usize,
    }

    impl Terminal {
        fn new(columns: usize, rows: usize) -> Self {
            Self { size: Size { columns, rows }, rows: vec![Vec::new(); rows], at: (0, 0), scrolled: 0 }
        }

        fn next_row(&mut self) {
            self.at = (self.at.0 + 1, 0);
            if self.at.0 == self.size.rows {
                self.rows.remove(0);
                self.rows.push(Vec::new());
                self.at.0 -= 1;
                self.scrolled += 1;
            }
        }

        fn command(&mut self, number: &str, letter: char) {
            let (row, column) = self.at;
            match letter {
                'A' => self.at.0 = row.checked_sub(number.parse().unwrap()).expect("it goes above the top"),
                'K' | 'J' => {
                    self.rows[row].truncate(column);
                    if letter == 'J' {
                        self.rows[row + 1..].fill(Vec::new());
                    }
                }
                other => panic!("no frame has {other}"),
            }
        }

        fn show(&mut self, text: &str) {
            let mut rest = text.chars();
            while let Some(c) = rest.next() {
                match c {
                    '\x1b' => {
                        assert_eq!(rest.next(), Some('['));
                        let mut number = String::new();
                        let letter = loop {
                            match rest.next().unwrap() {
                                digit if digit.is_ascii_digit() => number.push(digit),
                                letter => break letter,
                            }
                        };
                        self.command(&number, letter);
                    }
                    '\r' => self.at.1 = 0,
                    '\n' => self.next_row(),
                    c => {
                        if self.at.1 == self.size.columns {
                            self.next_row();
                        }
                        let (row, column) = self.at;
                        let row = &mut self.rows[row];
                        row.resize(row.len().max(column + 1), ' ');
                        row[column] = c;
                        self.at.1 += 1;
                    }
                }
            }
        }

        fn seen(&self) -> Vec<String> {
            self.rows.iter().map(|row| row.iter().collect()).collect()
        }
    }

    #[test]
    fn the_foot_is_drawn_over_itself_and_never_scrolls() {
        let mut terminal = Terminal::new(20, 6);
        let mut screen = Screen::default();
        let size = terminal.size;
        let wide = "a line that is wider than the terminal";
        for _ in 0..10 {
            let frame = screen.frame("", &lines(&["one", wide, "three"]), size);
            terminal.show(&frame);
        }
        assert_eq!(terminal.seen(), ["one", "a line that is wid…", "three", "", "", ""]);
        assert_eq!((terminal.scrolled, terminal.at), (0, (3, 0)));
        // More lines than rows, ten times over.
        for _ in 0..10 {
            terminal.show(&screen.frame("", &lines(&["1", "2", "3", "4", "5", "6", "7"]), size));
        }
        assert_eq!((terminal.scrolled, terminal.seen()), (0, lines(&["1", "2", "3", "4", "5", ""])));
        terminal.show(&screen.frame("", &[], size));
        assert_eq!((terminal.seen().concat(), terminal.at), (String::new(), (0, 0)));
    }

    #[test]
    fn lines_pass_by_above_the_foot() {
        let mut terminal = Terminal::new(20, 4);
        let mut screen = Screen::default();
        for number in 1..=5 {
            let frame = screen.frame(&format!("game {number}\n"), &lines(&["foot"]), terminal.size);
            terminal.show(&frame);
        }
        assert_eq!(terminal.seen(), ["game 4", "game 5", "foot", ""]);
        // Of seven lines the first three have scrolled away.
        assert_eq!(terminal.scrolled, 3);
    }

    #[test]
    fn a_narrower_terminal_breaks_old_lines_and_they_are_taken_off_as_well() {
        let mut screen = Screen::default();
        screen.frame("", &lines(&["0123456789", "01234"]), Size { columns: 40, rows: 24 });
        let frame = screen.frame("", &lines(&["x"]), Size { columns: 6, rows: 24 });
        assert!(frame.starts_with("\x1b[3A\r"), "{frame:?}");
    }

    #[test]
    fn what_does_not_fit_is_left_out() {
        let (picture, table) = (lines(&["a", "b", "c"]), lines(&["1", "2", "3", "4"]));
        let shown = |rows| fitting(&picture, &table, rows).concat();
        assert_eq!(
            [shown(9), shown(6), shown(4), shown(3), shown(1)],
            ["abc1234", "abc124", "abc4", "124", "4"]
        );
        assert_eq!(
            (fitting(&picture, &[], 9).concat(), fitting(&[], &table, 0).concat()),
            ("abc".into(), "".into())
        );
    }
}
