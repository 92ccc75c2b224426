//! The front end of USI and UCCI: that of UCI behind a translator.

use super::Uci;
use crate::engine::options::is_registered;
use crate::engine::{Engine, Frontend, Replies, SearchEvent};
use crate::protocol::uci::{Dialect, Translator};
use crossbeam_channel::Receiver;
use std::ops::ControlFlow;
use std::time::Instant;

/// The dialect for which a conversation is begun by `line`, if that is one that needs a translator.
pub fn asked_for(line: &str) -> Option<Dialect> {
    match line.trim() {
        "usi" => Some(Dialect::Usi),
        "ucci" => Some(Dialect::Ucci),
        _ => None,
    }
}

/// A conversation in a dialect about the games of `engine`, in which nothing has been read yet.
pub fn front(dialect: Dialect, engine: Engine) -> Box<dyn Frontend> {
    match Translator::new(dialect) {
        Some(translator) => Box::new(Translated::new(translator, dialect, engine)),
        None => Box::new(Uci::new(engine)),
    }
}

/// A conversation in USI or UCCI.
pub struct Translated {
    inner: Uci,
    dialect: Dialect,
    translator: Translator,
    out: Replies,
}

impl Translated {
    /// A conversation about the games of `engine`, in the dialect of the translator.
    #[must_use]
    pub fn new(mut translator: Translator, dialect: Dialect, engine: Engine) -> Self {
        // Of games that are not ours the size is not always known.
        let facts = engine.session().facts();
        if is_registered(facts) {
            translator.set_size(facts.files.into(), facts.ranks.into());
        }
        Self { inner: Uci::new(engine), dialect, translator, out: Replies::default() }
    }
}

impl Frontend for Translated {
    fn line(&mut self, line: &str, when: Instant) -> ControlFlow<()> {
        if self.dialect == Dialect::Usi && line.trim_start().starts_with("go mate") {
            // A search for mate by checks alone, which is another question than UCI's.
            self.out.say("checkmate notimplemented");
            return ControlFlow::Continue(());
        }
        let text = self.translator.command_to_uci(line);
        if text.is_empty() { ControlFlow::Continue(()) } else { self.inner.line(&text, when) }
    }

    fn too_long(&mut self, bytes: usize) {
        self.inner.too_long(bytes);
    }

    fn events(&self) -> &Receiver<(u64, SearchEvent)> {
        self.inner.events()
    }

    fn event(&mut self, id: u64, event: SearchEvent) {
        self.inner.event(id, event);
    }

    fn finish(&mut self) -> bool {
        self.inner.finish()
    }

    fn replies(&mut self) -> &mut Replies {
        for line in self.inner.replies().take().lines() {
            let text = self.translator.reply_from_uci(line);
            text.lines().for_each(|line| self.out.say(line));
        }
        &mut self.out
    }
}
