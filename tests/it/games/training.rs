//! `carom datagen`, `carom train` and `carom tune`: what is played and learned is the same every time, and learning learns.
use carom::base::Rng;
use carom::game::network::Network;
use carom::game::{Actor, Decisions, Evaluation, Facts, Game, Notation, Playable, Rules};
use carom::search::TranspositionTable;
use carom::training::datagen::play_game;
use carom::training::fit::Fit;
use carom::training::games::{Choice, PlayedGame, ReplayedGame, read_games};
use carom::training::sample::Sample;
use carom::training::self_play::SelfPlaySettings;
use carom::training::train::{Start, Step, TrainSettings, train};
use carom::training::tune::tune;
use carom::variants::{Visitor, alapo, dice_chess};
use std::cell::RefCell;
use std::path::PathBuf;
use std::process::{Command, Output};

type Alapo = alapo::Standard;
type DiceChess = dice_chess::State;

fn games(seeds: std::ops::Range<u64>) -> Vec<PlayedGame> {
    let settings = SelfPlaySettings { nodes: 50, random_turns: 6, longest: 120, stray: 50 };
    let table = TranspositionTable::new(1).unwrap();
    let rules = Rules::of(Alapo::GAMES[0]);
    seeds.map(|seed| play_game::<Alapo>(&rules, seed, &settings, &table)).collect()
}

/// The longest of some games in which nothing was drawn at random after the beginning, whatever network plays them.
fn long_game() -> PlayedGame {
    let searched = |game: &PlayedGame| {
        let mut rest = game.decisions.iter().skip_while(|(_, score)| score.is_none());
        rest.all(|(_, score)| score.is_some())
    };
    games(1..33).into_iter().filter(searched).max_by_key(PlayedGame::searches).unwrap()
}

fn replayed(game: &PlayedGame, mirrored: bool) -> ReplayedGame {
    let rules = game.rules(Alapo::GAMES).unwrap();
    ReplayedGame::of(game, &rules, Sample::new::<Alapo>, &Choice { mirrored, noise: None }).unwrap()
}

fn samples(games: &[PlayedGame]) -> Vec<Sample> {
    games.iter().flat_map(|game| replayed(game, false).samples(400.0, 1.0)).collect()
}

fn bytes(games: &[PlayedGame]) -> Vec<u8> {
    games.iter().flat_map(PlayedGame::to_bytes).collect()
}

#[test]
fn the_same_seed_plays_the_same_game() {
    let both = games(3..5);
    assert_eq!(both, games(3..5));
    // Whatever was played before.
    assert_eq!(both, [games(3..4), games(4..5)].concat());
    assert_ne!(games(3..4), games(4..5));
}

/// Every game of the registry, played and read again: positions to learn from need no more than the decisions.
#[test]
fn a_game_of_any_kind_is_played_again_from_its_decisions() {
    struct Again;
    impl Visitor for Again {
        type Output = ();
        fn visit<G: Playable>(self, facts: &'static Facts) {
            let settings = SelfPlaySettings { nodes: 20, random_turns: 4, longest: 60, stray: 9 };
            let table = TranspositionTable::new(1).unwrap();
            let rules = Rules::of(facts);
            let game = play_game::<G>(&rules, 3, &settings, &table);
            assert_eq!(game.name, facts.name);
            assert!(game.searches() > 10 && game.searches() < game.decisions.len(), "{game:?}");
            assert_eq!(read_games(&game.to_bytes()), (vec![game.clone()], 0));
            // A decision and its score take four bytes.
            assert!(game.to_bytes().len() < 64 + 4 * game.decisions.len(), "{}", facts.name);
            let again = ReplayedGame::of(&game, &rules, Sample::new::<G>, &Choice::default());
            let again = again.unwrap_or_else(|| panic!("{}", facts.name));
            let outcomes = |lambda: f64| -> Vec<f32> {
                again.clone().samples(400.0, lambda).map(|sample| sample.outcome).collect()
            };
            assert!(outcomes(1.0).len() <= game.searches());
            // Turns are told apart in every kind of game: between them the searches count, if they found anything.
            let found_nothing = again.scores().all(|(score, _)| score == 0);
            let differ = outcomes(0.0) != outcomes(1.0);
            assert!(differ || found_nothing, "{}", facts.name);
            assert!(!found_nothing || facts.name != "dice-chess", "a roll begins its turns");
            let illegal = PlayedGame { decisions: vec![(u16::MAX, None)], ..game };
            assert_eq!(ReplayedGame::of(&illegal, &rules, Sample::new::<G>, &Choice::default()), None);
        }
    }
    for facts in carom::variants::all() {
        carom::variants::visit(facts.name, Again).unwrap();
    }
}

