//! The addresses of engines: `tcp://host:port/TOKEN` and `ws://host:port/TOKEN`.

use std::fmt;
use std::str::FromStr;

/// How lines are carried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// As they are, over TCP.
    Tcp,
    /// Each as a text over a WebSocket.
    WebSocket,
}

/// Where an engine listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// How lines are carried.
    pub kind: Kind,
    /// `host:port`.
    pub host: String,
    /// The token, which is the path of the address; empty if there is none.
    pub token: String,
}

/// A text that is no address of an engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// Not an address of this kind at all.
    #[error("`{0}` is no address: tcp://host:port/TOKEN or ws://host:port/TOKEN")]
    Malformed(String),
    /// An address over TLS, without its token.
    #[error(
        "`{0}`: connections are not encrypted here; let a reverse proxy or `ssh -L` do it, and name its address"
    )]
    Encrypted(String),
}

impl Address {
    /// True when a command names an engine at the far end of a wire.
    pub fn is_meant(text: &str) -> bool {
        ["tcp://", "ws://", "wss://"].iter().any(|scheme| text.starts_with(scheme))
    }

    /// An address as it may be shown: without its token.
    pub fn place(text: &str) -> &str {
        let slash = text.match_indices('/').nth(2);
        slash.map_or(text, |(at, _)| &text[..at])
    }
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let malformed = || AddressError::Malformed(text.to_owned());
        if text.starts_with("wss://") {
            return Err(AddressError::Encrypted(Address::place(text).to_owned()));
        }
        let (kind, rest) = match (text.strip_prefix("tcp://"), text.strip_prefix("ws://")) {
            (Some(rest), _) => (Kind::Tcp, rest),
            (_, Some(rest)) => (Kind::WebSocket, rest),
            _ => return Err(malformed()),
        };
        let (host, token) = rest.split_once('/').unwrap_or((rest, ""));
        let (name, port) = host.rsplit_once(':').ok_or_else(malformed)?;
        let is_token = token.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.~/".contains(&byte));
        if name.is_empty() || port.parse::<u16>().is_err() || !is_token {
            return Err(malformed());
        }
        Ok(Self { kind, host: host.to_owned(), token: token.to_owned() })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.kind == Kind::Tcp { "tcp" } else { "ws" };
        let slash = if self.token.is_empty() { "" } else { "/" };
        write!(f, "{scheme}://{}{slash}{}", self.host, self.token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_written() {
        for text in ["tcp://localhost:4000", "ws://[::1]:80/a-b_c", "tcp://10.0.0.1:65535/x"] {
            assert_eq!(text.parse::<Address>().unwrap().to_string(), text);
        }
        for text in
            ["tcp://localhost", "tcp://:40", "tcp://a:70000", "ws://a:1/b c", "http://a:1", "ws://a:1/\u{e9}"]
        {
            assert!(matches!(text.parse::<Address>(), Err(AddressError::Malformed(_))), "{text}");
        }
        let encrypted = AddressError::Encrypted("wss://a:1".into());
        assert_eq!("wss://a:1/secret".parse::<Address>(), Err(encrypted));
        assert_eq!(["ws://a:1/secret/x", "ws://a:1"].map(Address::place), ["ws://a:1"; 2]);
        assert!(Address::is_meant("wss://a:1") && !Address::is_meant("./tcp"));
    }
}
