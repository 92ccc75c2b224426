//! `carom prove`: goes on where it was ended, joins what was proved in parts, and believes no file.
use std::path::Path;
use std::process::{Command, Output};

/// Rook, bishop and pawn more: White wins.
const POSITION: &str = "2r4/2k4/2***2/2***2/2***2/2K1R2/2BRP2 w - 0 1";

fn carom(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carom")).arg("prove").args(words).output().unwrap()
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The exit code, and what was said on standard error.
fn refused(words: &[&str]) -> (Option<i32>, String) {
    let output = carom(words);
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

fn prove(file: &Path, more: &[&str]) -> String {
    prove_after(file, "4", more)
}

fn prove_after(file: &Path, plies: &str, more: &[&str]) -> String {
    let file = file.to_str().unwrap();
    let words =
        ["rollerball", "--position", POSITION, "--plies", plies, "--nodes", "400", "--choose", "1000"];
    stdout(&carom(&[&words[..], &["--hash", "8", "-o", file], more].concat()))
}

fn verify(files: &[&Path]) -> Result<String, String> {
    let files: Vec<&str> = files.iter().map(|file| file.to_str().unwrap()).collect();
    let output = carom(&[&["--verify"], &files[..]].concat());
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

#[test]
fn a_proof_goes_on_where_it_was_ended() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole.proof");
    let said = prove(&whole, &[]);
    assert!(said.contains("\nproved: White wins within "), "{said}");
    assert!(said.starts_with("400 searched for each: after 2 plies ") && said.lines().count() > 2, "{said}");
    let bytes = std::fs::read(&whole).unwrap();
    // Ended after a round, and then in the middle of any line.
    let part = folder.path().join("part.proof");
    prove(&part, &["--most", "400"]);
    assert!(std::fs::read(&part).unwrap().len() < bytes.len());
    let after_a_round = std::fs::read(&part).unwrap();
    assert!(bytes.starts_with(&after_a_round));
    assert!(prove(&part, &[]).contains("proved: White wins within "));
    assert!(std::fs::read(&part).unwrap().starts_with(&after_a_round));
    let head = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    for number in 0..8 {
        let cut = head + (bytes.len() - head) * number / 8 + number;
        std::fs::write(&part, &bytes[..cut]).unwrap();
        verify(&[&part]).unwrap();
        let said = prove(&part, &[]);
        assert!(said.contains("proved: White wins within "), "cut off after {cut} bytes: {said}");
        assert_eq!(verify(&[&part]).unwrap().lines().last(), said.lines().last());
    }
    // Nothing is left to do.
    assert!(prove(&whole, &[]).contains("proved: White wins within "));
    assert!(std::fs::read(&whole).unwrap() == bytes);
    let checked = verify(&[&whole]).unwrap();
    let (steps, rest) = checked.split_once(" steps checked by the rules of rollerball\n").unwrap();
    assert!(steps.parse::<usize>().unwrap() > 50, "{checked}");
    assert_eq!(rest.lines().last(), said.lines().last());
}

/// With fewer plies a file goes on with earlier positions, and what only led there is looked at no more.
#[test]
fn earlier_positions_need_no_later_ones_once_they_are_proved() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.proof");
    let said = prove(&file, &["--most", "400"]);
    assert!(said.ends_with("open: it is not proved that White wins\n"), "{said}");
    assert!(prove_after(&file, "0", &[]).contains("proved: White wins within "));
    let bytes = std::fs::read(&file).unwrap();
    // Neither is anything proved there, nor is anything chosen further on.
    for plies in ["4", "8"] {
        let said = prove_after(&file, plies, &[]);
        assert!(said.contains("proved: White wins within "), "{said}");
        assert!(std::fs::read(&file).unwrap() == bytes);
    }
}

#[test]
fn parts_that_were_proved_apart_are_joined() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (one, other, joined) = (at("one.proof"), at("other.proof"), at("joined.proof"));
    for (file, shard) in [(&one, "1/2"), (&other, "2/2")] {
        let said = prove(file, &["--shard", shard]);
        assert!(said.ends_with("open: it is not proved that White wins\n"), "{said}");
        assert!(verify(&[file]).unwrap().ends_with("open: it is not proved that White wins\n"));
    }
    let both = verify(&[&one, &other]).unwrap();
    assert!(both.contains("\nproved: White wins within "), "{both}");
    let [one, other, whole] = [&one, &other, &joined].map(|path| path.to_str().unwrap());
    let said = stdout(&carom(&["--merge", one, other, "-o", whole]));
    assert!(said.contains(" proofs in "), "{said}");
    assert_eq!(verify(&[&joined]).unwrap(), both);
    // What is joined goes on like any other.
    assert!(prove(&joined, &[]).contains("proved: White wins within "));
    // Files of different proofs are not joined.
    let chess = at("chess.proof");
    let chess = chess.to_str().unwrap();
    stdout(&carom(&["chess", "--position", "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", "--plies", "0", "-o", chess]));
    let (code, told) = refused(&["--merge", one, chess, "-o", whole]);
    assert!(code == Some(2) && told.contains("does not belong to a proof of"), "{told}");
}