#[test]
fn what_came_later_is_the_result_or_what_was_found_in_between() {
    let game = long_game();
    let (whole, result) = (replayed(&game, false), f32::from(game.points) / 2.0);
    let scores: Vec<_> = whole.scores().collect();
    let plain: Vec<_> = whole.clone().samples(400.0, 1.0).collect();
    assert!(plain.len() > 10 && scores.len() == plain.len());
    for (sample, (score, points)) in plain.iter().zip(&scores) {
        assert_eq!((sample.score, f64::from(sample.outcome)), (*score, *points));
        assert!([result, 1.0 - result].contains(&sample.outcome));
    }
    // Without any memory each position came to what the next search found. Here every decision is a turn.
    let searched: Vec<i16> = game.decisions.iter().filter_map(|own| own.1).collect();
    let all_searches = {
        // White and Black decide in turn, so the next score is the other side's.
        let next = |at: usize| 1.0 / (1.0 + (f64::from(searched[at + 1]) / 400.0).exp());
        (0..searched.len() - 1).map(next).collect::<Vec<_>>()
    };
    for sample in whole.clone().samples(400.0, 0.0) {
        let known = all_searches.iter().any(|came| (came - f64::from(sample.outcome)).abs() < 1e-6);
        assert!(known || [result, 1.0 - result].contains(&sample.outcome), "{}", sample.outcome);
    }
    // In between lies what is in between.
    let [none, half, full] =
        [0.0, 0.5, 1.0].map(|lambda| whole.clone().samples(400.0, lambda).next().unwrap().outcome);
    assert!(none != half && half != full && none != full, "{none} {half} {full}");
}

#[test]
fn where_a_roll_begins_each_turn_boards_are_learned_from_as_they_stand_before_it() {
    let settings = SelfPlaySettings { nodes: 200, random_turns: 4, longest: 60, stray: 1_000 };
    let (table, rules) = (TranspositionTable::new(1).unwrap(), Rules::of(DiceChess::GAMES[0]));
    let (mut boards, mut captures) = (0, 0);
    for seed in 1..9 {
        let game = play_game::<DiceChess>(&rules, seed, &settings, &table);
        // What the last decision of a turn leads to, and its score, which the side that rolls next sees with the
        // other sign.
        let mut expected = Vec::new();
        let mut state = DiceChess::start(&rules);
        for &(number, score) in &game.decisions {
            let mut list = Decisions::new();
            state.sorted_decisions(&mut list);
            let takes = state.mvv_lva(list[usize::from(number)]) > 0;
            state.apply(list[usize::from(number)]);
            if let Some(score) = score.filter(|score| state.between_turns() && score.abs() <= 2_500) {
                expected.push((state.write(), -score));
                captures += usize::from(takes);
            }
        }
        let seen = RefCell::new(Vec::new());
        let sample = |state: &DiceChess, score: i16| {
            assert_eq!(state.actor(), Actor::Chance);
            seen.borrow_mut().push((state.write(), score));
            Sample::new(state, score)
        };
        let again = ReplayedGame::of(&game, &rules, sample, &Choice::default()).unwrap();
        assert_eq!(seen.into_inner(), expected);
        // The result as the side sees it that rolls next.
        let white = f64::from(game.points) / 2.0;
        for ((_, points), (position, _)) in again.scores().zip(&expected) {
            let whites = position.to_string().contains(" w ");
            assert_eq!(points, if whites { white } else { 1.0 - white });
        }
        boards += expected.len();
    }
    assert!(boards > 40 && captures > 5, "{boards} {captures}");
}

