//! A game of two persons who each have a page: what each may do alone, and what both must agree to.

use super::message::Request;
use super::places::{Place, Proposal};
use super::view;
use super::web_game::{Outgoing, WebGame};
use crate::base::Color;
use crate::game::Actor;
use crate::live_game::{Command, Seat, Setup, Table};
use crate::session::chance::fresh_seed;
use serde_json::{Value, json};

/// The longest name of a person, in characters.
const LONGEST_NAME: usize = 24;

impl WebGame {
    /// True when each of two persons has a page.
    pub(super) fn is_for_two(&self) -> bool {
        self.keys.is_for_two()
    }

    /// Carries out a request of the person who plays `color` on a page of their own.
    ///
    /// # Errors
    /// Why it cannot be carried out. Nothing has changed then.
    pub(super) fn handle_seat(
        &mut self,
        request: Request,
        color: Color,
        outgoing: &mut Vec<Outgoing>,
    ) -> Result<Option<Value>, String> {
        match request {
            Request::Play { .. } if self.keys.has_free_seat() => {
                return Err("the other seat is free yet: send its link to a friend".into());
            }
            Request::Play { .. } if !self.may_decide(Place::Sits(color)) => {
                return Err("it is not your turn".into());
            }
            Request::Play { word, at } => {
                self.play(&word, at)?;
                self.proposal = None;
            }
            Request::Resign {} => {
                self.tell(Command::ResignAs(color))?;
                self.proposal = None;
            }
            Request::Name { name } => self.set_name(color, &name)?,
            Request::Draw {} => self.propose(Proposal::Draw, color)?,
            Request::Undo {} => self.propose(Proposal::Undo, color)?,
            Request::Rematch {} => self.propose(Proposal::Rematch, color)?,
            Request::Answer { yes } => {
                let asked = self.proposal.filter(|&(_, by)| by != color);
                let (what, by) = asked.ok_or("nothing is asked of you")?;
                if yes {
                    self.agree(what, by)?;
                } else {
                    self.proposal = None;
                    outgoing.push(Outgoing::Players(
                        json!({"type": "declined", "what": what, "by": view::word(by)}),
                    ));
                }
            }
            _ => return Err("in a game with a friend that is not for one of you alone".into()),
        }
        outgoing.push(Outgoing::State);
        Ok(None)
    }

    /// Asks the other person, or agrees with what the other person has asked.
    fn propose(&mut self, what: Proposal, by: Color) -> Result<(), String> {
        if self.proposal == Some((what, !by)) {
            return self.agree(what, !by);
        }
        if self.keys.has_free_seat() {
            return Err("nobody is there yet who could agree".into());
        }
        let over = self.table.ending().is_some();
        match what {
            Proposal::Rematch if !over => return Err("the game is not over".into()),
            Proposal::Draw => drop(self.tell(Command::OfferDraw)?),
            Proposal::Undo if over => return Err("the game is over".into()),
            Proposal::Undo if !self.has_decided(by) => return Err("there is nothing to take back".into()),
            Proposal::Undo | Proposal::Rematch => {}
        }
        self.proposal = Some((what, by));
        Ok(())
    }

    fn has_decided(&self, color: Color) -> bool {
        self.table.played().has_decided(Actor::Player(color))
    }

    /// Does what both agree to.
    fn agree(&mut self, what: Proposal, by: Color) -> Result<(), String> {
        match what {
            Proposal::Draw => {
                self.tell(Command::OfferDraw)?;
                self.tell(Command::AnswerDraw(true))?;
            }
            Proposal::Undo => {
                self.tell(Command::UndoOf(by))?;
                self.went_back();
            }
            Proposal::Rematch => self.rematch()?,
        }
        self.proposal = None;
        Ok(())
    }

    /// The same game once more, with the sides exchanged.
    fn rematch(&mut self) -> Result<(), String> {
        let session = self.table.session();
        let setup = Setup {
            facts: session.facts(),
            rules: session.rules().clone(),
            position: self.started.as_deref(),
            seed: fresh_seed(),
            rolls: false,
            seats: [Seat::Person; 2],
            control: self.table.clocks().control(),
        };
        let level = self.table.level;
        self.table = Table::new(setup, self.now()).map_err(|refusal| refusal.to_string())?;
        self.table.level = level;
        self.table.set_apart();
        self.keys.exchange();
        self.names.swap(0, 1);
        self.anew();
        self.exchanged = true;
        Ok(())
    }

    /// A person on a page of their own says a name.
    pub(super) fn set_name(&mut self, color: Color, name: &str) -> Result<(), String> {
        let name = name.trim();
        if name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
            return Err(format!("name: expected {LONGEST_NAME} characters at most"));
        }
        self.names[color.index()] = (!name.is_empty()).then(|| name.to_owned());
        let names =
            Color::ALL.map(|color| self.names[color.index()].clone().unwrap_or_else(|| "Player".to_owned()));
        self.table.set_names(names);
        Ok(())
    }

    /// Which persons' pages are there now, White's first. The clock begins when both have come.
    /// True where there are such pages.
    pub fn seated(&mut self, present: [bool; 2]) -> bool {
        self.present = present;
        if self.awaited && !self.keys.has_free_seat() {
            self.awaited = false;
            self.table.start_clock(self.now());
        }
        self.is_for_two()
    }
}
