//! The tables against the lines worked out outside this program, and the worked examples on bare boards.

mod reference;
mod rules;

use super::lines::{KING, LINES, PAWN, PAWNS_TO, both_laps, fold};
use super::square::{ALL, SQUARES, Set, Square, forward, outer, outer_corner};
use super::state::State;
use crate::base::{Bits, Color};
use crate::notation::parse_coordinate;

const TABLE: &str = include_str!("../../../../fixtures/positions/rollerball-squares.txt");

fn square(name: &str) -> Square {
    Square::named(parse_coordinate(name).unwrap()).unwrap()
}

fn set(names: &str) -> Set {
    names.split([' ', '/', '|', '-']).filter(|name| !name.is_empty()).map(|name| square(name).bit()).sum()
}

fn names(set: Set) -> String {
    Bits(set & ALL).map(|number| Square::new(number).to_string()).collect::<Vec<_>>().join(" ")
}

/// The columns of the table, square by square.
fn rows() -> impl Iterator<Item = (Square, Vec<&'static str>)> {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let columns: Vec<_> = line.split(';').map(str::trim).collect();
        assert_eq!(columns.len(), 13, "{line}");
        (square(columns[0].trim_end_matches('*')), columns)
    })
}

/// The squares of a line in order.
fn line(text: &str) -> Vec<Square> {
    text.split([' ', '/']).filter(|name| !name.is_empty() && *name != "-").map(square).collect()
}

/// R1-R6, R19, R20, R23, R29: the table of section 3.
#[test]
fn squares_are_as_worked_out_by_hand() {
    let mut seen = 0;
    for (from, columns) in rows() {
        seen |= from.bit();
        let place = from.place();
        assert_eq!(columns[1], if outer(place) { "outer" } else { "inner" }, "{from}");
        let ways = [
            ("South", "west", (-1, 0)),
            ("West", "north", (0, 1)),
            ("North", "east", (1, 0)),
            ("East", "south", (0, -1)),
        ];
        let (zone, way, _) = ways.into_iter().find(|(_, _, direction)| *direction == forward(place)).unwrap();
        assert_eq!((columns[2], columns[3]), (zone, way), "{from}");
        // R3: on corners and bends forward is not where the ring came from.
        let back = line(columns[4]);
        let turned = forward(back[0].place()) != forward(place);
        assert_eq!(columns[0].ends_with('*'), turned, "{from}");
        assert_eq!(outer(place) && turned, outer_corner(place), "{from}");
        for lines in &LINES {
            let near = |to: &[Set], path: &[[Set; 64]]| {
                (0..SQUARES)
                    .filter(|&to_square| {
                        to[to_square] & from.bit() != 0 && path[to_square][from.index()] == 0
                    })
                    .map(|to_square| 1 << to_square)
                    .sum::<Set>()
            };
            let rook = line(columns[9])[0].bit() | set(columns[4]) | set(columns[5]);
            assert_eq!(near(&lines.rooks_to, &lines.rook_path), rook, "{from}");
            let bishop = set(columns[6]) | set(columns[7]);
            assert_eq!(near(&lines.bishops_to, &lines.bishop_path), bishop, "{from}");
        }
        assert_eq!(names(PAWN[from.index()]), names(set(columns[8])), "{from}");
    }
    assert_eq!(seen, ALL);
}

/// R16-R28: the table of section 5, order along the lines included; OQ1 both ways, OQ2.
#[test]
fn lines_are_as_worked_out_by_hand() {
    for (from, columns) in rows() {
        for (clockwise, lines) in LINES.iter().enumerate() {
            let cut = clockwise == 1 && set("f1 a2 b7 g6") & from.bit() != 0;
            let mut sideways: Vec<_> = columns[10].split('|').map(line).collect();
            if cut {
                sideways[0].truncate(1);
            }
            let rook = [vec![line(columns[9]), line(columns[4])], sideways].concat();
            let back = columns[7].split(' ').map(line);
            let bishop: Vec<_> = [line(columns[11]), line(columns[12])].into_iter().chain(back).collect();
            let reach = fold(lines.rook[from.index()].reach(both_laps(0)));
            check(from, &rook, reach, &lines.rooks_to, &lines.rook_path);
            let reach = fold(lines.bishop[from.index()].reach(both_laps(0)));
            check(from, &bishop, reach, &lines.bishops_to, &lines.bishop_path);
        }
    }
}

