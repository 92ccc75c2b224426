//! What XBoard must be told for a game: as a settings file, as a line of its list of engines, as a plug-in.

use super::files::MARK;
use crate::game::Facts;
use std::path::{Path, PathBuf};

/// Where things are.
pub struct Place {
    /// The program.
    pub carom: PathBuf,
    /// The folder with a folder of pictures for each game.
    pub pieces: PathBuf,
}

/// What a small screen (1366x768) has for a window and its frame.
const HEIGHT: u32 = 720;
const WIDTH: u32 = 1366;

/// The columns and rows that XBoard draws. A hand takes two columns on either side.
fn drawn(facts: &Facts) -> (u32, u32) {
    (u32::from(facts.files) + if facts.hand > 0 { 4 } else { 0 }, u32::from(facts.ranks))
}

/// The width of the window that XBoard opens with when it is told `size`: it is made for 8x8 squares, before XBoard knows the
/// game, and the board is made to fit into that width.
const fn board_width(size: u32) -> u32 {
    8 * size + size / 2
}

/// The largest size that XBoard can be told for a board to fit.
fn best_size(facts: &Facts) -> u32 {
    let (files, ranks) = drawn(facts);
    // Menu, clocks and message.
    let fits = |height: u32| height + 76 <= HEIGHT;
    let good = |&size: &u32| fits(board_width(size) * ranks / files) && fits(board_width(size));
    (20..=80).rev().find(good).unwrap_or(20)
}

/// What a game cannot be played without.
fn needs(facts: &Facts, place: &Place) -> Vec<(&'static str, String)> {
    let own = facts.xboard.setup.is_some();
    let said = |on: bool| on.to_string();
    // Who played another game of ours before gets XBoard's own ways back for chess.
    let pieces = if own { path(&place.pieces.join(facts.name)) } else { String::new() };
    let variant = if facts.aliases.contains(&"normal") { "normal" } else { facts.name };
    let mut needs = vec![
        ("variant", variant.to_owned()),
        ("testLegality", said(!own)),
        ("pid", format!("\"{pieces}\"")),
        ("trueColors", said(own)),
        ("showTargetSquares", said(true)),
        ("sweepPromotions", said(true)),
    ];
    if own {
        needs.extend([("repeatsToDraw", "0".to_owned()), ("ruleMoves", "0".to_owned())]);
    }
    needs
}

/// The settings file of a game; XBoard keeps what its user changes in the file `kept`.
pub fn file(facts: &Facts, place: &Place, kept: &Path) -> String {
    let size = best_size(facts);
    let beside = board_width(size) + 24;
    let output = (WIDTH - 40).saturating_sub(beside).clamp(420, 820);
    let looks = [
        ("size", size.to_string()),
        // Or XBoard may squeeze a high board into the height of a square one.
        ("fixedSize", "true".into()),
        ("showCoords", "true".into()),
        ("useBoardTexture", "false".into()),
        ("lightSquareColor", "#f0d9b5".into()),
        ("darkSquareColor", "#b58863".into()),
        // On a narrow board the line with the last move and what may be done next needs the room of the buttons.
        ("showButtonBar", (size > 60).to_string()),
        ("engineOutputUp", "true".into()),
        ("engineOutputX", beside.to_string()),
        ("engineOutputY", "0".into()),
        ("engineOutputW", output.to_string()),
        ("engineOutputH", "260".into()),
        ("showThinking", "true".into()),
        ("hideThinkingFromHuman", "false".into()),
        ("animateMoving", "true".into()),
        // A turn of ours may be a dozen plies: they shall be seen.
        ("animateSpeed", "50".into()),
        ("highlightLastMove", "true".into()),
        ("highlightMoveWithArrow", "true".into()),
        ("autoComment", "true".into()),
        ("autoDisplayComment", "true".into()),
        ("popupMoveErrors", "false".into()),
        ("startupMessage", "\"\"".into()),
    ];
    let engine = engine(place);
    let kept = path(kept);
    let mut text = format!(
        "; {title}: start it with `xboard @{name}`\n; {MARK}, which replaces this file; what you change in XBoard is kept in\n; {kept}\n",
        title = facts.title,
        name = facts.name,
    );
    let line = |(name, value): (&str, String)| format!("-{name} {value}\n");
    text.extend(looks.map(line));
    text.extend(["settingsFile", "saveSettingsFile"].map(|name| line((name, format!("\"{kept}\"")))));
    text.extend([line(("fcp", engine.clone())), line(("scp", engine))]);
    text.extend(needs(facts, place).into_iter().map(line));
    text
}

/// What an entry of a list of engines says of a game, the size of its board included.
fn listed(facts: &Facts, place: &Place) -> String {
    let own = facts.xboard.setup.is_some();
    let size = own.then(|| ("size", best_size(facts).to_string()));
    let window = size.into_iter().chain([("fixedSize", own.to_string())]);
    needs(facts, place).into_iter().chain(window).map(|(name, value)| format!(" -{name} {value}")).collect()
}

/// A line of XBoard's list of engines.
pub fn engine_line(facts: &Facts, place: &Place) -> String {
    let needs = listed(facts, place);
    // XBoard's list is narrow: full titles would look alike in it.
    format!("\"Carom {}\" -fcp {}{needs}", facts.name, engine(place))
}

/// A plug-in file, which XBoard looks for by itself. What stands behind the folder of a plug-in is copied as options.
pub fn plugin(facts: &Facts, place: &Place) -> String {
    let needs = listed(facts, place);
    let folder = place.carom.parent().map(path).unwrap_or_default();
    let program = place.carom.file_name().map(|name| path(Path::new(name))).unwrap_or_default();
    let kind = if facts.xboard.setup.is_some() { "fairychess" } else { "chess" };
    format!("plugin spec 0.0\ncd {folder}{needs};./{program}\n{kind}\n; {MARK}\n")
}

/// The command of the engine, for XBoard to cut into words.
fn engine(place: &Place) -> String {
    let path = path(&place.carom);
    if path.contains(char::is_whitespace) { format!("\"'{path}'\"") } else { format!("\"{path}\"") }
}

/// A path as XBoard reads it between quotes.
fn path(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants;

    fn place() -> Place {
        Place { carom: "/opt/carom".into(), pieces: "/home/a b/pieces".into() }
    }

    #[test]
    fn every_game_fits_on_a_small_screen() {
        for facts in variants::all() {
            let ((files, ranks), width) = (drawn(facts), board_width(best_size(facts)));
            assert!(width / files >= 40 && width * ranks / files < 650, "{}: {width}", facts.name);
        }
    }

    #[test]
    fn what_a_game_needs_comes_behind_what_its_user_has_changed() {
        let facts = variants::find("hanniball").unwrap();
        let text = file(facts, &place(), Path::new("/tmp/kept"));
        let at = |word: &str| text.find(word).unwrap_or_else(|| panic!("no {word} in {text}"));
        assert!(at("\n-size 45\n") < at("\n-settingsFile \"/tmp/kept\"\n"));
        for need in [
            "-variant hanniball",
            "-testLegality false",
            "-pid \"/home/a b/pieces/hanniball\"",
            "-fcp \"/opt/carom\"",
        ] {
            assert!(at(&format!("\n{need}\n")) > at("-saveSettingsFile"), "{need}");
        }
    }

    #[test]
    fn chess_gets_back_what_other_games_have_changed() {
        let line = engine_line(variants::find("chess").unwrap(), &place());
        assert!(line.ends_with(
            "-variant normal -testLegality true -pid \"\" -trueColors false -showTargetSquares true -sweepPromotions true -fixedSize false"
        ), "{line}");
    }
}
