//! Engines at the far end of a wire: lines over TCP, or as texts over a WebSocket.
//!
//! This end is a [`Process`](super::Process) that was started with an address; `relay` puts our own input and output
//! behind it. `Listener` is the far end: it starts an engine for each caller.
//! A token in the address keeps strangers out; nothing is encrypted, which is what a reverse proxy is for.

mod address;
#[cfg(feature = "serve")]
mod call;
#[cfg(feature = "serve")]
mod carry;
#[cfg(feature = "serve")]
mod framing;
#[cfg(feature = "serve")]
mod listener;

pub use address::{Address, AddressError, Kind};
#[cfg(feature = "serve")]
pub(super) use call::call;
#[cfg(feature = "serve")]
pub use carry::relay;
#[cfg(feature = "serve")]
pub use listener::{Listener, ListenerSettings};

/// Without the feature `serve` no wire leads anywhere.
#[cfg(not(feature = "serve"))]
pub(super) fn call(_: &Address) -> std::io::Result<(std::net::TcpStream, Box<dyn super::pipes::Framing>)> {
    Err(std::io::Error::other(
        "this program was built without the feature `serve`, which engines over a wire need",
    ))
}