fn check(from: Square, expected: &[Vec<Square>], reach: Set, to: &[Set; 64], path: &[[Set; 64]; 64]) {
    let mut all = 0;
    for line in expected {
        let mut between = 0;
        for target in line {
            assert_eq!(all & target.bit(), 0, "R28: {from}-{target}");
            assert_ne!(to[target.index()] & from.bit(), 0, "{from}-{target}");
            assert_eq!(path[target.index()][from.index()], between, "{from}-{target}");
            between |= target.bit();
            all |= target.bit();
        }
    }
    assert_eq!(names(reach), names(all), "{from}");
    for (target, sources) in to.iter().enumerate() {
        assert_eq!(sources & from.bit() != 0, all >> target & 1 == 1, "{from}");
    }
}

/// R7: a quarter turn maps everything onto itself.
#[test]
fn a_quarter_turn_changes_nothing() {
    let turn = |set: Set| Bits(set).map(|number| 1 << ((u64::from(number) + 10) % 40)).sum::<Set>();
    for from in (0..SQUARES as u8).map(Square::new) {
        let next = Square::new((from.index() as u8 + 10) % 40);
        let (file, rank) = from.place();
        assert_eq!(next.place(), (rank, 8 - file));
        for lines in &LINES {
            let reach = |at: Square, occupied: Set| {
                (
                    fold(lines.rook[at.index()].reach(both_laps(occupied))),
                    fold(lines.bishop[at.index()].reach(both_laps(occupied))),
                )
            };
            for occupied in [0, 0x12_3456_789a & ALL, 0x0f_0842_1084] {
                let (rook, bishop) = reach(from, occupied);
                assert_eq!((turn(rook), turn(bishop)), reach(next, turn(occupied)), "{from}");
            }
        }
        assert_eq!(turn(KING[from.index()]), KING[next.index()]);
        assert_eq!(turn(PAWN[from.index()]), PAWN[next.index()]);
    }
}

