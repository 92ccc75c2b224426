//! Writing a message and reading it gives the message back, and nothing panics.

use super::super::*;
use crate::protocol::{Bound, EngineOption, OptionType, Parsed, TextPath};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use std::time::Duration;

/// Words that begin a message or have a meaning inside one; free text must not hold them for the round trip.
const RESERVED: &str = "\
    xboard protover accepted rejected new variant quit random force go playother white black level st sd nps time \
    otim usermove ? ping draw result setboard edit hint bk undo remove hard easy post nopost analyze . exit exclude \
    include setscore name rating computer pause resume memory cores egtpath option lift put hover ics partner ptell \
    holding all - @@@@ -- pass null O-O O-O-O feature pong move resign offer setup piece highlight choice click \
    stat01: Hint: telluser tellusererror tellall tellothers tellopponent tellics tellicsnoalias askuser -button \
    -save -reset -check -string -file -path -spin -slider -combo";

fn reserved() -> Vec<&'static str> {
    RESERVED.split(' ').collect()
}

/// Leaking a few bytes for each case keeps the messages `'static` and the strategies simple.
fn matching(pattern: &'static str) -> impl Strategy<Value = &'static str> {
    pattern
        .prop_filter("reserved word", |text| !text.split_ascii_whitespace().any(|w| reserved().contains(&w)))
        .prop_map(|text| &*text.leak())
}

fn word() -> impl Strategy<Value = &'static str> {
    matching("[!-~é\\x00]{1,9}")
}

fn text() -> impl Strategy<Value = &'static str> {
    matching("[!-~é]([ -~é\t]{0,24}[!-~é])?")
}

/// Text without the characters that delimit texts: quotes, brackets, `=`, `/`, `*`.
fn plain() -> impl Strategy<Value = &'static str> {
    matching("[a-zA-Zé][a-zA-Zé0-9 ,.-]{0,24}[a-z0-9]")
}

fn outcome() -> impl Strategy<Value = Outcome<'static>> {
    let verdicts = vec![Verdict::WhiteWins, Verdict::BlackWins, Verdict::Draw, Verdict::Open];
    (select(verdicts), prop_oneof![Just(""), text()])
        .prop_map(|(verdict, comment)| Outcome { verdict, comment })
}

fn bare() -> impl Strategy<Value = Command<'static>> {
    let plain = vec![
        Command::XBoard,
        Command::New,
        Command::Quit,
        Command::Random,
        Command::Force,
        Command::Go,
        Command::PlayOther,
        Command::White,
        Command::Black,
        Command::MoveNow,
        Command::Draw,
        Command::Edit,
        Command::Hint,
        Command::Book,
        Command::Undo,
        Command::Remove,
        Command::Hard,
        Command::Easy,
        Command::Post,
        Command::NoPost,
        Command::Analyze,
        Command::Status,
        Command::Exit,
        Command::Computer,
        Command::Pause,
        Command::Resume,
        Command::Exclude(Selection::All),
        Command::Include(Selection::All),
        Command::Ics("-"),
        Command::Partner(""),
        Command::Name(""),
        Command::BareMove("@@@@"),
        Command::BareMove("e4xe5-e6"),
        Command::BareMove("e12d10,d10d11q"),
        Command::BareMove("T@e5"),
    ];
    select(plain)
}

fn numbered() -> impl Strategy<Value = Command<'static>> {
    let level = (any::<u32>(), 0..=u64::MAX / 1000 - 60, 0..=u64::MAX / 1000);
    prop_oneof![
        any::<u32>().prop_map(Command::ProtocolVersion),
        level.prop_map(|(moves, base, increment)| Command::Level(Level { moves, base, increment })),
        (0..u64::MAX / 1000).prop_map(|time| Command::MoveTime(Duration::from_millis(time))),
        any::<u32>().prop_map(Command::Depth),
        any::<u64>().prop_map(Command::NodeRate),
        any::<i64>().prop_map(Command::Time),
        any::<i64>().prop_map(Command::OpponentTime),
        any::<i64>().prop_map(Command::Ping),
        any::<(i32, u32)>().prop_map(|(score, depth)| Command::SetScore { score, depth }),
        any::<(i32, i32)>().prop_map(|(own, opponent)| Command::Rating { own, opponent }),
        any::<u64>().prop_map(Command::Memory),
        any::<u32>().prop_map(Command::Cores),
    ]
}

