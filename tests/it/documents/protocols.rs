//! The pages of both protocols against the tables from which messages are read and written: no word is missing there, and
//! none stands there that nobody reads.
use carom::game::WinModel;
use carom::protocol::{uci, xboard};
use carom::variants;
use std::collections::{BTreeMap, BTreeSet};

const UCI: &str = include_str!("../../../protocol-docs/uci.md");
const STUDIES: &str = include_str!("../../../protocol-docs/studies.md");
const XBOARD: &str = include_str!("../../../protocol-docs/xboard.md");

/// The texts between backticks.
fn spans(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The first columns of the tables whose first heading is `heading`.
fn first_columns(page: &str, heading: &str) -> String {
    let head = format!("| {heading} |");
    let mut rows = String::new();
    for table in page.split("\n\n") {
        let mut lines = table.lines().skip_while(|line| !line.starts_with(&head));
        let cells = lines.by_ref().skip(2).filter_map(|line| line.split('|').nth(1));
        cells.for_each(|cell| rows.push_str(cell));
    }
    assert!(!rows.is_empty(), "no table {heading:?}");
    rows
}

/// The words with which the texts between backticks begin.
fn first_words(text: &str) -> BTreeSet<&str> {
    spans(text).filter_map(|span| span.split_ascii_whitespace().next()).collect()
}

/// All words of the texts between backticks, but for those that stand for something (`N`, `T…`).
fn keywords(text: &str) -> BTreeSet<&str> {
    let is_keyword = |word: &&str| word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    spans(text).flat_map(str::split_ascii_whitespace).filter(is_keyword).collect()
}

fn set<'a>(words: &[&'a str], more: &[&'a str]) -> BTreeSet<&'a str> {
    words.iter().chain(more).copied().collect()
}

/// What Carom reads from other engines and never sends.
fn only_read() -> &'static str {
    let (_, section) = UCI.split_once("it also understands what it does not send itself:").unwrap();
    section.split_once("Two rules differ").unwrap().0
}

#[test]
fn the_arguments_of_go_are_those_of_the_page() {
    let section = UCI.split_once("\n### go\n").unwrap().1;
    let mut page = String::new();
    for line in
        section.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'))
    {
        page.push_str(line.split('|').nth(1).unwrap());
        // UGI's words stand behind the meaning.
        page.push_str(line.split_once("In UGI ").map_or("", |(_, ugi)| ugi));
    }
    assert_eq!(keywords(&page), set(uci::Go::WORDS, &[]));
}

#[test]
fn the_arguments_of_info_are_those_of_the_page() {
    let sent = first_columns(UCI, "in `info`");
    let mut page = keywords(&sent);
    page.extend(keywords(only_read()).difference(&set(uci::Reply::WORDS, &[])));
    assert_eq!(page, set(uci::Info::WORDS, &[]));
}

#[test]
fn the_commands_are_those_of_the_pages() {
    let page = first_columns(UCI, "command");
    assert_eq!(first_words(&page), set(uci::Command::WORDS, &["setoption"]));
    let page = first_columns(XBOARD, "command");
    let ours = ["carom", "…"];
    let page: BTreeSet<_> = first_words(&page).into_iter().filter(|word| !ours.contains(word)).collect();
    assert_eq!(page, set(xboard::Command::WORDS, &["option"]));
}

#[test]
fn the_replies_are_those_of_the_pages() {
    let page = first_columns(UCI, "reply");
    let mut replies = first_words(&page);
    replies.extend(keywords(only_read()).difference(&set(uci::Info::WORDS, &[])));
    assert_eq!(replies, set(uci::Reply::WORDS, &["id", "option", "bestmove"]));
    let page = first_columns(XBOARD, "reply");
    let known =
        set(xboard::Reply::WORDS, &["offer", "Illegal", "Error", "tellusererror", "telluser", "tellothers"]);
    let results = ["1-0", "0-1", "1/2-1/2", "1"];
    let unknown: Vec<_> = first_words(&page)
        .into_iter()
        .filter(|word| !known.contains(word) && !results.contains(word))
        .collect();
    assert_eq!(unknown, [""; 0]);
    let everywhere = first_words(XBOARD);
    let silent: Vec<_> = xboard::Reply::WORDS.iter().filter(|word| !everywhere.contains(*word)).collect();
    assert_eq!(silent, [&""; 0], "the page does not say what these are");
}

/// The rows of the table below `heading`, cell by cell.
fn rows<'a>(page: &'a str, heading: &str) -> BTreeMap<&'a str, Vec<&'a str>> {
    let section = page.split_once(heading).unwrap().1;
    let lines = section.lines().skip_while(|line| !line.starts_with('|')).skip(2);
    lines
        .take_while(|line| line.starts_with('|'))
        .map(|line| {
            let mut cells = line.trim_matches('|').split('|').map(str::trim);
            (cells.next().unwrap(), cells.collect())
        })
        .collect()
}

#[test]
fn the_chances_of_a_score_are_those_of_the_pages() {
    let pages = [rows(UCI, "### Chances: UCI_ShowWDL"), rows(STUDIES, "### What a score promises")];
    for facts in variants::all() {
        let model = facts.win_model;
        assert_ne!(model, WinModel::UNFITTED, "{}", facts.name);
        assert_eq!(model.even == 0.0, !facts.draws, "{}", facts.name);
        let numbers = [model.even, model.spread].map(|number| format!("{number}"));
        for page in &pages {
            assert!(page[facts.name].ends_with(&numbers.each_ref().map(String::as_str)), "{}", facts.name);
        }
    }
}
