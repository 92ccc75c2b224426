//! The guided first game: whether a learner's turn has done what its task asks.

use super::Played;
use crate::base::Color;
use crate::game::{Actor, Aim, Deed, DeedKind, Facts, Lesson, Outcome, Piece};

/// How far a learner has come with a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// The turn goes on.
    Open,
    /// All that was asked for is done.
    Done,
    /// The turn is over, and something is missing.
    Missed,
}

/// How far the game that was `played` from the position of `lesson` has come with its task.
pub fn progress(lesson: &Lesson, played: &Played) -> Progress {
    let session = played.session();
    let Some(learner) = learner(played) else { return Progress::Open };
    let made = session.made(0, session.tokens_played());
    let deeds: Vec<Deed> =
        made.iter().filter(|made| made.by() == Actor::Player(learner)).map(|made| made.deed()).collect();
    let outcome = session.outcome();
    let is_met = |aim: &Aim| is_met(*aim, session.facts(), &deeds, learner, outcome);
    if lesson.aims.iter().all(is_met) {
        return Progress::Done;
    }
    let goes_on = outcome.is_none() && (!session.between_turns() || deeds.is_empty());
    if goes_on { Progress::Open } else { Progress::Missed }
}

/// The side that plays the first position.
fn learner(played: &Played) -> Option<Color> {
    match played.tokens().next() {
        Some((owner, _)) => Some(owner),
        None => played.session().actor().player(),
    }
}

fn is_met(aim: Aim, facts: &Facts, deeds: &[Deed], learner: Color, outcome: Option<Outcome>) -> bool {
    let any = |is: &dyn Fn(&Deed) -> bool| deeds.iter().any(is);
    match aim {
        Aim::Do(kind) => any(&|deed| deed.kind == kind),
        Aim::Reach(square) => any(&|deed| deed.path.last() == Some(&square)),
        Aim::Bend => any(&|deed| deed.path.len() > 2),
        Aim::Take => any(&|deed| match deed.kind {
            DeedKind::Capture | DeedKind::Remove => true,
            DeedKind::Move => !deed.gone.is_empty(),
            _ => false,
        }),
        Aim::GetBall => any(&|deed| {
            let piece = deed.becomes.and_then(|letter| facts.piece(letter));
            matches!(deed.kind, DeedKind::Move | DeedKind::Capture) && piece.is_some_and(Piece::has_ball)
        }),
        Aim::Win => outcome.is_some_and(|outcome| outcome.winner == Some(learner)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;
    use crate::session::{chance::Chance, open};
    use crate::variants;

    fn at(lesson: &Lesson, game: &str) -> Played {
        let facts = variants::find(game).unwrap();
        let mut session = open(facts, Rules::of(facts), Chance::Referee);
        session.set_up(Some(lesson.position), &mut std::iter::empty()).unwrap();
        Played::new(session)
    }

    #[test]
    fn every_task_is_done_by_its_way_and_not_by_any_turn() {
        let mut courses = 0;
        for facts in variants::all() {
            let Some(course) = &facts.course else { continue };
            courses += 1;
            assert!((6..=10).contains(&course.lessons.len()), "{}", facts.name);
            for lesson in course.lessons {
                let mut played = at(lesson, course.game);
                assert_eq!(progress(lesson, &played), Progress::Open, "{}", lesson.task);
                played.play(lesson.way).unwrap_or_else(|error| panic!("{}: {error}", lesson.way));
                assert_eq!(progress(lesson, &played), Progress::Done, "{}", lesson.task);
                let missed = |turn: &String| {
                    let mut played = at(lesson, course.game);
                    played.play(turn).is_ok() && progress(lesson, &played) == Progress::Missed
                };
                let turns = at(lesson, course.game).session().tokens("", 100_000).unwrap();
                assert!(turns.is_none_or(|turns| turns.iter().any(missed)), "any turn does: {}", lesson.task);
            }
        }
        assert!(courses >= 3);
    }
}
