use super::*;
use crate::base::Color;
use crate::variants;
use std::time::Duration;

const PERSONS: [Seat; 2] = [Seat::Person; 2];

/// A turn of White's that leads to a throw for the wicket.
const THROW: &str = "****1***/4k1r1/5ppp/8/8/8/2B5/PPP2PPP/3RK3/****1*** w - - c3:e1/e8:g8 0 30";

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn setup(game: &str, seats: [Seat; 2], control: &str) -> Setup<'static> {
    let facts = variants::find(game).unwrap();
    Setup { seed: 5, seats, control: control.parse().unwrap(), ..Setup::of(facts) }
}

fn table(game: &str, seats: [Seat; 2], control: &str) -> Table {
    Table::new(setup(game, seats, control), Duration::ZERO).unwrap()
}

fn enter(table: &mut Table, text: &str, now: u64) -> Result<Event, Refusal> {
    table.tell(Command::Enter(text), seconds(now))
}

/// The seconds on both clocks, which do not know of a turn that is not complete.
fn clocks(table: &Table) -> [u64; 2] {
    Color::ALL.map(|color| table.clocks().of(color).left().as_secs())
}

/// The turns as `viewer` may read them, with blanks between.
fn turns(table: &Table, viewer: Viewer) -> String {
    table.played().turns(viewer).into_iter().map(|turn| turn.text).collect::<Vec<_>>().join(" ")
}

#[test]
fn each_player_is_timed_from_the_decision_before() {
    let mut table = table("chess", PERSONS, "10+1");
    assert_eq!((table.running(), table.due()), (Some(Color::White), Some(seconds(10))));
    assert_eq!(enter(&mut table, "e2e4", 3), Ok(Event::Changed));
    assert_eq!(
        (clocks(&table), table.running(), table.due()),
        ([8, 10], Some(Color::Black), Some(seconds(13)))
    );
    assert_eq!(table.time_left(Color::Black, seconds(7)), Some(seconds(6)));
    assert_eq!(table.time_left(Color::White, seconds(7)), Some(seconds(8)), "only one clock runs");
    // What is refused takes time, but changes nothing.
    assert!(matches!(enter(&mut table, "e7e9", 8), Err(Refusal::Session(_))));
    assert_eq!(table.due(), Some(seconds(13)));
    assert_eq!((table.tick(seconds(13)), table.tick(seconds(14))), (None, Some(Event::Changed)));
    assert_eq!(table.ending().unwrap().reason, "Black is out of time");
    assert_eq!((table.due(), table.running(), table.tick(seconds(99))), (None, None, None));
    assert_eq!(table.time_left(Color::Black, seconds(99)), Some(Duration::ZERO));
    // Undone, the game goes on with the time from before the turn.
    assert_eq!(table.tell(Command::Undo, seconds(20)), Ok(Event::Changed));
    assert_eq!((table.due(), clocks(&table)), (Some(seconds(30)), [8, 10]));
    table.tell(Command::Undo, seconds(21)).unwrap();
    assert_eq!((table.due(), clocks(&table)), (Some(seconds(31)), [10, 10]));
}

#[test]
fn a_turn_that_comes_too_late_is_not_played() {
    let mut table = table("chess", PERSONS, "10+1");
    assert_eq!(enter(&mut table, "e2e4", 11), Ok(Event::Changed));
    assert_eq!((turns(&table, Viewer::All), table.ending().unwrap().result()), (String::new(), "0-1"));
    assert_eq!(enter(&mut table, "e2e4", 12), Err(Refusal::Over));
    // Without a clock no time can run out.
    let mut table = self::table("chess", PERSONS, "inf");
    assert_eq!((table.due(), table.running(), table.tick(seconds(90_000))), (None, None, None));
    assert_eq!(table.time_left(Color::White, seconds(90_000)), None);
}

#[test]
fn the_steps_of_a_turn_share_its_time_and_one_increment() {
    let mut table = table("hanniball", PERSONS, "10+1");
    enter(&mut table, "e1d2,", 2).unwrap();
    assert_eq!((clocks(&table), table.due()), ([10, 10], Some(seconds(10))));
    assert_eq!(table.time_left(Color::White, seconds(5)), Some(seconds(5)));
    enter(&mut table, "d4b5", 5).unwrap();
    assert_eq!((clocks(&table), turns(&table, Viewer::All)), ([6, 10], "e1d2,d4b5".to_owned()));
    // A step that is taken back has cost no time.
    table.tell(Command::Undo, seconds(8)).unwrap();
    assert_eq!((turns(&table, Viewer::All), table.due()), ("e1d2,".to_owned(), Some(seconds(16))));
}

