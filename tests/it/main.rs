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
mod exchanged_hands;
// A shell keeps files short.
#[cfg(unix)]
mod full_disk;
mod fuzz;
mod fuzz_replay;
mod grammar_document;
mod hidden_matches;
mod hidden_protocols;
mod layers;
mod match_faults;
mod match_hostile;
mod match_merge;
mod match_records;
#[cfg(unix)]
mod match_signals;
mod match_words;
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
#[cfg(feature = "serve")]
mod serve_limits;
#[cfg(feature = "serve")]
mod serve_secrets;
mod sessions;
mod statistics;
#[cfg(target_os = "linux")]
mod strays;
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
