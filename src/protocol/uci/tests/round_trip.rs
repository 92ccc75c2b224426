//! Writing a message and reading it gives the message back, and nothing panics.

use super::super::*;
use crate::protocol::{Bound, EngineOption, Moves, OptionType, Parsed, TextPath};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

/// Words that have a meaning somewhere in UCI; free text must not hold them for the round trip.
const RESERVED: &str = "\
    uci debug isready setoption register ucinewgame position go stop ponderhit quit d eval bench flip \
    help ugi uginewgame query ugiok response name value code later on off startpos fen moves searchmoves ponder wtime btime winc binc \
    movestogo depth nodes mate movetime infinite perft p1time p2time p1inc p2inc seldepth multipv score cp lowerbound upperbound \
    wdl nps hashfull tbhits sbhits cpuload time currmove currmovenumber refutation currline pv string \
    id author uciok readyok bestmove copyprotection registration info option type default min max var \
    check spin combo button (none) <empty>";

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

fn moves() -> impl Strategy<Value = Moves<'static>> {
    vec(word(), 1..6).prop_map(|words| Moves::new(words.join("  ").leak()))
}

fn start() -> impl Strategy<Value = Start<'static>> {
    prop_oneof![Just(Start::Startpos), Just(Start::Unsaid), text().prop_map(Start::Fen)]
}

fn go() -> impl Strategy<Value = Command<'static>> {
    let clocks = (option::of(any::<i64>()), option::of(any::<i64>()), option::of(any::<i64>()));
    let limits = (option::of(any::<u32>()), option::of(any::<u32>()), option::of(any::<u64>()));
    let more = (option::of(any::<u32>()), option::of(any::<u64>()), option::of(any::<u32>()));
    let flags = (any::<bool>(), any::<bool>(), option::of(any::<i64>()), option::of(moves()));
    (clocks, limits, more, flags).prop_map(|(clocks, limits, more, flags)| {
        Command::Go(Go {
            search_moves: flags.3,
            ponder: flags.0,
            white_time: clocks.0,
            black_time: clocks.1,
            white_increment: clocks.2,
            black_increment: flags.2,
            moves_to_go: limits.0,
            depth: limits.1,
            nodes: limits.2,
            mate: more.0,
            move_time: more.1,
            infinite: flags.1,
            perft: more.2,
        })
    })
}

fn command() -> impl Strategy<Value = Command<'static>> {
    let plain = [
        Command::Uci,
        Command::Debug(true),
        Command::Debug(false),
        Command::IsReady,
        Command::UciNewGame,
        Command::Stop,
        Command::PonderHit,
        Command::Quit,
        Command::Show,
        Command::Evaluation,
        Command::Bench(""),
        Command::Flip,
        Command::Ugi,
        Command::UgiNewGame,
        Command::Query { question: "gameover", arguments: "" },
        Command::Help,
        Command::Register(Register::Later),
    ];
    let register = (option::of(text()), option::of(text()))
        .prop_filter("one of them", |(name, code)| name.is_some() || code.is_some())
        .prop_map(|(name, code)| Command::Register(Register::Now { name, code }));
    let value = option::of(prop_oneof![Just(""), text()]);
    prop_oneof![
        proptest::sample::select(plain.to_vec()),
        (text(), value).prop_map(|(name, value)| Command::SetOption { name, value }),
        register,
        (start(), prop_oneof![Just(Moves::default()), moves()])
            .prop_map(|(start, moves)| Command::Position(Position { start, moves })),
        go(),
        text().prop_map(Command::Bench),
        (word(), text()).prop_map(|(question, arguments)| Command::Query { question, arguments }),
        text().prop_map(Command::Unknown),
    ]
}

