//! A board as text, with its rank numbers, file letters and hands.

use super::picture::is_within;
use crate::base::Color;
use crate::game::{Facts, Roles, Shape, Thing};
use crate::notation::{Cell, Coordinate, Position};
use std::fmt::Write;

/// The characters that a board is drawn with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Style {
    /// ASCII alone, for terminals and files that have nothing else.
    #[default]
    Plain,
    /// With the escape sequences of a 256-colour terminal (ECMA-48, xterm's palette): checkered squares,
    /// bright and dark pieces.
    Terminal,
    /// The same, with Unicode's chess figures instead of letters in games whose pieces are all those of
    /// chess.
    Figures,
}

/// The style of a drawn board, and the side it is seen from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Look {
    /// The characters to draw with.
    pub style: Style,
    /// Whether the board is seen from Black's side, with the first rank on top.
    pub turned: bool,
    /// Whether a rank takes two lines and a square five columns; in colours only.
    pub tall: bool,
}

impl From<Style> for Look {
    fn from(style: Style) -> Self {
        Self { style, ..Self::default() }
    }
}

const DARK_SQUARE: u8 = 60;
const LIGHT_SQUARE: u8 = 67;
const HIGHLIGHTED_SQUARE: u8 = 136;
/// Goals and wickets.
const DARK_GOAL: u8 = 65;
const LIGHT_GOAL: u8 = 71;
const WHITE_PIECE: u8 = 231;
const BLACK_PIECE: u8 = 16;
/// The ball that belongs to neither side.
const BALL: u8 = 214;

/// The board, top rank first, with ranks at the left and files below. Below it stand the hands, if the
/// position has any, and who has which role. Lines end in `\n` and have no trailing blanks.
///
/// An empty square is `.` in plain style, and a place without a square is blank in both. The sign of a role
/// stands before the letter that it marks: ` . `, `   `, `+L `.
pub fn board_text(facts: &Facts, position: &Position, style: Style) -> String {
    highlighted_board_text(facts, position, style, &[])
}

/// The same, with some squares highlighted, such as those of the last move: by their colour on a terminal,
/// else by brackets (`[k]`, `+L]`). Squares that are not on the board are ignored.
pub fn highlighted_board_text(
    facts: &Facts,
    position: &Position,
    look: impl Into<Look>,
    squares: &[Coordinate],
) -> String {
    let mut look = look.into();
    if look.style == Style::Figures && !has_chessmen(facts) {
        look.style = Style::Terminal;
    }
    let roles = facts.roles.map_or_else(Roles::default, |roles| roles(position));
    let mut text = picture(facts, position, look, squares, &roles.marks);
    for line in roles.lines {
        push_line(&mut text, &format!("   {line}"));
    }
    text
}

/// True when a game has no pieces but those of chess, and perhaps a ball.
fn has_chessmen(facts: &Facts) -> bool {
    facts.pieces.iter().all(|piece| figure(piece.shape).is_some())
}

/// The Unicode figure. Both sides use filled figures, and differ in colour.
const fn figure(shape: Shape) -> Option<char> {
    Some(match shape {
        Shape::King => '♚',
        Shape::Queen => '♛',
        Shape::Rook => '♜',
        Shape::Bishop => '♝',
        Shape::Knight => '♞',
        Shape::Pawn => '♟',
        Shape::Thing(Thing::Ball | Thing::OwnBall) => '●',
        _ => return None,
    })
}