#[test]
fn the_engine_is_timed_while_it_thinks_and_answers_in_its_seat_alone() {
    let mut table = table("chess", [Seat::Person, Seat::Engine], "10+1");
    table.engine_thinks(Some(seconds(1)));
    assert_eq!(table.due(), Some(seconds(10)), "a person's clock is none of the engine's");
    enter(&mut table, "e2e4", 2).unwrap();
    assert_eq!((table.running(), table.due()), (None, None));
    assert_eq!(enter(&mut table, "e7e5", 3), Err(Refusal::EngineDecides));
    table.engine_thinks(Some(seconds(50)));
    assert_eq!((table.running(), table.due()), (Some(Color::Black), Some(seconds(60))));
    let decided = Command::Decide { token: Some("e7e5".to_owned()), score: -20 };
    assert_eq!(table.tell(decided, seconds(54)), Ok(Event::Changed));
    assert_eq!((clocks(&table), table.score()), ([9, 7], Some(-20)));
    // Both halves of the move are taken back; the answer alone is not a person's.
    table.tell(Command::Undo, seconds(60)).unwrap();
    assert_eq!((turns(&table, Viewer::All), table.score()), (String::new(), None));
    assert_eq!(table.tell(Command::Undo, seconds(60)), Err(Refusal::NothingToTakeBack));
    // A person who takes the engine's seat is timed from then on.
    enter(&mut table, "e2e4", 61).unwrap();
    table.tell(Command::Seats(PERSONS), seconds(70)).unwrap();
    assert_eq!(table.due(), Some(seconds(80)));
    let late = Command::Decide { token: Some("e7e5".to_owned()), score: 0 };
    assert_eq!(table.tell(late, seconds(71)), Err(Refusal::NotTheEngine));
    assert_eq!(enter(&mut table, "e7e5", 71), Ok(Event::Changed));
}

#[test]
fn an_engine_that_found_nothing_plays_the_first_legal_turn() {
    let mut table = table("chess", [Seat::Engine; 2], "inf");
    table.tell(Command::Decide { token: None, score: 0 }, Duration::ZERO).unwrap();
    assert_eq!(table.session().tokens_played(), 1);
    let mated = Setup { position: Some("7k/5KQ1/8/8/8/8/8/8 b - - 0 1"), ..setup("chess", PERSONS, "inf") };
    let mut mated = Table::new(mated, Duration::ZERO).unwrap();
    let late = Command::Decide { token: None, score: 0 };
    assert_eq!(mated.tell(late, Duration::ZERO), Err(Refusal::Over));
    assert_eq!(mated.ending().unwrap().result(), "1-0");
}

#[test]
fn a_draw_is_offered_and_answered_once() {
    let mut table = table("chess", PERSONS, "inf");
    let mut tell = |command| table.tell(command, Duration::ZERO);
    assert_eq!(tell(Command::AnswerDraw(true)), Err(Refusal::NoOffer));
    assert_eq!(tell(Command::OfferDraw), Ok(Event::DrawOffered));
    assert_eq!(tell(Command::AnswerDraw(false)), Err(Refusal::DrawDeclined));
    assert_eq!(tell(Command::AnswerDraw(true)), Err(Refusal::NoOffer), "it was declined");
    assert_eq!(tell(Command::OfferDraw), Ok(Event::DrawOffered));
    assert_eq!(tell(Command::Enter("e2e4")), Ok(Event::Changed));
    assert_eq!(tell(Command::AnswerDraw(true)), Err(Refusal::NoOffer), "the game has gone on since");
    assert_eq!(tell(Command::OfferDraw), Ok(Event::DrawOffered));
    assert_eq!(tell(Command::AnswerDraw(true)), Ok(Event::Changed));
    assert_eq!(tell(Command::OfferDraw), Err(Refusal::Over));
    let ending = table.ending().unwrap();
    assert_eq!((ending.result(), &*ending.reason), ("1/2-1/2", "drawn by agreement"));
    // An agreement is undone before a turn is.
    table.tell(Command::Undo, Duration::ZERO).unwrap();
    assert_eq!((table.ending(), table.session().tokens_played()), (None, 1));
    let mut without = self::table("breakthrough", PERSONS, "inf");
    let refused = without.tell(Command::OfferDraw, Duration::ZERO);
    assert_eq!(refused, Err(Refusal::NoDraws("Breakthrough")));
}