#[test]
fn scores_that_the_board_does_not_show_can_be_left_out() {
    let game = long_game();
    let rules = game.rules(Alapo::GAMES).unwrap();
    let table = TranspositionTable::new(1).unwrap();
    let left = |most: i32| {
        let choice = Choice { mirrored: false, noise: Some((most, &table)) };
        let again = ReplayedGame::of(&game, &rules, Sample::new::<Alapo>, &choice).unwrap();
        again.samples(400.0, 1.0).collect::<Vec<_>>()
    };
    let all = samples(std::slice::from_ref(&game));
    let [none, some, most] = [0, 60, 100_000].map(left);
    assert_eq!(most, all);
    assert!(none.len() < some.len() && some.len() < all.len(), "{} {} {}", none.len(), some.len(), all.len());
    assert!(some.iter().all(|sample| all.contains(sample)));
}

#[test]
fn mirror_images_are_learned_from_where_asked_for() {
    let game = games(1..2).remove(0);
    let [plain, both] =
        [false, true].map(|mirrored| replayed(&game, mirrored).samples(400.0, 1.0).collect::<Vec<_>>());
    assert_eq!(both.len(), 2 * plain.len());
    for (pair, own) in both.chunks(2).zip(&plain) {
        assert_eq!(&pair[0], own);
        assert_eq!((pair[1].score, pair[1].outcome, pair[1].bucket), (own.score, own.outcome, own.bucket));
        assert_eq!(pair[1].inputs.each_ref().map(Vec::len), own.inputs.each_ref().map(Vec::len));
    }
    assert!(both.chunks(2).any(|pair| pair[0].inputs != pair[1].inputs));
}

/// How Alapo is learned here.
const SETTINGS: TrainSettings = TrainSettings {
    epochs: 8,
    batch: 64,
    rate: 0.004,
    result: 0.0,
    k: 400.0,
    seed: 1,
    by_king: Alapo::BY_KING,
};

/// An untrained network of Alapo.
fn random(parts: usize) -> Start {
    Start::Random { inputs: Alapo::INPUTS, buckets: Alapo::BUCKETS, parts }
}

#[test]
fn learning_makes_the_error_smaller_and_the_same_seed_learns_the_same() {
    let samples = samples(&games(1..12));
    let learn = |seed, parts| {
        let settings = TrainSettings { seed, ..SETTINGS };
        let mut errors = Vec::new();
        let network = train(random(parts), &samples, &settings, |step| {
            if let Step::Epoch { learned, .. } = step {
                errors.push(learned);
            }
        });
        (network.to_bytes(), errors)
    };
    for parts in [1, 3] {
        let (network, errors) = learn(1, parts);
        assert!(errors[7] < 0.5 * errors[0], "{errors:?}");
        assert_eq!(network, learn(1, parts).0);
        assert_ne!(network, learn(2, parts).0);
        let read = Network::from_bytes::<Alapo>(&network).unwrap();
        assert_eq!(read.parts.len(), parts);
        assert!(Network::from_bytes::<Alapo>(&network[2..]).is_none());
        // Carom 0.1.0 wrote the weights alone.
        let weights = &network[20..];
        assert_eq!(Network::from_bytes::<Alapo>(weights), Some(read));
        let mut rng = Rng::new(6);
        let some: Vec<_> = (0..200).map(|_| rng.below(network.len())).collect();
        for place in (0..20).chain(some) {
            let mut changed = network.clone();
            changed[place] ^= 1 << rng.below(8);
            assert!(Network::from_bytes::<Alapo>(&changed).is_none(), "byte {place}");
        }
    }
}

#[test]
fn weights_by_the_kings_square_begin_with_nothing_and_decay() {
    let samples = samples(&games(1..12));
    // Alapo has no kings; what the weights of some inputs come to does not depend on what they mean.
    let size = |start: Start, by_king, epochs| {
        let settings = TrainSettings { epochs, by_king, ..SETTINGS };
        let network = train(start, &samples, &settings, |_| ());
        let inputs = network.parts[0].inputs[100..].iter().flatten();
        inputs.flat_map(|some| some.to_array()).map(|weight| i32::from(weight).abs()).sum::<i32>()
    };
    assert_eq!(size(random(1), 100, 0), 0);
    let [kept, decayed] = [Alapo::BY_KING, 100].map(|by_king| size(random(1), by_king, 8));
    assert!(0 < decayed && 2 * decayed < kept, "{decayed} {kept}");
}

