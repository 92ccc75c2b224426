use super::super::{Counts, estimate, expected_score};
use super::*;
use crate::base::Rng;

type Played = (&'static str, &'static str, Points);

fn games(table: &[(&'static str, &'static str, [usize; 3])]) -> Vec<Played> {
    let all = [Points::Loss, Points::Draw, Points::Win];
    let repeat = |&(white, black, counts): &(&'static str, &'static str, [usize; 3])| {
        all.into_iter()
            .zip(counts)
            .flat_map(move |(points, count)| std::iter::repeat_n((white, black, points), count))
    };
    table.iter().flat_map(repeat).collect()
}

fn elo(ratings: &Ratings, name: &str) -> f64 {
    ratings.players.iter().find(|player| player.name == name).unwrap().elo
}

#[test]
fn two_players_get_logistic_elo_and_its_margin() {
    let played = games(&[("A", "B", [4000, 10000, 6000])]);
    let ratings = rate(played, &[], Method::Logistic, false).unwrap();
    let wanted = estimate(&Counts::trinomial(4000, 10000, 6000));
    assert!((elo(&ratings, "A") - elo(&ratings, "B") - wanted.elo).abs() < 1e-9);
    // Each of the two moves by half the difference. That margin is taken at the ends of the interval, not
    // from the slope.
    let difference = (2.0 * ratings.players[0].error - wanted.elo_error).abs();
    assert!(difference < 1e-4 * wanted.elo_error, "{difference}");
    assert_eq!((ratings.players[0].games, ratings.virtual_draws), ([4000, 10000, 6000], false));
}

/// The games of pairs: for each two players, how often each combination of the first and the second player's
/// results with White occurred.
fn paired(table: &[(&'static str, &'static str, [[usize; 3]; 3])]) -> (Vec<Played>, Vec<[usize; 2]>) {
    let all = [Points::Loss, Points::Draw, Points::Win];
    let mut played = Vec::new();
    for &(first, second, counts) in table {
        for (own, row) in all.into_iter().zip(counts) {
            for (other, count) in all.into_iter().zip(row) {
                for _ in 0..count {
                    played.extend([(first, second, own), (second, first, other)]);
                }
            }
        }
    }
    let pairs = (0..played.len() / 2).map(|at| [2 * at, 2 * at + 1]).collect();
    (played, pairs)
}

/// The losses, draws and wins of pairs as fishtest counts them.
fn pentanomial([ll, ld, even, wd, ww]: [usize; 5]) -> (Vec<Played>, Vec<[usize; 2]>) {
    // Some sums have two combinations; which one is used makes no difference.
    paired(&[("A", "B", [[0, 0, ll], [wd / 2, even, ld], [ww, wd - wd / 2, 0]])])
}

/// Differences and margins of two players whose games are all paired: those of fishtest and of fastchess's
/// unit tests (app/tests/elo_test.cpp, commit 74deac2).
#[test]
fn two_players_in_pairs_get_the_pentanomial_margin() {
    for (cells, wanted, margin) in [
        ([379, 10170, 21828, 10640, 343], 1.5946, 1.2087),
        ([34, 54, 63, 64, 75], 55.58, 27.65),
        ([332, 433, 498, 333, 334], -8.64, 10.33),
        ([7895, 8757, 5685, 568, 9999], -21.04, 2.95),
    ] {
        let (played, pairs) = pentanomial(cells);
        let ratings = rate(played.iter().copied(), &pairs, Method::Logistic, false).unwrap();
        assert_eq!(ratings.pairs, Some(pairs.len() as u64));
        let found = elo(&ratings, "A") - elo(&ratings, "B");
        assert!((found - wanted).abs() < 0.005, "{cells:?}: {found}");
        // Their margin is taken at the ends of the interval, not from the slope, a difference that grows with
        // the square of the margin.
        let found = 2.0 * ratings.players[0].error;
        assert!((found - margin).abs() < 0.0051 + 1e-4 * margin * margin, "{cells:?}: {found}");
        let exact = estimate(&Counts::pentanomial(cells.map(|count| count as u64))).elo_error;
        assert!((found - exact).abs() < 1e-4 * exact * exact + 1e-4, "{cells:?}: {found} {exact}");
        // Single games give another margin, and are used when one game has no partner.
        let single = rate(played.iter().copied(), &pairs[1..], Method::Logistic, false).unwrap();
        assert_eq!(single.pairs, None);
        assert!((2.0 * single.players[0].error - found).abs() > 0.01, "{cells:?}");
    }
}