/// Where a piece goes: `R e1 | white pieces | black pieces | targets`. Colours as seen by a white piece
/// (R13).
const BOARDS: &[(&str, &str)] = &[
    // Cazaux's figures.
    ("T1", "R f2 | | | e2 d2 c2 b2 a2 g2 f1 f3"),
    ("T2", "R g1 | | | f1 e1 d1 c1 b1 a1 a2 a3 a4 a5 a6 a7 g2"),
    ("T3", "R c1 | | | b1 a1 a2 a3 a4 a5 a6 a7 c2 d1"),
    ("T4", "R b1 | | | a1 a2 a3 a4 a5 a6 a7 b2 b3 b4 b5 b6 b7 c1"),
    ("T5", "B f1 | | | e2 d1 g2"),
    ("T6", "B e2 | | | d1 c2 b3 a4 f1 f3"),
    ("T7", "B d1 | | | c2 b3 a4 b5 c6 d7 e2"),
    ("T8", "B c2 | | | b3 a4 b5 c6 d7 b1 a2 d1"),
    ("T9", "B b1 | | | a2 b3 c2"),
    ("T10", "P c1 | | | b1 b2"),
    ("T10", "P c2 | | | b1 b2 b3"),
    ("T10", "P b1 | | | a1 a2"),
    ("T10", "P a1 | | | a2 b2"),
    ("T10", "P b2 | | | a3 b3"),
    ("T11", "K d1 | | | c1 e1 c2 d2 e2"),
    ("T11", "K b2 | | | a1 b1 c1 a2 c2 a3 b3"),
    // The captions of Wikipedia's pictures.
    ("T21", "B g6 | | | f5 g4 f7"),
    ("T21", "R e1 | | | d1 c1 b1 a1 a2 a3 a4 a5 a6 a7 e2 f1"),
    ("T22", "R a1 | | | a2 a3 a4 a5 a6 a7 b7 c7 d7 e7 f7 g7 b1"),
    ("T22", "B g4 | | | f3 e2 d1 c2 b3 a4 f5"),
    ("T23", "B f5 | | | g4 f3 e2 d1 g6 e6"),
    ("T23", "R b2 | | | b3 b4 b5 b6 b7 a2 b1 c2"),
    ("T24", "B e6 | | | f5 g4 f3 e2 d1 f7 g6 d7"),
    ("T25", "B a6 | | | b7 c6 b5"),
    // Lines that are stopped.
    ("T30", "B c2 | b1 | | b3 a4 b5 c6 d7 d1"),
    ("T31", "B c2 | | b1 | b3 a4 b5 c6 d7 d1 b1"),
    ("T32", "R e1 | | a1 | d1 c1 b1 a1 e2 f1"),
    ("T33", "R g1 | | a4 | f1 e1 d1 c1 b1 a1 a2 a3 a4 g2"),
    ("T34", "B d1 | | a4 | c2 b3 a4 e2"),
    ("T35", "R b1 | b3 | a1 | a1 b2 c1"),
    ("T36", "P c2 | b1 | b2 b3 | b2 b3"),
    ("T37", "R f1 | | f4 | e1 d1 c1 b1 a1 a2 a3 a4 a5 a6 a7 f2 f3 f4 g1"),
    ("T38", "B a1 | | | b2 a3"),
    ("T46", "P c2 | | | b1 b2 b3"),
    ("T46", "P a1 | | | a2 b2"),
];

#[test]
fn worked_examples() {
    for (id, text) in BOARDS {
        let parts: Vec<_> = text.split('|').map(str::trim).collect();
        let (piece, from) = (&parts[0][..1], square(&parts[0][2..]));
        let (own, enemy) = (set(parts[1]), set(parts[2]));
        let occupied = both_laps(own | enemy | from.bit());
        for (clockwise, lines) in LINES.iter().enumerate() {
            let reach = match piece {
                "R" => fold(lines.rook[from.index()].reach(occupied)),
                "B" => fold(lines.bishop[from.index()].reach(occupied)),
                "K" => KING[from.index()],
                _ => PAWN[from.index()],
            };
            let mut expected = set(parts[3]);
            if *id == "T37" && clockwise == 1 {
                expected &= !set("f3 f4");
            }
            assert_eq!(names(reach & !own), names(expected), "{id}");
        }
    }
}

/// R30: what a pawn attacks, seen from the target.
#[test]
fn pawn_tables_are_each_other_turned_round() {
    for (from, targets) in PAWN.iter().enumerate() {
        for (to, sources) in PAWNS_TO.iter().enumerate() {
            assert_eq!(targets >> to & 1, sources >> from & 1);
        }
    }
}

/// T26: a lone rook mates only from b1, a6, f7 and g2, the mated king standing on the file (rank) in front of
/// it.
#[test]
fn a_lone_rook_mates_from_four_squares() {
    for clockwise in [false, true] {
        let mut mates: Vec<(Square, Square)> = Vec::new();
        let squares = || (0..SQUARES as u8).map(Square::new);
        for (rook, black) in squares().flat_map(|rook| squares().map(move |black| (rook, black))) {
            let far = |white: &Square| {
                let near = KING[black.index()] | black.bit() | rook.bit();
                white.bit() & near == 0 && KING[white.index()] & near == 0
            };
            let mated = |white: Square| {
                let mut state = State::with_kings([white, black], clockwise);
                state.put(Color::White, super::state::Kind::Rook, rook);
                state.turn = Color::Black;
                state.king_attacked(Color::Black) && state.count_moves() == 0
            };
            if rook != black && squares().filter(far).any(mated) {
                mates.push((rook, black));
            }
        }
        let from_b1 = ["a3", "a4", "a5", "a6", "a7", "b4"].map(square);
        let mut expected: Vec<_> = (0..4_u8)
            .flat_map(|turns| {
                let turned = move |at: Square| Square::new((at.index() as u8 + 10 * turns) % 40);
                from_b1.map(|king| (turned(square("b1")), turned(king)))
            })
            .collect();
        mates.sort();
        expected.sort();
        assert_eq!(mates, expected);
    }
}