#[test]
fn training_continues_from_a_network() {
    let samples = samples(&games(1..12));
    let learn = |start, epochs, rate| {
        let settings = TrainSettings { epochs, rate, ..SETTINGS };
        let mut errors = Vec::new();
        let network = train(start, &samples, &settings, |step| {
            if let Step::Epoch { learned, .. } = step {
                errors.push(learned);
            }
        });
        (network, errors)
    };
    let (network, errors) = learn(random(2), 8, 0.004);
    let from = |parts| Start::Network { network: network.clone(), parts };
    assert_eq!(learn(from(2), 0, 0.004).0, network);
    let (on, later) = learn(from(2), 8, 0.001);
    assert!(later[0] < errors[4] && later[7] < errors[7], "{errors:?} {later:?}");
    assert_ne!(on, network);
    // Neurons that are added count for nothing until they have learned.
    let wide = learn(from(3), 0, 0.004).0;
    assert_eq!(wide.parts[..2], network.parts);
    assert_eq!((wide.parts.len(), wide.parts[2].outputs[0].bias), (3, 0));
    let weights = |network: &Network| network.parts[2].outputs[0].weights.as_flattened().to_vec();
    assert!(weights(&wide).iter().all(|some| some.to_array() == [0; 16]));
    assert!(wide.parts[2].inputs.iter().flatten().any(|some| some.to_array() != [0; 16]));
    let (on, wider) = learn(from(3), 8, 0.001);
    assert!(wider[7] < later[7], "{wider:?} {later:?}");
    assert_ne!(weights(&on), weights(&wide));
}

/// Whatever happens to a file, nothing is learned that was not written, and what is lost is counted.
#[test]
fn damaged_games_are_left_out_and_counted() {
    let each = games(1..5);
    let blocks: Vec<Vec<u8>> = each.iter().map(PlayedGame::to_bytes).collect();
    let of = |games: &[usize]| games.iter().map(|&game| each[game].clone()).collect::<Vec<_>>();
    let file = blocks[1..].concat();
    assert_eq!(read_games(&file), (of(&[1, 2, 3]), 0));
    assert_eq!(read_games(&[]), (vec![], 0));
    assert_eq!(read_games(b"Carom's samples\nof an older version"), (vec![], 1));
    // One game broke off, and others were added behind it.
    let cut = [&blocks[1], &blocks[2][..blocks[2].len() - 9], &blocks[3]].concat();
    assert_eq!(read_games(&cut), (of(&[1, 3]), 1));
    assert_eq!(read_games(&file[..file.len() - 1]), (of(&[1, 2]), 1));
    let mut rng = Rng::new(9);
    let (begin, end) = (blocks[1].len(), blocks[1].len() + blocks[2].len());
    let some: Vec<_> = (0..300).map(|_| begin + rng.below(end - begin)).collect();
    for place in (begin..begin + 24).chain(some) {
        let mut changed = file.clone();
        changed[place] ^= 1 << rng.below(8);
        assert_eq!(read_games(&changed), (of(&[1, 3]), 1), "byte {place}");
    }
}

#[test]
fn what_cannot_be_learned_from_is_refused_with_the_reason() {
    let path = target("half.samples");
    let game = bytes(&games(1..2));
    std::fs::write(&path, &game[..game.len() - 1]).unwrap();
    let output = target("half.network");
    let train = |samples: &str| {
        carom(&["train", "-g", "alapo", "--epochs", "1", "-o", output.to_str().unwrap(), samples])
    };
    let said = String::from_utf8(train(path.to_str().unwrap()).stderr).unwrap();
    assert!(said.contains("damaged or break off: 1 games"), "{said}");
    let network = concat!(env!("CARGO_MANIFEST_DIR"), "/src/variants/alapo/network.bin");
    let narrower =
        [path.to_str().unwrap(), "--from", network, "--parts", "0", "-o", output.to_str().unwrap()];
    let refused = carom(&[&["train", "alapo"], narrower.as_slice()].concat());
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(!refused.status.success() && said.contains("has 1, and none can be left out"), "{said}");
    let refused = train(env!("CARGO_TARGET_TMPDIR"));
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(!refused.status.success() && said.contains("no regular file"), "{said}");
    #[cfg(unix)]
    {
        let pipe = target("pipe.samples");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let refused = train(pipe.to_str().unwrap());
        let said = String::from_utf8(refused.stderr).unwrap();
        assert!(!refused.status.success() && said.contains("no regular file"), "{said}");
    }
}