#[test]
fn the_person_to_decide_resigns_or_else_the_only_one() {
    let loser = |seats: [Seat; 2], begin: &str| {
        let mut table = table("chess", seats, "inf");
        table.begin_with(begin, Duration::ZERO).unwrap();
        table.tell(Command::Resign, Duration::ZERO).map(|_| table.ending().unwrap().reason)
    };
    assert_eq!(loser(PERSONS, "e2e4").unwrap(), "Black resigns");
    assert_eq!(loser([Seat::Person, Seat::Engine], "e2e4").unwrap(), "White resigns");
    assert_eq!(loser([Seat::Engine; 2], "e2e4"), Err(Refusal::NobodyResigns));
}

#[test]
fn each_seat_sees_its_own_cards_when_it_has_the_screen() {
    let mut table = table("wickets-cards", PERSONS, "inf");
    assert_eq!(table.viewer(), Viewer::Nobody);
    assert_eq!(enter(&mut table, "e2e4", 0), Err(Refusal::NotAlone));
    table.tell(Command::Ready, Duration::ZERO).unwrap();
    assert_eq!(table.viewer(), Viewer::Player(Color::White));
    enter(&mut table, "e2e4", 0).unwrap();
    assert_eq!(table.viewer(), Viewer::Nobody, "Black is not alone with it yet");
    let hands = |viewer: Viewer| viewer.position(table.session()).to_string();
    let hidden = |viewer| hands(viewer).matches('?').count();
    assert!(hidden(Viewer::Nobody) > hidden(Viewer::Player(Color::White)), "{}", hands(Viewer::Nobody));
    assert_ne!(hands(Viewer::Player(Color::White)), hands(Viewer::Player(Color::Black)));
    // With one person at the screen, it is that person's.
    let alone = self::table("wickets-cards", [Seat::Engine, Seat::Person], "inf");
    assert_eq!(alone.viewer(), Viewer::Player(Color::Black));
    // The hands are shown when the game is over, so it cannot go on.
    table.tell(Command::Resign, Duration::ZERO).unwrap();
    assert_eq!(table.viewer(), Viewer::All);
    assert_eq!(table.tell(Command::Undo, Duration::ZERO), Err(Refusal::Shown));
    assert_eq!(table.tell(Command::Follow(&[]), Duration::ZERO), Err(Refusal::Shown));
}

#[test]
fn a_card_that_is_drawn_is_read_by_its_owner_alone() {
    let cards = format!("{THROW} W=2d3c5c6h6d7d8s9c9dTh/B=2c3d4c5d6c7c8c9sTsAc/S=?20/D=-");
    let setup = Setup { position: Some(&cards), ..setup("wickets-cards", PERSONS, "inf") };
    let mut table = Table::new(setup, Duration::ZERO).unwrap();
    table.tell(Command::Ready, Duration::ZERO).unwrap();
    for text in ["c3a5,O@e9", "10h"] {
        enter(&mut table, text, 0).unwrap();
    }
    let read = |viewer| turns(&table, viewer);
    assert!(!read(Viewer::All).contains('?') && read(Viewer::All).starts_with("c3a5,O@e9,=Th,+"));
    assert_eq!(read(Viewer::Player(Color::White)), read(Viewer::All));
    assert_eq!(read(Viewer::Player(Color::Black)), "c3a5,O@e9,=Th,+?");
    assert_eq!(read(Viewer::Nobody), "c3a5,O@e9,=Th,+?");
}

#[test]
fn no_change_of_players_shows_both_hands() {
    let mut table = table("wickets-cards", [Seat::Person, Seat::Engine], "inf");
    for seats in [PERSONS, [Seat::Engine, Seat::Person], [Seat::Engine; 2]] {
        assert_eq!(table.tell(Command::Seats(seats), Duration::ZERO), Err(Refusal::BothHands), "{seats:?}");
    }
    let mut two = self::table("wickets-cards", PERSONS, "inf");
    assert_eq!(two.tell(Command::Seats([Seat::Engine, Seat::Person]), Duration::ZERO), Ok(Event::Changed));
    let dealt = Setup { rolls: true, ..setup("wickets-cards", PERSONS, "inf") };
    assert!(matches!(Table::new(dealt, Duration::ZERO), Err(Refusal::Dealt)));
}

#[test]
fn chance_decides_unless_persons_roll() {
    let begin = |rolls| {
        let setup = Setup { position: Some(THROW), rolls, ..setup("wickets-dice", PERSONS, "10") };
        Table::new(setup, Duration::ZERO).unwrap()
    };
    let mut own = begin(false);
    assert_eq!(enter(&mut own, "c3a5,O@e9,=6", 1), Err(Refusal::NotYours));
    enter(&mut own, "c3a5,O@e9", 1).unwrap();
    assert_eq!(turns(&own, Viewer::All), "c3a5,O@e9,=2");
    let mut rolled = begin(true);
    enter(&mut rolled, "c3a5,O@e9", 1).unwrap();
    // No clock runs while a die is read.
    assert_eq!((rolled.to_decide(), rolled.due()), (None, None));
    enter(&mut rolled, "=4", 60).unwrap();
    assert_eq!(turns(&rolled, Viewer::All), "c3a5,O@e9,=4");
    assert_eq!((clocks(&rolled), rolled.due()), ([9, 10], Some(seconds(70))));
}