fn picture(
    facts: &Facts,
    position: &Position,
    look: impl Into<Look>,
    squares: &[Coordinate],
    marks: &[(Coordinate, char)],
) -> String {
    let Look { style, turned, tall } = look.into();
    let board = &position.placement;
    let colors = style != Style::Plain;
    let tall = tall && colors;
    let mut text = String::new();
    let seen = |count: u8, near_first: bool| {
        (0..count).map(move |place| if near_first { place } else { count - 1 - place })
    };
    for row in seen(board.ranks, turned) {
        let rank = facts.first_rank.saturating_add(row);
        let mut line = format!("{rank:>2} ");
        let mut below = "   ".to_owned();
        for file in seen(board.files, !turned) {
            let at = Coordinate::new(file, rank);
            let highlighted = squares.contains(&at);
            let cell = board.at(file, row);
            let mark = marks.iter().find(|(marked, _)| *marked == at).map(|&(_, mark)| mark);
            let mut drawn = draw(cell, mark, highlighted && !colors, if colors { ' ' } else { '.' });
            if let (Style::Figures, Cell::Piece { letter, .. }) = (style, cell)
                && let Some(figure) = facts.piece(letter).and_then(|piece| figure(piece.shape))
            {
                drawn = drawn.replace(char::from(letter), figure.encode_utf8(&mut [0; 4]));
            }
            if colors && cell != Cell::Hole {
                let goal = facts.goals.iter().any(|&corners| is_within(at, corners));
                let square = match (highlighted, goal, (file + row) % 2) {
                    (true, ..) => HIGHLIGHTED_SQUARE,
                    (false, true, 0) => DARK_GOAL,
                    (false, true, _) => LIGHT_GOAL,
                    (false, false, 0) => DARK_SQUARE,
                    (false, false, _) => LIGHT_SQUARE,
                };
                let ink = ink(facts, cell);
                if tall {
                    paint(&mut line, &format!(" {drawn} "), square, ink);
                    paint(&mut below, "     ", square, ink);
                } else {
                    paint(&mut line, &drawn, square, ink);
                }
            } else {
                line.push_str(&drawn);
                if tall {
                    line.push_str("  ");
                    below.push_str("     ");
                }
            }
        }
        push_line(&mut text, &line);
        if tall {
            push_line(&mut text, &below);
        }
    }
    let files = seen(board.files, !turned).fold("   ".to_owned(), |mut line, file| {
        let letter = char::from(b'a' + file);
        line.push_str(&if tall { format!("  {letter}  ") } else { format!(" {letter} ") });
        line
    });
    push_line(&mut text, &files);
    if let Some(hand) = &position.hand {
        for color in Color::ALL {
            push_line(&mut text, &format!("   {color} holds {}", held(hand, color)));
        }
    }
    text
}

fn draw(cell: Cell, mark: Option<char>, brackets: bool, empty: char) -> String {
    let (left, right) = if brackets { ('[', ']') } else { (' ', ' ') };
    match cell {
        Cell::Hole => "   ".to_owned(),
        Cell::Empty => format!("{left}{empty}{right}"),
        Cell::Piece { letter, plus } => {
            let left = mark.or_else(|| plus.then_some('+')).unwrap_or(left);
            format!("{left}{}{right}", char::from(letter))
        }
    }
}

/// The colour of what stands on a square.
fn ink(facts: &Facts, cell: Cell) -> u8 {
    let Cell::Piece { letter, .. } = cell else { return WHITE_PIECE };
    match facts.piece(letter).map(|piece| piece.shape) {
        Some(Shape::Thing(Thing::Ball)) => BALL,
        _ if letter.is_ascii_lowercase() => BLACK_PIECE,
        _ => WHITE_PIECE,
    }
}

fn paint(line: &mut String, drawn: &str, square: u8, ink: u8) {
    // Writing to a string cannot fail.
    let _ = write!(line, "\x1b[1;38;5;{ink};48;5;{square}m{drawn}\x1b[0m");
}