#[test]
fn how_well_scores_predict_results_is_printed_and_learned_by() {
    let path = target("fitted.samples");
    std::fs::write(&path, bytes(&games(1..12))).unwrap();
    let train = |options: &[&str], name: &str| {
        let output = target(name);
        let fixed = ["train", "-g", "alapo", "--epochs", "2", "-o", output.to_str().unwrap()];
        let done = carom(&[&fixed, options, &[path.to_str().unwrap()]].concat());
        (
            String::from_utf8(done.stdout).unwrap(),
            done.status.success().then(|| std::fs::read(output).unwrap()),
        )
    };
    let (said, fitted) = train(&[], "fitted.network");
    let line = said.lines().nth(1).unwrap();
    let k = line.strip_prefix("a score predicts ").and_then(|line| line.split_once("with K = ")).unwrap().1;
    let scores = samples(&games(1..12)).into_iter().map(|own| (own.score, f64::from(own.outcome)));
    let exact = Fit::of(scores).unwrap().k;
    assert_eq!(k, format!("{exact:.0}"));
    assert!(fitted.is_some());
    assert_eq!(train(&["--k", &exact.to_string()], "same.network").1, fitted);
    assert_ne!(train(&["--k", "30"], "other.network").1, fitted);
    let results = train(&["--result", "1"], "results.network").1;
    for options in [&["--result", "1", "--lambda", "0.5"][..], &["--result", "1", "--mirrored"]] {
        assert_ne!(train(options, "other.network").1, results, "{options:?}");
    }
    let before = target("before.network");
    std::fs::write(&before, fitted.as_ref().unwrap()).unwrap();
    assert_eq!(train(&["--from", before.to_str().unwrap(), "--rate", "0"], "other.network").1, fitted);
    let other_game = concat!(env!("CARGO_MANIFEST_DIR"), "/src/variants/chess/network.bin");
    let games = path.to_str().unwrap();
    for refused in
        [["--k", "0"], ["--lambda", "1.1"], ["--lambda", "NaN"], ["--from", other_game], ["--from", games]]
    {
        assert_eq!(train(&refused, "none.network").1, None, "{refused:?}");
    }
}

#[test]
fn a_network_of_parts_is_worth_their_sum() {
    let samples = samples(&games(1..12));
    let whole = train(random(2), &samples, &SETTINGS, |_| ());
    let [first, second] = [0, 1].map(|part| Network::new(vec![whole.parts[part].clone()]));
    let state = Alapo::start(&Rules::default());
    // Each is rounded to centipawns.
    let [first, second, whole] = [&first, &second, &whole].map(|network| network.evaluate(&state).1);
    assert!((whole - first - second).abs() <= 1);
    assert_ne!(first, second);
}

/// Positions with a few of three terms for either side, whose points are those that `worths` expect.
fn counted(worths: [f64; 3]) -> Vec<Sample> {
    let mut rng = Rng::new(8);
    let some = |rng: &mut Rng| (0..rng.below(5)).map(|_| rng.below(3) as u16).collect::<Vec<_>>();
    let sum = |terms: &[u16]| terms.iter().map(|&term| worths[usize::from(term)]).sum::<f64>();
    let sample = |_| {
        let inputs = [some(&mut rng), some(&mut rng)];
        let expected = 1.0 / (1.0 + (-(sum(&inputs[0]) - sum(&inputs[1])) / 400.0).exp());
        let outcome = if (rng.below(10_000) as f64) < expected * 10_000.0 { 1.0 } else { 0.0 };
        Sample { inputs, bucket: 0, classical: 0, score: 0, outcome }
    };
    (0..40_000).map(sample).collect()
}

#[test]
fn tuning_finds_the_worths_that_made_the_results() {
    let samples = counted([300.0, -80.0, 120.0]);
    let tuned = tune(&[100, 100, 100, 77], &samples, 60, 1.0, 400.0, |_, _| ());
    for (found, wanted) in tuned.terms.iter().zip([300, -80, 120, 77]) {
        assert!((found - wanted).abs() <= 12, "{:?}", tuned.terms);
    }
    assert!(tuned.after[0] < 0.9 * tuned.before[0] && tuned.after[1] < 0.9 * tuned.before[1], "{tuned:?}");
    assert_eq!(tune(&[100, 100, 100, 77], &samples, 60, 1.0, 400.0, |_, _| ()), tuned);
    assert_eq!(tune(&[100, -3], &[], 60, 1.0, 400.0, |_, _| ()).terms, [100, -3], "nothing to learn from");
}

