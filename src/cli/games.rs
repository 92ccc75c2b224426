//! The command `carom games`.

use crate::game::SwitchKind;
use crate::variants;
use std::io::Write;

/// Prints a line for each game, with its rule switches below.
pub fn list(out: &mut impl Write) -> anyhow::Result<()> {
    for facts in variants::all() {
        writeln!(out, "{:<15} {:>2}x{:<2} {}", facts.name, facts.files, facts.ranks, facts.summary)?;
        for switch in facts.switches {
            let values = match switch.kind {
                SwitchKind::Check => String::new(),
                SwitchKind::Choice(values) => format!("={}", values.join("|")),
            };
            writeln!(out, "{:21} --rule {}{values}: {}", "", switch.name, switch.help)?;
        }
    }
    Ok(())
}