#[test]
fn another_line_is_followed_from_where_it_leaves_the_game() {
    let mut table = table("chess", PERSONS, "10");
    for (now, text) in ["e2e4", "e7e5", "g1f3"].iter().enumerate() {
        enter(&mut table, text, now as u64 + 1).unwrap();
    }
    let line: Vec<String> = ["e2e4", "c7c5", "g1f3"].map(str::to_owned).to_vec();
    let other = table.played().replay(&line).unwrap();
    assert_eq!(other.line().tokens, line);
    assert_eq!(table.session().tokens_played(), 3, "to look at a line changes nothing");
    let wrong = table.played().replay(&["e2e4".to_owned(), "e2e4".to_owned()]).err().unwrap();
    assert!(wrong.starts_with("turn 2 (e2e4): "), "{wrong}");
    // Back in the game itself, the clocks stand as they stood.
    table.tell(Command::Follow(&line[..1]), seconds(20)).unwrap();
    assert_eq!((turns(&table, Viewer::All), clocks(&table)), ("e2e4".to_owned(), [9, 10]));
    table.tell(Command::Follow(&line), seconds(20)).unwrap();
    assert_eq!((turns(&table, Viewer::All), clocks(&table)), ("e2e4 c7c5 g1f3".to_owned(), [10, 10]));
    table.tell(Command::Undo, seconds(21)).unwrap();
    assert_eq!((turns(&table, Viewer::All), clocks(&table)), ("e2e4 c7c5".to_owned(), [10, 10]));
}

fn loaded(pgn: &str) -> LoadedGame {
    load_game(pgn, 1).unwrap().0
}

#[test]
fn a_file_is_played_on_from_with_full_clocks() {
    let mut table = table("alapo", [Seat::Person, Seat::Engine], "10");
    let game = loaded("[White \"Anna\"]\n[Black \"Boris\"]\n[ChanceSeed \"77\"]\n\n1. e4 e5 2. Nf3 Ke9 *");
    let event = table.tell(Command::Load(&game), seconds(5)).unwrap();
    let Event::Began(Some(warning)) = event else { panic!("{event:?}") };
    assert!(warning.starts_with("turn 4 (Ke9): ") && warning.ends_with("; the game goes on before it"));
    assert_eq!((turns(&table, Viewer::All), clocks(&table)), ("e2e4 e7e5 g1f3".to_owned(), [10, 10]));
    assert_eq!((table.seed(), table.seat_to_decide()), (77, Some(Seat::Engine)));
    let tags = PgnTags { event: "A test", engine: "Carom", date: "2026.11.25" };
    let pgn = game_pgn(&table, tags, &[]);
    for tag in ["[Event \"A test\"]", "[Date \"2026.11.25\"]", "[White \"Anna\"]", "[Black \"Boris\"]"] {
        assert!(pgn.contains(tag), "{pgn}");
    }
    // A new game is not theirs.
    assert_eq!(table.tell(Command::Restart(9), seconds(6)), Ok(Event::Began(None)));
    assert_eq!((turns(&table, Viewer::All), table.seed()), (String::new(), 9));
    let pgn = game_pgn(&table, tags, &[]);
    assert!(pgn.contains("[White \"Player\"]") && pgn.contains("[Black \"Carom\"]"), "{pgn}");
}

#[test]
fn a_file_that_shows_the_cards_of_a_game_under_way_is_not_resumed() {
    let mut table = table("wickets-cards", PERSONS, "inf");
    table.tell(Command::Ready, Duration::ZERO).unwrap();
    enter(&mut table, "e2e4", 0).unwrap();
    let tags = PgnTags { event: "A test", engine: "Carom", date: "2026.11.25" };
    let game = loaded(&game_pgn(&table, tags, &[]));
    let before = turns(&table, Viewer::All);
    assert_eq!(table.tell(Command::Load(&game), Duration::ZERO), Err(Refusal::LoadedShown));
    assert_eq!((turns(&table, Viewer::All), table.viewer()), (before, Viewer::Nobody), "nothing has changed");
    // It may be shown, as `carom replay` does.
    assert!(game.play().is_ok());
}