#[test]
fn the_same_games_serve_terms_and_networks() {
    let (path, output) = (target("breakthrough.games"), target("breakthrough.network"));
    let [path, output] = [&path, &output].map(|path| path.to_str().unwrap());
    let played = carom(&["datagen", "-g", "breakthrough", "-n", "8", "--nodes", "30", "-o", path]);
    assert!(played.status.success());
    let tuned = carom(&["tune", "-g", "breakthrough", "--epochs", "3", path]);
    let text = String::from_utf8(tuned.stdout).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("    ")).count();
    assert!(tuned.status.success() && text.contains("error as it was") && rows == 6, "{text}");
    let refused = carom(&["tune", "-g", "chess", path]);
    let text = String::from_utf8(refused.stderr).unwrap();
    assert!(!refused.status.success() && text.contains("chess has no terms to tune"), "{text}");
    let learned = carom(&["train", "-g", "breakthrough", "--epochs", "1", "-o", output, path]);
    let text = String::from_utf8(learned.stderr).unwrap();
    assert_eq!(learned.status.success(), std::path::Path::new(output).exists(), "{text}");
}

fn carom(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carom")).args(arguments).output().unwrap()
}

fn target(name: &str) -> PathBuf {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&file);
    file
}

#[test]
fn positions_of_another_game_are_refused() {
    let (positions, network) = (target("alapo.samples"), target("of-another-game.network"));
    let (positions, network) = (positions.to_str().unwrap(), network.to_str().unwrap());
    let played = carom(&["datagen", "--game", "alapo", "-n", "2", "--nodes", "20", "-o", positions]);
    let games = read_games(&std::fs::read(positions).unwrap()).0;
    let count: usize = games.iter().map(PlayedGame::searches).sum();
    assert_eq!(String::from_utf8(played.stdout).unwrap(), format!("2 games of alapo, {count} positions\n"));
    let learned = carom(&["train", "--game", "rollerball", "-o", network, positions]);
    assert!(String::from_utf8(learned.stderr).unwrap().contains("games of alapo, not of rollerball"));
    assert!(!std::path::Path::new(network).exists());
    let learned = carom(&["train", "--game", "alapo", "--epochs", "1", "-o", network, positions]);
    assert!(learned.status.success());
    assert!(std::path::Path::new(network).exists());
}

