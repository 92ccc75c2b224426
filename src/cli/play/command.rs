//! The commands that can be typed besides turns.

use clap::ValueEnum;

/// A command.
#[derive(Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum Command {
    Help,
    /// The ways on from there.
    #[value(skip)]
    Ways(String),
    Undo,
    Hint,
    Resign,
    Draw,
    /// To the file of the command line when none is named.
    #[value(skip)]
    Save(Option<String>),
    /// The game of that number.
    #[value(skip)]
    Load(String, usize),
    New,
    Moves,
    #[value(alias = "position")]
    Fen,
    Flip,
    #[value(skip)]
    Level(String),
    #[value(alias = "exit")]
    Quit,
}

/// The names of the commands, for completion.
pub const WORDS: [&str; 13] = [
    "help", "undo", "hint", "resign", "draw", "save", "load", "new", "moves", "fen", "flip", "level", "quit",
];

pub const HELP: &[&str] = &[
    "A turn is typed as text: e2e4, e7e8q, T@f4. A turn of several steps is its legs",
    "with commas between: e1d2,c2c3. With a comma at the end it stays yours, and you",
    "see the board before you go on; . ends a turn that may go on. Tab completes.",
    "",
    "  ?              lists what may follow; e1d2,? what may follow that",
    "  undo           takes back your last step, and what was answered",
    "  hint           what the engine would play",
    "  draw, resign   offer a draw; give up",
    "  save FILE      writes the game as PGN, behind what stands in the file",
    "  load FILE [N]  goes on with game N of a file (the first)",
    "  new            begins again",
    "  moves, fen     all turns so far; the position as text",
    "  flip           turns the board round",
    "  level WORDS    beginner, casual, club, strong, full; or depth=6, nodes=20000,",
    "                 time=2 (seconds), elo=1500",
    "  quit           ends, as the end of input does (with --save, saved)",
    "",
    "Ctrl-C makes a thinking engine play at once.",
];

impl Command {
    /// The command on a line; `None` for what may be a turn.
    ///
    /// # Errors
    /// What is missing or superfluous.
    pub fn read(line: &str) -> Option<Result<Self, String>> {
        // The question mark may stand before or after the text.
        if let Some(text) = line.strip_prefix('?').or_else(|| line.strip_suffix('?')) {
            return Some(Ok(Self::Ways(text.trim().to_owned())));
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        Some(match word.to_ascii_lowercase().as_str() {
            "save" => Ok(Self::Save((!rest.is_empty()).then(|| rest.to_owned()))),
            "level" if rest.is_empty() => {
                Err("level: expected beginner, casual, club, strong, full, or elo=N, time=SECONDS…"
                    .to_owned())
            }
            "level" => Ok(Self::Level(rest.to_owned())),
            "load" => {
                let numbered = rest.rsplit_once(char::is_whitespace);
                let numbered = numbered.and_then(|(file, number)| Some((file.trim(), number.parse().ok()?)));
                let (file, number) = numbered.unwrap_or((rest, 1));
                if file.is_empty() {
                    Err("load: expected a file".to_owned())
                } else {
                    Ok(Self::Load(file.to_owned(), number))
                }
            }
            _ => match Self::from_str(word, true) {
                Ok(command) if rest.is_empty() => Ok(command),
                Ok(_) => Err(format!("`{word}` stands alone")),
                Err(_) => return None,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_a_command_and_turns_are_none() {
        for word in WORDS {
            assert!(Command::read(word).is_some(), "{word}");
            assert!(word == "help" || HELP.iter().any(|line| line.contains(word)), "{word}");
        }
        for turn in ["e2e4", "0000", ".", "=Th", "T@f4", "Nf3", "O-O", "d4", "e1d2,"] {
            assert_eq!(Command::read(turn), None, "{turn}");
        }
        assert_eq!(Command::read("? e1d2,"), Some(Ok(Command::Ways("e1d2,".into()))));
        assert_eq!(Command::read("e1d2,c?"), Some(Ok(Command::Ways("e1d2,c".into()))));
        assert!(HELP.iter().all(|line| line.len() < 80));
        assert_eq!(Command::read("load my games.pgn 3"), Some(Ok(Command::Load("my games.pgn".into(), 3))));
        assert_eq!(Command::read("LOAD a"), Some(Ok(Command::Load("a".into(), 1))));
        assert!(matches!(Command::read("undo 3"), Some(Err(_))));
        assert!(matches!(Command::read("load"), Some(Err(_))));
    }
}
