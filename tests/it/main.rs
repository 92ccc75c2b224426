//! All integration tests: one program, so that the library is linked once; a module a subject.
#![allow(clippy::unwrap_used, missing_docs)]

mod abnf;
mod alapo;
mod bad_input;
#[cfg(unix)]
mod bridge;
mod build_script;
mod command_line;
mod comply;
mod conversation;
// What it runs are a shell's lines.
#[cfg(unix)]
mod documents;
mod fuzz;
mod fuzz_replay;
mod grammar_document;
mod layers;
mod match_faults;
mod match_hostile;
mod match_records;
mod notation_document;
mod odd_engine;
mod options_document;
mod perft;
mod pictures;
mod pieces;
mod positions;
mod queries;
mod random_games;
mod reference_alapo;
mod reference_breakthrough;
mod reference_chess;
mod reference_hanniball;
mod reference_jai_alai;
mod reference_rollerball;
mod reference_wickets;
mod rollerball;
mod scripted_engine;
mod search;
#[cfg(feature = "serve")]
mod serve;
mod sessions;
mod statistics;
mod strength;
mod tables;
mod terminal;
mod threads;
mod training;
mod transcript;
mod transcripts;
mod uci_states;
mod wickets;
mod wickets_games;
mod xboard_install;
mod xboard_states;