#[test]
fn the_rules_asked_for_are_played() {
    let files = ["plain.samples", "ruled.samples"].map(target);
    let play = |file: &PathBuf, rule: &[&str]| {
        let words =
            ["datagen", "--game", "jai-alai", "-n", "1", "--nodes", "20", "-o", file.to_str().unwrap()];
        assert!(carom(&[&words[..], rule].concat()).status.success());
        std::fs::read(file).unwrap()
    };
    let wrong =
        carom(&["datagen", "--game", "alapo", "--rule", "no-such-rule", "-o", files[0].to_str().unwrap()]);
    assert!(!wrong.status.success());
    assert_ne!(play(&files[0], &[]), play(&files[1], &["--rule", "layout=alt-1"]));
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_games_after_those_that_have_begun_and_says_how_to_go_on() {
    use rustix::process::{Pid, Signal, kill_process};
    use std::process::{Command, Stdio};
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("interrupted.samples");
    let _ = std::fs::remove_file(&file);
    let mut datagen = Command::new(env!("CARGO_BIN_EXE_carom"));
    datagen.args(["datagen", "alapo", "--games", "1000000", "--nodes", "50", "--seed", "7", "-o"]).arg(&file);
    let datagen = datagen.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Games are being written.
    while std::fs::metadata(&file).map_or(0, |data| data.len()) == 0 {
        std::thread::yield_now();
    }
    kill_process(Pid::from_raw(datagen.id() as i32).unwrap(), Signal::INT).unwrap();
    let ended = datagen.wait_with_output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert_eq!((ended.status.code(), ended.stdout.as_slice()), (Some(1), &b""[..]), "{said}");
    let words: Vec<&str> = said.lines().last().unwrap().split_whitespace().collect();
    let ["carom:", "stopped", "after", games, "games", "of", "alapo,", positions, "positions;", rest @ ..] =
        &words[..]
    else {
        panic!("{said}")
    };
    let games: u64 = games.parse().unwrap();
    let on = format!("go on with --seed {} --games {}", 7 + games, 1_000_000 - games);
    assert_eq!(rest.join(" "), on);
    // Each game is whole.
    let (found, damaged) = read_games(&std::fs::read(&file).unwrap());
    let searches: usize = found.iter().map(PlayedGame::searches).sum();
    assert_eq!((searches.to_string().as_str(), damaged), (*positions, 0));
}

#[cfg(unix)]
#[test]
fn a_tuning_run_is_the_same_on_any_number_of_threads_and_when_it_was_interrupted() {
    use rustix::process::{Pid, Signal, kill_process};
    let run = |name: &str, threads: &str| {
        let file = target(name);
        let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
        command.args(["spsa", "alapo", file.to_str().unwrap(), "--iterations", "12", "--pairs", "2"]);
        command.args(["--nodes", "40", "--longest", "60", "--threads", threads]);
        (file, command)
    };
    let (file, mut command) = run("whole.spsa", "1");
    let said = String::from_utf8(command.output().unwrap().stdout).unwrap();
    assert!(said.lines().any(|line| line.starts_with("delta ") && line.ends_with("(was 200)")), "{said}");
    let whole = std::fs::read_to_string(&file).unwrap();
    assert!(whole.contains("\"done\": 12") && whole.contains("\"min_value\""), "{whole}");
    let (file, mut command) = run("threads.spsa", "2");
    assert!(command.output().unwrap().status.success());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), whole);

    let (file, mut command) = run("interrupted.spsa", "1");
    let begun =
        command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    while !file.exists() {
        std::thread::yield_now();
    }
    kill_process(Pid::from_raw(begun.id() as i32).unwrap(), Signal::INT).unwrap();
    let ended = begun.wait_with_output().unwrap();
    if !ended.status.success() {
        let said = String::from_utf8(ended.stderr).unwrap();
        assert!(said.contains("stopped after") && said.contains("the same command goes on"), "{said}");
        assert_ne!(std::fs::read_to_string(&file).unwrap(), whole);
    }
    assert!(command.status().unwrap().success());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), whole);

    // What was found is played against what there was; other settings are another run.
    let verified = command.args(["--verify", "3"]).stdout(std::process::Stdio::piped()).output().unwrap();
    let said = String::from_utf8(verified.stdout).unwrap();
    assert!(verified.status.success() && said.contains("over 6 games at 40 nodes"), "{said}");
    let refused = command.args(["--seed", "9"]).output().unwrap();
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(refused.status.code() == Some(2) && said.contains("begun with other settings"), "{said}");
}

#[test]
fn the_list_for_openbench_is_taken_back() {
    let listed = carom(&["spsa", "chess", "--list"]);
    let list = String::from_utf8(listed.stdout).unwrap();
    assert!(list.lines().any(|line| line == "singular, int, 6, 4, 12, 1, 0.002"), "{list}");
    let (parameters, file) = (target("some.list"), target("some.spsa"));
    let [path, run] = [&parameters, &file].map(|path| path.to_str().unwrap());
    let some: Vec<&str> =
        list.lines().filter(|line| line.starts_with("se") || line.starts_with("si")).collect();
    std::fs::write(&parameters, some.join("\n")).unwrap();
    let fixed = ["spsa", "chess", run, "-n", "1", "--pairs", "1", "--nodes", "20", "--longest", "8"];
    assert!(carom(&[&fixed[..], &["--parameters", path]].concat()).status.success());
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(text.matches("\"step\"").count(), some.len(), "{text}");
    std::fs::write(&parameters, "depth, int, 1, 1, 2, 1, 0.002").unwrap();
    std::fs::remove_file(&file).unwrap();
    let refused = carom(&[&fixed[..], &["--parameters", path]].concat());
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(refused.status.code() == Some(2) && said.contains("no number `depth`"), "{said}");
}