/// Ratings and margins were computed independently in Python: Newton's method, and the two inverses with
/// numeric differences of the likelihood of each pair.
#[test]
fn several_players_in_pairs_get_margins_of_pairs() {
    let (played, pairs) = paired(&[
        ("A", "B", [[1, 3, 2], [4, 9, 2], [5, 6, 1]]),
        ("B", "C", [[3, 1, 6], [2, 8, 5], [1, 4, 3]]),
        ("A", "C", [[0, 2, 1], [3, 4, 6], [7, 5, 2]]),
    ]);
    let margin =
        |ratings: &Ratings, name| ratings.players.iter().find(|player| player.name == name).unwrap().error;
    for (method, advantage, wanted) in [
        (Method::Logistic, None, [(42.33723, 34.15769), (-37.33618, 31.16121), (-5.00104, 32.97656)]),
        (
            Method::Logistic,
            Some(31.68296),
            [(42.68549, 34.44408), (-37.6434, 31.46555), (-5.04209, 33.24247)],
        ),
        (Method::BayesElo, None, [(41.36881, 33.63706), (-36.18876, 30.39573), (-5.18004, 33.78364)]),
        (
            Method::BayesElo,
            Some(40.09693),
            [(41.46016, 33.78044), (-36.81558, 30.67213), (-4.64458, 34.03168)],
        ),
    ] {
        let ratings = rate(played.iter().copied(), &pairs, method, advantage.is_some()).unwrap();
        for (name, (wanted, error)) in ["A", "B", "C"].into_iter().zip(wanted) {
            let found = (elo(&ratings, name), margin(&ratings, name));
            let near = (found.0 - wanted).abs() < 2e-5 && (found.1 - error).abs() < 2e-5;
            assert!(near, "{method:?} {advantage:?} {name}: {found:?}");
        }
        let found = ratings.advantage.map(|found| found / ratings.scale);
        assert!(
            found.zip(advantage).is_none_or(|(found, wanted)| (found - wanted).abs() < 1e-5),
            "{found:?}"
        );
    }
}

/// Openings that favour one side make the two games of a pair differ, but not the players. Pairs account for
/// it, single games do not.
#[test]
fn margins_of_pairs_hold_where_openings_are_uneven() {
    let mut rng = Rng::new(9);
    let (mut inside, mut narrower) = (0, 0);
    for _ in 0..400 {
        let mut played = Vec::new();
        for _ in 0..150 {
            let favours = [-400.0, 400.0][rng.below(2)];
            for (white, black, elo) in [("A", "B", 20.0), ("B", "A", -20.0)] {
                let random = rng.bits() as f64 / 2f64.powi(64);
                let won = random < expected_score(elo + favours);
                played.push((white, black, if won { Points::Win } else { Points::Loss }));
            }
        }
        let pairs: Vec<_> = (0..150).map(|at| [2 * at, 2 * at + 1]).collect();
        let ratings = rate(played.iter().copied(), &pairs, Method::Logistic, false).unwrap();
        let single = rate(played.iter().copied(), &[], Method::Logistic, false).unwrap();
        narrower += u32::from(ratings.players[0].error < 0.8 * single.players[0].error);
        // The players' real difference over both kinds of openings.
        let score = (expected_score(420.0) + expected_score(-380.0)) / 2.0;
        let truth = -400.0 * (1.0 / score - 1.0).log10() / 2.0;
        inside += u32::from((elo(&ratings, "A") - truth).abs() < ratings.players[0].error);
    }
    // 95 % of 400, within three standard deviations.
    assert!((367..=393).contains(&inside) && narrower == 400, "{inside} {narrower}");
}

const TABLE: [(&str, &str, [usize; 3]); 5] = [
    ("A", "B", [3, 5, 9]),
    ("B", "C", [4, 2, 7]),
    ("C", "A", [8, 3, 2]),
    ("C", "D", [2, 4, 4]),
    ("D", "A", [6, 1, 1]),
];

#[test]
fn points_equal_expected_points() {
    let played = games(&TABLE);
    for with_advantage in [false, true] {
        let ratings = rate(played.iter().copied(), &[], Method::Logistic, with_advantage).unwrap();
        let advantage = ratings.advantage.unwrap_or(0.0);
        for player in &ratings.players {
            let expected = |&(white, black, _): &Played| {
                let score = expected_score(elo(&ratings, white) - elo(&ratings, black) + advantage);
                if white == player.name {
                    score
                } else if black == player.name {
                    1.0 - score
                } else {
                    0.0
                }
            };
            let expected: f64 = played.iter().map(expected).sum();
            assert!((expected - player.points()).abs() < 1e-9, "{}: {expected}", player.name);
        }
        let average: f64 = ratings.players.iter().map(|player| player.elo).sum();
        assert!(average.abs() < 1e-9);
    }
}