fn worded() -> impl Strategy<Value = Command<'static>> {
    prop_oneof![
        word().prop_map(Command::Variant),
        word().prop_map(Command::UserMove),
        word().prop_map(|text| Command::Exclude(Selection::One(text))),
        word().prop_map(|text| Command::Include(Selection::One(text))),
        word().prop_map(Command::Lift),
        word().prop_map(Command::Put),
        word().prop_map(Command::Hover),
        word().prop_map(Command::Ics),
        text().prop_map(Command::Accepted),
        text().prop_map(Command::Rejected),
        outcome().prop_map(Command::Result),
        text().prop_map(Command::SetBoard),
        text().prop_map(Command::Name),
        (word(), text()).prop_map(|(kind, path)| Command::TablePath { kind, path }),
        (plain(), option::of(prop_oneof![Just(""), text()]))
            .prop_map(|(name, value)| Command::Option { name, value }),
        text().prop_map(Command::Partner),
        text().prop_map(Command::PartnerTells),
        text().prop_map(Command::Holding),
        matching("[A-Zé][!-~é]{0,5} [!-~é]{1,5}").prop_map(Command::Unknown),
    ]
}

fn command() -> impl Strategy<Value = Command<'static>> {
    prop_oneof![bare(), numbered(), worded()]
}

fn feature() -> impl Strategy<Value = Feature<'static>> {
    let quoted = prop_oneof![Just(""), matching("[ !#-~é]{1,20}")];
    let value = prop_oneof![any::<i64>().prop_map(FeatureValue::Number), quoted.prop_map(FeatureValue::Text)];
    ("[a-z0-9]{1,8}", value).prop_map(|(name, value)| Feature { name: name.leak(), value })
}

fn thinking() -> impl Strategy<Value = Thinking<'static>> {
    let score = prop_oneof![
        (-99_999..=99_999).prop_map(Score::Centipawns),
        any::<u32>().prop_map(Score::Wins),
        any::<u32>().prop_map(Score::Loses),
    ];
    let bound = select(vec![Bound::Exact, Bound::Lower, Bound::Upper]);
    let counts =
        option::of(any::<(u32, u64, u64)>().prop_map(|(selective_depth, speed, table_hits)| Counts {
            selective_depth,
            speed,
            table_hits,
        }));
    let pv = prop_oneof![Just(""), matching("[(a-z0-9]( ?[a-z@0-9,.-]){0,20}")];
    (any::<u32>(), score, bound, any::<u64>(), any::<u64>(), counts, pv).prop_map(
        |(ply, score, bound, time, nodes, counts, pv)| Thinking {
            ply,
            score,
            bound,
            time,
            nodes,
            counts,
            pv,
        },
    )
}

fn setup() -> impl Strategy<Value = Setup<'static>> {
    let geometry = (any::<u32>(), any::<u32>(), any::<u32>(), word())
        .prop_map(|(files, ranks, hand, parent)| Geometry { files, ranks, hand, parent });
    let table = option::of(matching("[A-Za-z.'+^]{0,40}"));
    (table, option::of(geometry), matching("[*1-9a-z]{1,5}/[a-z/]{1,9}( [a-z0-9-]){0,4}"))
        .prop_map(|(table, geometry, position)| Setup { table, geometry, position })
}

fn status() -> impl Strategy<Value = Status<'static>> {
    (any::<(u64, u64, u32, u32, u32)>(), option::of(word())).prop_map(|(numbers, current)| {
        let (time, nodes, ply, moves_left, moves_total) = numbers;
        Status { time, nodes, ply, moves_left, moves_total, current }
    })
}