fn held(hand: &[(u8, u8)], color: Color) -> String {
    let own = hand.iter().filter(|(letter, _)| color.cased(*letter) == *letter);
    let letters: String = own
        .flat_map(|&(letter, count)| std::iter::repeat_n(char::from(letter), usize::from(count)))
        .collect();
    if letters.is_empty() { "nothing".to_owned() } else { letters }
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line.trim_end());
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_position;

    fn plain(text: &str, first_rank: u8) -> String {
        picture(&Facts { first_rank, ..Facts::PLAIN }, &parse_position(text).unwrap(), Style::Plain, &[], &[])
    }

    #[test]
    fn chess() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        insta::assert_snapshot!(plain(start, 1), @r#"
        8  r  n  b  q  k  b  n  r
        7  p  p  p  p  p  p  p  p
        6  .  .  .  .  .  .  .  .
        5  .  .  .  .  .  .  .  .
        4  .  .  .  .  .  .  .  .
        3  .  .  .  .  .  .  .  .
        2  P  P  P  P  P  P  P  P
        1  R  N  B  Q  K  B  N  R
           a  b  c  d  e  f  g  h
        "#);
    }

    #[test]
    fn rollerball() {
        insta::assert_snapshot!(plain("2rbp2/2rkp2/2***2/2***2/2***2/2PKR2/2PBR2 w - 0 1", 1), @r#"
        7  .  .  r  b  p  .  .
        6  .  .  r  k  p  .  .
        5  .  .           .  .
        4  .  .           .  .
        3  .  .           .  .
        2  .  .  P  K  R  .  .
        1  .  .  P  B  R  .  .
           a  b  c  d  e  f  g
        "#);
    }

    #[test]
    fn hanniball_with_the_ball_held() {
        let start =
            "***1m1***/2l3l2/1e1e1e1e1/1h1h1h1h1/9/9/9/9/9/9/9/1H1+H1H1H1/1E1E1E1E1/2L3L2/***1M1*** w 2 0 1";
        insta::assert_snapshot!(plain(start, 0), @r#"
        14           .  m  .
        13  .  .  l  .  .  .  l  .  .
        12  .  e  .  e  .  e  .  e  .
        11  .  h  .  h  .  h  .  h  .
        10  .  .  .  .  .  .  .  .  .
         9  .  .  .  .  .  .  .  .  .
         8  .  .  .  .  .  .  .  .  .
         7  .  .  .  .  .  .  .  .  .
         6  .  .  .  .  .  .  .  .  .
         5  .  .  .  .  .  .  .  .  .
         4  .  .  .  .  .  .  .  .  .
         3  .  H  . +H  .  H  .  H  .
         2  .  E  .  E  .  E  .  E  .
         1  .  .  L  .  .  .  L  .  .
         0           .  M  .
            a  b  c  d  e  f  g  h  i
        "#);
    }

    #[test]
    fn jai_alai_with_hands() {
        let start = "1d1mrm1d1/1a1bkb1a1/gpppspppg/9/9/GPPPSPPPG/1A1BKB1A1/1D1MRM1D1[TTTTtt] w 0 1";
        insta::assert_snapshot!(plain(start, 1), @r#"
        8  .  d  .  m  r  m  .  d  .
        7  .  a  .  b  k  b  .  a  .
        6  g  p  p  p  s  p  p  p  g
        5  .  .  .  .  .  .  .  .  .
        4  .  .  .  .  .  .  .  .  .
        3  G  P  P  P  S  P  P  P  G
        2  .  A  .  B  K  B  .  A  .
        1  .  D  .  M  R  M  .  D  .
           a  b  c  d  e  f  g  h  i
          White holds TTTT
          Black holds tt
        "#);
        assert!(plain("1[2T]", 1).ends_with("   White holds TT\n   Black holds nothing\n"));
        assert!(!plain("1", 1).contains("holds"));
    }

    #[test]
    fn the_widest_and_tallest() {
        let ranks: Vec<_> = (0..17).map(|rank| if rank % 8 == 0 { "kQ13k" } else { "16" }).collect();
        insta::assert_snapshot!(plain(&ranks.join("/"), 0), @r#"
        16  k  Q  .  .  .  .  .  .  .  .  .  .  .  .  .  k
        15  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
        14  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
        13  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
        12  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
        11  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
        10  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
         9  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
         8  k  Q  .  .  .  .  .  .  .  .  .  .  .  .  .  k
         7  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
         6  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
         5  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
         4  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
         3  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
         2  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
         1  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
         0  k  Q  .  .  .  .  .  .  .  .  .  .  .  .  .  k
            a  b  c  d  e  f  g  h  i  j  k  l  m  n  o  p
        "#);
    }

    #[test]
    fn highlighted_squares() {
        let position = parse_position("+l*1/1P1").unwrap();
        let squares: Vec<Coordinate> =
            ["a2", "b2", "c1", "b1", "p16"].map(|text| text.parse().unwrap()).to_vec();
        insta::assert_snapshot!(picture(&Facts::PLAIN, &position, Style::Plain, &squares, &[]), @r#"
        2 +l]    .
        1  . [P][.]
           a  b  c
        "#);
        // Squares are counted by the printed rank, not by the row.
        assert!(
            !picture(&Facts { first_rank: 10, ..Facts::PLAIN }, &position, Style::Plain, &squares, &[])
                .contains('[')
        );
    }

    #[test]
    fn wickets_with_the_ball_and_the_defender_of_each_side() {
        let facts = crate::variants::find("wickets-det").unwrap();
        let text =
            "****1***/rnb1kbnr/pppp1ppp/8/4p3/4P3/3o4/PPPPKPPP/RNBQ1BNR/****1*** b kq - -:d1/e8:g8 0 2";
        let position = parse_position(text).unwrap();
        let squares = [Coordinate::new(3, 1), Coordinate::new(4, 2)];
        let plain = highlighted_board_text(facts, &position, Style::Plain, &squares);
        insta::assert_snapshot!(plain, @r#"
         9              .
         8  r  n  b  . +k  b #n  r
         7  p  p  p  p  .  p  p  p
         6  .  .  .  .  .  .  .  .
         5  .  .  .  .  p  .  .  .
         4  .  .  .  .  P  .  .  .
         3  .  .  .  o  .  .  .  .
         2  P  P  P  P [K] P  P  P
         1  R  N  B #Q] .  B  N  R
         0              .
            a  b  c  d  e  f  g  h
           White: the ball (o) lies on d3, the queen on d1 is Defender (#)
           Black: the king on e8 has the ball (+), the knight on g8 is Defender (#)
        "#);
        // In colours the marks are the same: each piece takes three columns.
        let colored = board_text(facts, &position, Style::Terminal);
        assert!(
            ["m#Q \x1b", "m+k \x1b", "m#n \x1b"].iter().all(|piece| colored.contains(piece)),
            "{colored:?}"
        );
        assert!(colored.ends_with(plain.split_once("h\n").unwrap().1));
    }

    #[test]
    fn hanniball_says_who_has_the_ball() {
        let facts = crate::variants::find("hanniball").unwrap();
        let last = |text: &str| {
            let drawn = board_text(facts, &parse_position(text).unwrap(), Style::Plain);
            drawn.lines().last().unwrap().trim_start().to_owned()
        };
        assert_eq!(last(facts.start), "the ball lies on e8");
        let held = "***1m1***/4+l4/9/9/9/9/9/9/9/9/9/9/9/9/***1M1*** b 4 0 1";
        assert_eq!(last(held), "Black's Lion on e14 has the ball");
    }

    #[test]
    fn goals_are_green_the_ball_is_orange_and_a_tall_board_has_two_lines_a_rank() {
        let facts = crate::variants::find("hanniball").unwrap();
        let position = parse_position(facts.start).unwrap();
        let text = board_text(facts, &position, Style::Terminal);
        let painted = |square: u8, ink: u8| text.matches(&format!("38;5;{ink};48;5;{square}m")).count();
        let goals: usize = [WHITE_PIECE, BLACK_PIECE]
            .map(|ink| painted(DARK_GOAL, ink) + painted(LIGHT_GOAL, ink))
            .iter()
            .sum();
        assert_eq!(goals, 6);
        assert_eq!(painted(DARK_SQUARE, BALL) + painted(LIGHT_SQUARE, BALL), 1);
        let look = Look { style: Style::Terminal, tall: true, ..Look::default() };
        let tall = highlighted_board_text(facts, &position, look, &[]);
        assert_eq!(tall.lines().count(), text.lines().count() + usize::from(position.placement.ranks));
        // Where there are no colours, there is no room to gain.
        let plain = Look { tall: true, ..Look::default() };
        assert_eq!(
            highlighted_board_text(facts, &position, plain, &[]),
            board_text(facts, &position, Style::Plain)
        );
    }

    #[test]
    fn terminal() {
        let position = parse_position("+l*1/1P1").unwrap();
        let squares = [Coordinate::new(1, 1)];
        let text = picture(&Facts::PLAIN, &position, Style::Terminal, &squares, &[]);
        insta::assert_snapshot!(text.replace('\x1b', "ESC"), @r#"
        2 ESC[1;38;5;16;48;5;67m+l ESC[0m   ESC[1;38;5;231;48;5;67m   ESC[0m
        1 ESC[1;38;5;231;48;5;60m   ESC[0mESC[1;38;5;231;48;5;136m P ESC[0mESC[1;38;5;231;48;5;60m   ESC[0m
           a  b  c
        "#);
        // Without its colours it is as wide as the plain drawing, and every line ends uncoloured.
        let mut bare = String::new();
        for (index, part) in text.split('\x1b').enumerate() {
            bare.push_str(if index == 0 { part } else { part.split_once('m').unwrap().1 });
        }
        let plain = picture(&Facts::PLAIN, &position, Style::Plain, &[], &[]).replace('.', " ");
        let trimmed = |text: &str| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
        assert_eq!(trimmed(&bare), trimmed(&plain));
        assert!(
            text.lines().all(|line| line.rfind("\x1b[1").is_none_or(|at| line[at..].contains("\x1b[0m")))
        );
    }
}