#[test]
fn a_forged_proof_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.proof");
    prove(&file, &[]);
    let text = std::fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let steps: Vec<usize> = (0..lines.len()).filter(|&line| lines[line].starts_with("step\t")).collect();
    let with = |line: usize, new: Option<&str>| {
        let changed = lines.iter().enumerate().filter_map(
            |(number, own)| {
                if number == line { new } else { Some(*own) }
            },
        );
        let text: String = changed.flat_map(|line| [line, "\n"]).collect();
        std::fs::write(&file, text).unwrap();
        verify(&[&file])
    };
    let (mut missing, mut shorter, mut other) = (0, 0, 0);
    for &line in steps.iter().step_by(7) {
        let fields: Vec<&str> = lines[line].split('\t').collect();
        let [_, distance, turn, position] = fields[..] else { panic!("{}", lines[line]) };
        // A reply that is not answered.
        missing += usize::from(with(line, None).is_err());
        // A distance that does not fall: the game could go round in a circle.
        let distance: u32 = distance.parse().unwrap();
        shorter += usize::from(with(line, Some(&format!("step\t1\t{turn}\t{position}"))).is_err());
        // Another decision: of all there are, some do not win so soon.
        let legal = Command::new(env!("CARGO_BIN_EXE_carom"))
            .args(["perft", "rollerball", "--divide", "--depth", "1", "--position", position])
            .output()
            .unwrap();
        let legal = stdout(&legal);
        let turns = legal.lines().filter_map(|line| line.split_once(' ')).map(|(turn, _)| turn);
        let mut others = turns.filter(|own| *own != turn);
        other += usize::from(
            others.any(|own| with(line, Some(&format!("step\t{distance}\t{own}\t{position}"))).is_err()),
        );
    }
    let tried = steps.iter().step_by(7).count();
    assert!(
        tried > 5 && shorter == tried && other == tried && missing > tried / 2,
        "{tried} {missing} {shorter} {other}"
    );
    // What nobody has proved.
    let claim = "won\t7/2k4/2***2/2***2/2***2/4K2/7 w - 0 1";
    let told = with(steps[0], Some(&format!("{claim}\n{}", lines[steps[0]]))).unwrap_err();
    assert!(told.contains("nothing shows that it is won"), "{told}");
    for (line, fault) in [
        ("step\t5\ta1a9\t7/2k4/2***2/2***2/2***2/4K2/7 w - 0 1", "line"),
        ("step\tmany\td2d1\t7/2k4/2***2/2***2/2***2/4K2/7 w - 0 1", "is no number"),
        ("proved", "it is no line of a proof"),
    ] {
        let told = with(1, Some(line)).unwrap_err();
        assert!(told.contains(fault), "{told}");
    }
    let told = with(0, Some("Carom's proof 2\trollerball\tWhite\tx")).unwrap_err();
    assert!(told.contains("it is no proof of this program"), "{told}");
}