/// The diagrams of the rules page show what the tables hold: forward lines in order, sideways, backward.
#[test]
fn the_arrows_of_the_rules_page_are_right() {
    const PAGE: &str = include_str!("../../../../protocol-docs/rules/rollerball.md");
    let (_, block) = PAGE.split_once("```directions\n").unwrap();
    let rows: Vec<&str> = block.lines().take(7).collect();
    let mut zones = 0;
    for number in 0..SQUARES {
        let at = Square::new(number as u8);
        let (file, rank) = at.place();
        let arrow = rows[7 - rank as usize].as_bytes()[1 + 2 * file as usize];
        let (name, east, north) = match arrow {
            b'<' => ("west", -1, 0),
            b'^' => ("north", 0, 1),
            b'>' => ("east", 1, 0),
            b'v' => ("south", 0, -1),
            other => panic!("{at}: {other}"),
        };
        // A pawn's straight step (R29).
        let ahead = Square::at((file + east, rank + north));
        assert!(PAWN[at.index()] & ahead.bit() != 0, "{at}");
        // The list beside the drawing agrees.
        let listed = rows.iter().find(|row| row.split(' ').any(|word| word == at.to_string())).unwrap();
        zones += usize::from(listed.ends_with(&format!("forward is {name}")));
    }
    assert_eq!(zones, SQUARES);
}

#[test]
fn the_diagrams_of_the_rules_page_are_right() {
    const PAGE: &str = include_str!("../../../../protocol-docs/rules/rollerball.md");
    const WIDTH: usize = 24;
    let mut diagrams = 0;
    for block in PAGE.split("```lines\n").skip(1) {
        let rows: Vec<&str> = block.lines().take_while(|row| !row.starts_with("```")).collect();
        for column in 0..rows[0].len().div_ceil(WIDTH) {
            let part = |row: usize| rows[row].get(column * WIDTH..).unwrap_or("");
            let title: Vec<_> = part(0).split(' ').collect();
            let &[piece @ ("rook" | "bishop" | "pawn" | "king"), from, ..] = &title[..] else {
                panic!("{title:?}");
            };
            let from = square(from);
            let mut shown = 0;
            for number in 0..SQUARES {
                let at = Square::new(number as u8);
                let (file, rank) = at.place();
                let mark = part(8 - rank as usize).as_bytes()[1 + 2 * file as usize];
                if at == from {
                    assert_eq!(mark, piece.as_bytes()[0].to_ascii_uppercase());
                    continue;
                }
                if mark != b'.' {
                    shown |= at.bit();
                }
                // On a line, the square before this one bears the mark before.
                let paths = if piece == "rook" { &LINES[0].rook_path } else { &LINES[0].bishop_path };
                let before = paths[number][from.index()].count_ones() as usize;
                for order in ["123456789ABC", "uvwxyz"] {
                    if let Some(index) = order.bytes().position(|letter| letter == mark)
                        && matches!(piece, "rook" | "bishop")
                    {
                        assert_eq!(index, before, "{piece} {from} {at}");
                    }
                }
            }
            let reach = match piece {
                "rook" => fold(LINES[0].rook[from.index()].reach(0)),
                "bishop" => fold(LINES[0].bishop[from.index()].reach(0)),
                "pawn" => PAWN[from.index()],
                _ => KING[from.index()],
            };
            assert_eq!(names(shown), names(reach), "{piece} {from}");
            diagrams += 1;
        }
    }
    assert_eq!(diagrams, 13);
}
