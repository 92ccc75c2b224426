//! The protocols that can be examined: their checks, and their drivers.

use super::check::{Check, read};
use super::runner::ProtocolDriver;
use super::uci::Uci;
use super::xboard::Xboard;
use crate::protocol::Protocol;
use crate::protocol::uci::Dialect;

/// The protocols that can be examined.
pub const PROTOCOLS: [Protocol; 2] = [Protocol::Uci(Dialect::Uci), Protocol::Xboard];

/// All checks of a protocol, by number.
#[must_use]
pub fn checks(protocol: Protocol) -> Vec<Check> {
    read(driver(protocol).checks()).into_iter().map(|entry| entry.check).collect()
}

/// The driver that speaks a protocol.
pub(super) fn driver(protocol: Protocol) -> &'static dyn ProtocolDriver {
    match protocol {
        Protocol::Uci(Dialect::Ugi) => &Uci(Dialect::Ugi),
        Protocol::Uci(_) => &Uci(Dialect::Uci),
        Protocol::Xboard => &Xboard,
    }
}