#[test]
fn either_side_can_be_the_one_that_wins_and_may_decide_second() {
    let folder = tempfile::tempdir().unwrap();
    for (number, (position, side, said)) in [
        ("k6/2K4/2***2/2***2/2***2/7/7 b k 0 1", "black", "proved: Black wins within "),
        ("7/2k4/2***2/2***2/2***2/2K1R2/3R3 b - 0 1", "white", "proved: White wins within "),
        ("7/7/2***2/2***2/2***2/4k2/6K b K 0 1", "black", "Black cannot force a win"),
    ]
    .into_iter()
    .enumerate()
    {
        let file = folder.path().join(format!("{number}.proof"));
        let words = ["rollerball", "--position", position, "--for", side, "--plies", "3", "-o"];
        let told = stdout(&carom(&[&words[..], &[file.to_str().unwrap()]].concat()));
        let last = told.lines().last().unwrap();
        assert!(last.starts_with(said), "{told}");
        let checked = verify(&[&file]).unwrap();
        assert_eq!(checked.lines().last() == Some(last), last.starts_with("proved"), "{checked}");
    }
}

#[test]
fn what_cannot_be_proved_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.proof");
    let file = file.to_str().unwrap();
    for game in ["hanniball", "dice-chess", "wickets-cards"] {
        let (code, told) = refused(&[game, "-o", file]);
        assert!(code == Some(2) && told.contains("can be proved"), "{game}: {told}");
    }
    let (code, told) = refused(&["rollerball"]);
    assert!(code == Some(2) && told.contains("-o FILE"), "{told}");
    let (code, told) = refused(&["rollerball", "--shard", "3/2", "-o", file]);
    assert!(code == Some(2) && told.contains("I from 1 to N"), "{told}");
    prove(Path::new(file), &["--most", "400"]);
    let (code, told) = refused(&["rollerball", "-o", file]);
    assert!(code == Some(2) && told.contains("it proves something else"), "{told}");
    let before = std::fs::read(file).unwrap();
    assert_eq!(refused(&["--verify", "nowhere.proof"]).0, Some(2));
    assert_eq!(std::fs::read(file).unwrap(), before);
}

#[test]
fn a_small_game_is_solved_and_its_steps_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.proof");
    let file = path.to_str().unwrap();
    let words = ["breakthrough", "--rule", "board-size=4x4", "--shortest", "--hash", "16"];
    let said = stdout(&carom(&[&words[..], &["-o", file]].concat()));
    assert!(
        said.starts_with("White does not win within 1 ply\nBlack does not win within 2 plies\n"),
        "{said}"
    );
    assert!(
        said.ends_with("White does not win within 13 plies\nBlack wins within 14 plies, and not sooner\n"),
        "{said}"
    );
    let checked = verify(&[&path]).unwrap();
    assert!(checked.ends_with("\nproved: Black wins within 14 plies\n"), "{checked}");
    // What is there is not written over.
    let (code, fault) = refused(&[&words[..], &["-o", file]].concat());
    assert!(code == Some(2) && fault.contains("it is there already"), "{code:?}: {fault}");
    // One side alone, without a file, and with an end.
    let said = stdout(&carom(&[&words[..], &["--for", "black"]].concat()));
    assert!(
        said.starts_with("Black does not win within 2 plies\nBlack does not win within 4 plies\n"),
        "{said}"
    );
    assert!(said.ends_with("Black wins within 14 plies, and not sooner\n"), "{said}");
    let said = stdout(&carom(&[&words[..], &["--most", "500"]].concat()));
    assert!(said.ends_with("open: it takes more than 500 positions\n"), "{said}");
}
