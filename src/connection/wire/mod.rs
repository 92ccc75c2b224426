//! Engines at the far end of a wire: lines over TCP, or as texts over a WebSocket.
//!
//! `relay` is this end: a process of ours whose standard input and output are the engine's lines, so that what
//! starts engines need not know about wires. `Listener` is the far end: it starts an engine for each caller.
//! A token in the address keeps strangers out; nothing is encrypted, which is what a reverse proxy is for.

mod address;
#[cfg(feature = "serve")]
mod listener;
#[cfg(feature = "serve")]
mod socket;

pub use address::{Address, AddressError, Kind};
#[cfg(feature = "serve")]
pub use listener::{Listener, ListenerSettings};
#[cfg(feature = "serve")]
pub use socket::relay;
