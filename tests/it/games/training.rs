//! `carom datagen`, `carom train` and `carom tune`: what is played and learned is the same every time, and learning learns.
use carom::base::Rng;
use carom::game::network::Network;
use carom::game::{Evaluation, Notation, Rules};
use carom::search::TranspositionTable;
use carom::training::datagen::play_game;
use carom::training::fit::Fit;
use carom::training::sample::{self, Sample};
use carom::training::self_play::SelfPlaySettings;
use carom::training::train::{Step, TrainSettings, train};
use carom::training::tune::tune;
use carom::variants::alapo;
use std::path::PathBuf;
use std::process::{Command, Output};

type Alapo = alapo::Standard;

fn games(seeds: std::ops::Range<u64>) -> Vec<u8> {
    let settings = SelfPlaySettings { nodes: 50, random_turns: 6, longest: 120, stray: 50 };
    let table = TranspositionTable::new(1).unwrap();
    let rules = Rules::of(Alapo::GAMES[0]);
    let mut out = Vec::new();
    for seed in seeds {
        play_game::<Alapo>(&rules, seed, &settings, &table, Sample::new, &mut out);
    }
    out
}

fn samples(mut bytes: &[u8]) -> Vec<Sample> {
    std::iter::from_fn(|| {
        let (sample, rest) = Sample::read(bytes)?;
        bytes = rest;
        Some(sample)
    })
    .collect()
}

#[test]
fn the_same_seed_plays_the_same_game() {
    let both = games(3..5);
    assert_eq!(both, games(3..5));
    // Whatever was played before.
    assert_eq!(both, [games(3..4), games(4..5)].concat());
    assert_ne!(games(3..4), games(4..5));
}

#[test]
fn samples_are_read_as_they_were_written() {
    let bytes = games(1..3);
    let all = samples(&bytes);
    let mut again = Vec::new();
    all.iter().for_each(|sample| sample.write(&mut again));
    assert!(all.len() > 20);
    assert_eq!(bytes, again);
    assert_eq!(samples(&bytes[..bytes.len() - 1]).len(), all.len() - 1, "the last one broken off");
    assert!(all.iter().all(|sample| sample.points <= 2));
    assert!(all.iter().any(|sample| sample.points == 2), "somebody wins");
}