/// When any parameter of the BayesElo model is moved a little, the likelihood falls. The likelihood is
/// written out here from its definition.
#[test]
fn bayeselo_is_at_the_summit() {
    let played = games(&TABLE);
    let ratings = rate(played.iter().copied(), &[], Method::BayesElo, true).unwrap();
    let names = ["A", "B", "C", "D"];
    let mut values: Vec<f64> = names.iter().map(|name| elo(&ratings, name) / ratings.scale).collect();
    values.push(ratings.advantage.unwrap() / ratings.scale);
    values.push(ratings.draw_elo.unwrap());
    let likelihood = |values: &[f64]| -> f64 {
        let of = |name: &str| values[names.iter().position(|other| *other == name).unwrap()];
        let logarithm = |&(white, black, points): &Played| {
            let difference = of(white) - of(black) + values[4];
            let (win, loss) =
                (expected_score(difference - values[5]), expected_score(-difference - values[5]));
            match points {
                Points::Loss => loss.ln(),
                Points::Draw => (1.0 - win - loss).ln(),
                Points::Win => win.ln(),
            }
        };
        played.iter().map(logarithm).sum()
    };
    let summit = likelihood(&values);
    for i in 0..values.len() {
        for step in [-0.05, 0.05] {
            let mut beside = values.clone();
            beside[i] += step;
            let fall = summit - likelihood(&beside);
            // A slope of 1e-6 per Elo would show as a rise on one side.
            assert!(fall > 0.0, "value {i}, step {step}: {fall}");
        }
    }
}

#[test]
fn swapping_results_negates() {
    let played = games(&TABLE);
    let swapped = |points| match points {
        Points::Loss => Points::Win,
        Points::Draw => Points::Draw,
        Points::Win => Points::Loss,
    };
    let turned = played.iter().map(|&(white, black, points)| (white, black, swapped(points)));
    for method in [Method::Logistic, Method::BayesElo] {
        let one = rate(played.iter().copied(), &[], method, true).unwrap();
        let other = rate(turned.clone(), &[], method, true).unwrap();
        for player in &one.players {
            assert!((player.elo + elo(&other, &player.name)).abs() < 1e-7);
        }
        assert!((one.advantage.unwrap() + other.advantage.unwrap()).abs() < 1e-7);
    }
}

#[test]
fn results_without_a_summit_get_virtual_draws() {
    let cases: [&[(&'static str, &'static str, [usize; 3])]; 5] = [
        &[("A", "B", [0, 0, 10])],
        &[("A", "B", [1, 0, 1]), ("C", "D", [1, 2, 1])],
        &[("A", "B", [1, 1, 1]), ("A", "C", [0, 0, 1])],
        &[("A", "A", [1, 0, 0])],
        &[("A", "B", [0, 0, 5]), ("B", "A", [0, 0, 5])],
    ];
    for (number, table) in cases.iter().enumerate() {
        for method in [Method::Logistic, Method::BayesElo] {
            let ratings = rate(games(table), &[], method, true).unwrap();
            assert!(ratings.virtual_draws || number == 3, "{table:?}");
            assert!(ratings.players.iter().all(|p| p.elo.is_finite() && p.elo.abs() < 3000.0));
            assert!(ratings.players.iter().all(|p| p.error.is_finite() && p.error >= 0.0));
        }
    }
    let won = rate(games(cases[0]), &[], Method::Logistic, false).unwrap();
    assert_eq!(won.players[0].name, "A");
    assert!(won.players[0].elo > 150.0);
    // White won every game: without the advantage there is a maximum, and all ratings are equal.
    let level = rate(games(cases[4]), &[], Method::Logistic, false).unwrap();
    assert!(!level.virtual_draws && level.players[0].elo.abs() < 1e-9);
    assert_eq!(rate([], &[], Method::Logistic, false), Err(RatingError::NoGames));
    let drawn = rate(games(&[("A", "B", [0, 9, 0])]), &[], Method::BayesElo, false).unwrap();
    assert!(drawn.players[0].elo.abs() < 1e-9 && drawn.draw_elo.is_none() && !drawn.virtual_draws);
}

/// Games are drawn from known ratings; the fit recovers these, and the margins hold about as often as they
/// claim.
#[test]
fn known_ratings_come_back() {
    const NAMES: [&str; 6] = ["A", "B", "C", "D", "E", "F"];
    let truth = [150.0, 90.0, 20.0, -30.0, -80.0, -150.0];
    let mut rng = Rng::new(2);
    let (mut inside, mut all) = (0, 0);
    for _ in 0..60 {
        let mut played = Vec::new();
        for i in 0..6 {
            for j in (0..6).filter(|&j| j != i) {
                for _ in 0..40 {
                    let score = expected_score(truth[i] - truth[j]);
                    let draws = 0.6 * score.min(1.0 - score);
                    let random = rng.bits() as f64 / 2f64.powi(64);
                    let points = if random < score - draws / 2.0 {
                        Points::Win
                    } else if random < score + draws / 2.0 {
                        Points::Draw
                    } else {
                        Points::Loss
                    };
                    played.push((NAMES[i], NAMES[j], points));
                }
            }
        }
        let ratings = rate(played, &[], Method::Logistic, false).unwrap();
        for (name, truth) in NAMES.iter().zip(truth) {
            let player = ratings.players.iter().find(|player| player.name == *name).unwrap();
            all += 1;
            inside += u32::from((player.elo - truth).abs() < player.error);
        }
    }
    // 95 % of 360, within three standard deviations.
    assert!((330..=355).contains(&inside), "{inside} of {all}");
}