fn reply() -> impl Strategy<Value = Reply<'static>> {
    let audience = select(vec![
        Audience::User,
        Audience::UserError,
        Audience::All,
        Audience::Others,
        Audience::Opponent,
        Audience::Server,
        Audience::ServerNoAlias,
    ]);
    let maybe = || prop_oneof![Just(""), plain()];
    let first = prop_oneof![
        vec(feature(), 0..5).prop_map(Reply::Features),
        any::<i64>().prop_map(Reply::Pong),
        word().prop_map(Reply::Move),
        outcome().prop_map(Reply::Result),
        Just(Reply::Resign),
        Just(Reply::OfferDraw),
        (maybe(), text()).prop_map(|(reason, text)| Reply::IllegalMove { reason, text }),
        (maybe(), text()).prop_map(|(reason, command)| Reply::Error { reason, command }),
        setup().prop_map(Reply::Setup),
        (word(), word()).prop_map(|(id, moves)| Reply::Piece { id, moves }),
    ];
    let second = prop_oneof![
        word().prop_map(Reply::Highlight),
        word().prop_map(Reply::Choice),
        word().prop_map(Reply::Click),
        thinking().prop_map(Reply::Thinking),
        status().prop_map(Reply::Status),
        word().prop_map(Reply::Hint),
        (audience, text()).prop_map(|(audience, text)| Reply::Tell { audience, text }),
        (word(), text()).prop_map(|(tag, text)| Reply::AskUser { tag, text }),
        prop_oneof![Just(""), text()].prop_map(Reply::Comment),
        matching("[a-z][!-~é]{0,5} [!-~é]{1,5}").prop_map(Reply::Indented),
        matching("[F-HJ-Zé][!-~é]{0,5} [!-~é]{1,5}").prop_map(Reply::Unknown),
    ];
    prop_oneof![first, second]
}

fn declaration() -> impl Strategy<Value = EngineOption> {
    let combo = vec(plain().prop_map(str::to_owned), 1..5).prop_flat_map(|choices| {
        (Just(choices.clone()), select(choices))
            .prop_map(|(choices, current)| OptionType::OneOf { choices, current })
    });
    let paths = select(vec![TextPath::None, TextPath::File, TextPath::Folder]);
    let kind = prop_oneof![
        Just(OptionType::Button),
        any::<bool>().prop_map(|on| OptionType::Check { on, words: &["true", "false", "1", "0"] }),
        (prop_oneof![Just(""), text()], paths)
            .prop_map(|(value, path)| OptionType::Text { value: value.to_owned(), path }),
        any::<[i64; 3]>().prop_map(|[value, min, max]| OptionType::Number { value, min, max }),
        combo,
    ];
    (plain(), kind).prop_map(|(name, kind)| EngineOption { name: name.to_owned(), kind })
}

fn edit_line() -> impl Strategy<Value = EditLine<'static>> {
    let put = ("[A-Za-z]", matching("[a-p][0-9]{1,2}"))
        .prop_map(|(piece, square)| EditLine::Put { piece: piece.chars().next().unwrap(), square });
    prop_oneof![select(vec![EditLine::Clear, EditLine::OtherColor, EditLine::Done]), put]
}

proptest! {
    #[test]
    fn commands_survive_the_round_trip(command in command()) {
        let line = command.to_string();
        prop_assert_eq!(Command::parse(&line), Ok(Some(Parsed { message: command, skipped: vec![] })), "{}", line);
    }

    #[test]
    fn replies_survive_the_round_trip(reply in reply()) {
        let line = reply.to_string();
        prop_assert_eq!(Reply::parse(&line), Ok(Some(Parsed { message: reply, skipped: vec![] })), "{}", line);
    }

    #[test]
    fn declarations_survive_the_round_trip(declaration in declaration()) {
        let text = declaration.to_xboard();
        let expected = Parsed { message: declaration, skipped: vec![] };
        prop_assert_eq!(EngineOption::parse_xboard(&text), Ok(Some(expected)), "{}", text);
    }

    #[test]
    fn edit_lines_survive_the_round_trip(edit in edit_line()) {
        let line = edit.to_string();
        prop_assert_eq!(EditLine::parse(&line), Ok(Some(Parsed { message: edit, skipped: vec![] })), "{}", line);
    }

    #[test]
    fn no_text_panics(line in any::<String>()) {
        let _ = (Command::parse(&line), Reply::parse(&line), EngineOption::parse_xboard(&line), EditLine::parse(&line));
    }

    /// Texts made of the protocol's own words get further than arbitrary ones.
    #[test]
    fn no_salad_of_words_panics(words in vec(prop_oneof![
        select(reserved()),
        word(),
        Just("-1"),
        Just("99999999999999999999"),
        Just("1.99999999999999999999"),
        Just("7\t"),
        Just("(é"),
        Just("é):"),
        Just("a=\"é"),
        Just("Error"),
        Just("Illegal move"),
    ], 0..9)) {
        let line = words.join(" ");
        let _ = (Command::parse(&line), Reply::parse(&line), EngineOption::parse_xboard(&line), EditLine::parse(&line));
    }
}