#[test]
fn learning_makes_the_error_smaller_and_the_same_seed_learns_the_same() {
    let samples = samples(&games(1..12));
    let learn = |seed, parts| {
        let settings =
            TrainSettings { epochs: 8, batch: 64, rate: 0.004, result: 0.0, k: 400.0, seed, parts };
        let mut errors = Vec::new();
        let network = train((Alapo::INPUTS, Alapo::BUCKETS), &samples, &settings, |step| {
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

/// Whatever happens to a file, nothing is learned that was not written, and what is lost is counted.
#[test]
fn damaged_games_are_left_out_and_counted() {
    let each: Vec<Vec<u8>> = (1..5).map(|seed| games(seed..seed + 1)).collect();
    let blocks: Vec<Vec<u8>> = each.iter().map(|game| [&sample::head(game), &game[..]].concat()).collect();
    let of = |games: &[usize]| games.iter().flat_map(|&game| samples(&each[game])).collect::<Vec<_>>();
    let file = blocks[1..].concat();
    assert_eq!(sample::read_file(&file), (of(&[1, 2, 3]), 0));
    assert_eq!(
        sample::read_file(&[&each[0], &file[..]].concat()),
        (of(&[0, 1, 2, 3]), 0),
        "an old file goes on"
    );
    assert_eq!(sample::read_file(&each[0]), (of(&[0]), 0));
    assert_eq!(sample::read_file(&[]), (vec![], 0));
    // One game broke off, and others were added behind it.
    let cut = [&blocks[1], &blocks[2][..blocks[2].len() - 9], &blocks[3]].concat();
    assert_eq!(sample::read_file(&cut), (of(&[1, 3]), 1));
    assert_eq!(sample::read_file(&file[..file.len() - 1]), (of(&[1, 2]), 1));
    let mut rng = Rng::new(9);
    let (begin, end) = (blocks[1].len(), blocks[1].len() + blocks[2].len());
    let some: Vec<_> = (0..300).map(|_| begin + rng.below(end - begin)).collect();
    for place in (begin..begin + 24).chain(some) {
        let mut changed = file.clone();
        changed[place] ^= 1 << rng.below(8);
        assert_eq!(sample::read_file(&changed), (of(&[1, 3]), 1), "byte {place}");
    }
    // Where the first head is damaged, what follows is no position of any game.
    for place in 0..16 {
        let mut changed = file.clone();
        changed[place] ^= 1 << rng.below(8);
        let path = target("damaged.samples");
        std::fs::write(&path, &changed).unwrap();
        let output = target("damaged.network");
        let learned =
            carom(&["train", "-g", "alapo", "-o", output.to_str().unwrap(), path.to_str().unwrap()]);
        assert!(!learned.status.success() && !output.exists(), "byte {place}: {learned:?}");
    }
}

#[test]
fn what_cannot_be_learned_from_is_refused_with_the_reason() {
    let path = target("half.samples");
    let game = games(1..2);
    std::fs::write(&path, [&sample::head(&game), &game[..game.len() - 1]].concat()).unwrap();
    let output = target("half.network");
    let train = |samples: &str| {
        carom(&["train", "-g", "alapo", "--epochs", "1", "-o", output.to_str().unwrap(), samples])
    };
    let said = String::from_utf8(train(path.to_str().unwrap()).stderr).unwrap();
    assert!(said.contains("damaged or break off: 1 games"), "{said}");
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
    std::fs::write(&path, games(1..12)).unwrap();
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
    let exact = Fit::of(&samples(&games(1..12))).unwrap().k;
    assert_eq!(k, format!("{exact:.0}"));
    assert!(fitted.is_some());
    assert_eq!(train(&["--k", &exact.to_string()], "same.network").1, fitted);
    assert_ne!(train(&["--k", "30"], "other.network").1, fitted);
    assert_eq!(train(&["--k", "0"], "none.network").1, None);
}

#[test]
fn a_network_of_parts_is_worth_their_sum() {
    let samples = samples(&games(1..12));
    let settings =
        TrainSettings { epochs: 8, batch: 64, rate: 0.004, result: 0.0, k: 400.0, seed: 1, parts: 2 };
    let whole = train((Alapo::INPUTS, Alapo::BUCKETS), &samples, &settings, |_| ());
    let [first, second] = [0, 1].map(|part| Network { parts: vec![whole.parts[part].clone()] });
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
        let points = if (rng.below(10_000) as f64) < expected * 10_000.0 { 2 } else { 0 };
        Sample { inputs, bucket: 0, classical: 0, score: 0, points }
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
fn a_game_with_terms_is_tuned_from_samples_that_name_them() {
    let [terms, inputs] = ["breakthrough.terms", "breakthrough.samples"].map(target);
    let [terms, inputs] = [&terms, &inputs].map(|path| path.to_str().unwrap());
    let play = |game: &str, options: &[&str], file: &str| {
        let fixed = ["datagen", "-g", game, "-n", "8", "--nodes", "30", "-o", file];
        carom(&[&fixed, options].concat())
    };
    assert!(play("breakthrough", &["--terms"], terms).status.success());
    assert!(play("breakthrough", &[], inputs).status.success());
    let tuned = carom(&["tune", "-g", "breakthrough", "--epochs", "3", terms]);
    let text = String::from_utf8(tuned.stdout).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("    ")).count();
    assert!(tuned.status.success() && text.contains("error as it was") && rows == 6, "{text}");
    let says = |refused: Output, what: &str| {
        let text = String::from_utf8(refused.stderr).unwrap();
        assert!(!refused.status.success() && text.contains(what), "{text}");
    };
    says(carom(&["tune", "-g", "breakthrough", inputs]), "datagen --terms");
    says(carom(&["tune", "-g", "chess", terms]), "chess has no terms to tune");
    says(play("chess", &["--terms"], terms), "chess has no terms to tune");
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
    let count = sample::read_file(&std::fs::read(positions).unwrap()).0.len();
    assert_eq!(String::from_utf8(played.stdout).unwrap(), format!("2 games of alapo, {count} positions\n"));
    let learned = carom(&["train", "--game", "rollerball", "-o", network, positions]);
    assert!(String::from_utf8(learned.stderr).unwrap().contains("of another game"));
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
    let (found, damaged) = sample::read_file(&std::fs::read(&file).unwrap());
    assert_eq!((found.len().to_string().as_str(), damaged), (*positions, 0));
}
