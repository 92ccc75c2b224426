//! This end of a wire.

use super::address::{Address, Kind};
use super::framing::{PATIENCE, Texts};
use crate::connection::pipes::{Framing, Plain};
use std::io::{self, Write};
use std::net::{TcpStream, ToSocketAddrs};

/// Calls the engine at this address; both ends have agreed then.
///
/// # Errors
/// When nobody answers there, or the call is refused.
pub fn call(address: &Address) -> io::Result<(TcpStream, Box<dyn Framing>)> {
    let mut called = Err(io::Error::other("the name has no address"));
    for place in address.host.to_socket_addrs()? {
        called = TcpStream::connect_timeout(&place, PATIENCE);
        if called.is_ok() {
            break;
        }
    }
    let mut socket = called?;
    socket.set_nodelay(true)?;
    if address.kind == Kind::Tcp {
        if !address.token.is_empty() {
            socket.write_all(format!("token {}\n", address.token).as_bytes())?;
        }
        return Ok((socket, Box::new(Plain)));
    }
    socket.set_read_timeout(Some(PATIENCE))?;
    let texts = Texts::calling(&address.to_string(), socket.try_clone()?)?;
    // An engine may think for hours.
    socket.set_read_timeout(None)?;
    Ok((socket, Box::new(texts)))
}