fn info() -> impl Strategy<Value = Info<'static>> {
    let bound = prop_oneof![Just(Bound::Exact), Just(Bound::Lower), Just(Bound::Upper)];
    let score = prop_oneof![any::<i32>().prop_map(Score::Centipawns), any::<i32>().prop_map(Score::Mate)];
    let wdl =
        (any::<u32>(), any::<u32>(), any::<u32>()).prop_map(|(win, draw, loss)| Wdl { win, draw, loss });
    let line = (option::of(1..u32::MAX), matching("[a-p][1-9]{1,4}"))
        .prop_map(|(cpu, text)| CurrentLine { cpu, moves: Moves::new(text) });
    let small = || option::of(any::<u32>());
    let large = || option::of(any::<u64>());
    (
        (small(), small(), small(), option::of((score, bound)), option::of(wdl)),
        (large(), large(), small(), large(), large()),
        (small(), large(), option::of(word()), small(), option::of(moves())),
        (option::of(line), option::of(moves()), option::of(text())),
    )
        .prop_map(|(first, second, third, last)| Info {
            depth: first.0,
            selective_depth: first.1,
            multi_pv: first.2,
            score: first.3.map(|(score, _)| score),
            bound: first.3.map_or(Bound::Exact, |(_, bound)| bound),
            wdl: first.4,
            nodes: second.0,
            nodes_per_second: second.1,
            hash_full: second.2,
            table_hits: second.3,
            shredder_hits: second.4,
            cpu_load: third.0,
            time: third.1,
            current_move: third.2,
            current_move_number: third.3,
            refutation: third.4,
            current_line: last.0,
            pv: last.1,
            string: last.2,
        })
}

fn option_type() -> impl Strategy<Value = OptionType> {
    let text = || text().prop_map(str::to_owned);
    let value = prop_oneof![Just(String::new()), text()];
    prop_oneof![
        any::<bool>().prop_map(|on| OptionType::Check { on, words: &["true", "false"] }),
        any::<[i64; 3]>().prop_map(|[value, min, max]| OptionType::Number { value, min, max }),
        (text(), vec(text(), 0..5)).prop_map(|(current, choices)| OptionType::OneOf { choices, current }),
        Just(OptionType::Button),
        value.prop_map(|value| OptionType::Text { value, path: TextPath::None }),
    ]
}

fn declaration() -> impl Strategy<Value = EngineOption> {
    let named = |(name, kind): (&str, _)| EngineOption { name: name.to_owned(), kind };
    let path = ("Book ?[Ff]ile", text()).prop_map(|(name, value)| EngineOption {
        name,
        kind: OptionType::Text { value: value.to_owned(), path: TextPath::File },
    });
    prop_oneof![4 => (text(), option_type()).prop_map(named), 1 => path]
}

fn reply() -> impl Strategy<Value = Reply<'static>> {
    let clearance = || prop_oneof![Just(Clearance::Checking), Just(Clearance::Ok), Just(Clearance::Error)];
    prop_oneof![
        prop_oneof![Just(Reply::UciOk), Just(Reply::ReadyOk), Just(Reply::UgiOk)],
        text().prop_map(Reply::Response),
        text().prop_map(Reply::IdName),
        text().prop_map(Reply::IdAuthor),
        (option::of(word()), option::of(word())).prop_map(|(best, ponder)| Reply::BestMove { best, ponder }),
        clearance().prop_map(Reply::CopyProtection),
        clearance().prop_map(Reply::Registration),
        info().prop_map(Reply::Info),
        declaration().prop_map(Reply::Option),
        text().prop_map(Reply::Unknown),
    ]
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
    fn blanks_do_not_matter(command in go(), blank in "[ \t\r\x0c]{1,4}") {
        let line = format!("{blank}{}{blank}", command.to_string().replace(' ', &blank));
        prop_assert_eq!(Command::parse(&line).unwrap().unwrap().message, command);
    }

    #[test]
    fn no_text_panics(line in any::<String>()) {
        let _ = (Command::parse(&line), Reply::parse(&line));
    }

    /// Texts made of the protocol's own words get further than arbitrary ones.
    #[test]
    fn no_salad_of_words_panics(words in vec(prop_oneof![
        proptest::sample::select(reserved()),
        word(),
        Just("-1"),
        Just("99999999999999999999"),
        Just("\u{a0}\t"),
    ], 0..12)) {
        let line = words.join(" ");
        let _ = (Command::parse(&line), Reply::parse(&line));
    }
}
