//! All integration tests: one program, so that the library is linked once. A game's own tests stand with the game, in
//! `src/variants/GAME/tests`.
#![allow(clippy::unwrap_used, missing_docs)]

/// What tests share: conversations, engines that follow a script, deals that a player cannot tell apart.
mod common {
    pub mod abnf;
    pub mod conversation;
    pub mod exchanged_hands;
    pub mod odd_engine;
    pub mod scripted_engine;
    pub mod transcript;
}

/// What holds in every game: counts, searches, levels, pictures.
mod games {
    mod perft;
    mod pictures;
    mod pieces;
    mod positions;
    mod proof;
    mod random_games;
    mod ranker;
    pub mod search;
    mod strength;
    mod tables;
    mod threads;
    mod training;
}

/// What is said over UCI and over the XBoard protocol, to Carom and through the bridge.
mod protocols {
    mod bad_input;
    #[cfg(unix)]
    mod bridge;
    mod comply;
    pub mod fuzz;
    mod fuzz_replay;
    pub mod hidden_cards;
    mod queries;
    mod sessions;
    mod transcripts;
    mod uci_states;
    mod xboard_states;
}

/// `carom match` and what is made from its records.
mod matches {
    pub mod faults;
    mod hidden_cards;
    mod hostile;
    mod merge;
    pub mod records;
    #[cfg(unix)]
    mod signals;
    mod statistics;
    #[cfg(target_os = "linux")]
    mod strays;
    mod words;
}

/// The other subcommands, and the page in the browser.
mod programs {
    mod build_script;
    mod command_line;
    // A shell keeps files short.
    #[cfg(unix)]
    mod full_disk;
    mod prove;
    #[cfg(feature = "serve")]
    pub mod serve;
    #[cfg(feature = "serve")]
    mod serve_friends;
    #[cfg(feature = "serve")]
    mod serve_limits;
    #[cfg(feature = "serve")]
    mod serve_secrets;
    mod terminal;
    mod upgrade;
    #[cfg(feature = "serve")]
    mod wires;
    mod xboard_install;
}

/// That the pages are true, and the plan of the house.
mod documents {
    mod circles;
    // What it runs are a shell's lines.
    #[cfg(unix)]
    mod examples;
    mod grammar;
    mod how_to_play;
    mod layers;
    mod notation;
    mod options;
    mod protocols;
}
