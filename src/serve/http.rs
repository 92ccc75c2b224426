//! The part of HTTP that the page needs: it reads and checks the head of a request, and writes an answer.

use std::io::{self, BufRead, Write};
use std::net::{IpAddr, TcpStream};
use std::time::Instant;

/// The longest head of a request, in bytes; a longer one is refused.
const LONGEST_HEAD: usize = 16 * 1024;
const MOST_HEADERS: usize = 64;

/// The head of a request.
#[derive(Debug, PartialEq, Eq)]
pub struct Head {
    /// The method: `GET`, …
    pub method: String,
    /// The path, without the query: `/pieces/alapo.svg`.
    pub path: String,
    headers: Vec<(String, String)>,
}

/// The reasons to refuse a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// It is not an HTTP request.
    Malformed,
    /// Its head is too long.
    TooLong,
    /// It is not meant for this server: it asks for another host, or comes from another page.
    Foreign,
    /// There is nothing under this path.
    Missing,
    /// The method is not `GET`.
    Method,
    /// There are too many connections.
    Busy,
}

impl Refusal {
    const fn status(self) -> &'static str {
        match self {
            Self::Malformed => "400 Bad Request",
            Self::TooLong => "431 Request Header Fields Too Large",
            Self::Foreign => "403 Forbidden",
            Self::Missing => "404 Not Found",
            Self::Method => "405 Method Not Allowed",
            Self::Busy => "503 Service Unavailable",
        }
    }
}

impl Head {
    /// Reads a head, which must be complete before `until`; `None` when the stream ends before it. What
    /// follows the head is left in the buffer.
    ///
    /// # Errors
    /// When the head is malformed, incomplete or too long.
    pub fn read(stream: &mut impl BufRead, until: Instant) -> Result<Option<Self>, Refusal> {
        let mut bytes = Vec::new();
        while !bytes.ends_with(b"\r\n\r\n") {
            let come = match stream.fill_buf() {
                Ok(come) if !come.is_empty() => come,
                _ if bytes.is_empty() => return Ok(None),
                _ => return Err(Refusal::Malformed),
            };
            let mut taken = 0;
            // What follows the head must stay in the buffer.
            for &byte in come {
                bytes.push(byte);
                taken += 1;
                if bytes.ends_with(b"\r\n\r\n") || bytes.len() > LONGEST_HEAD {
                    break;
                }
            }
            stream.consume(taken);
            if bytes.len() > LONGEST_HEAD {
                return Err(Refusal::TooLong);
            }
            // A client that sends single bytes could otherwise stay for ever.
            if Instant::now() > until {
                return Err(Refusal::Malformed);
            }
        }
        Self::parse(&bytes).map(Some)
    }

    fn parse(bytes: &[u8]) -> Result<Self, Refusal> {
        let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
        let mut request = httparse::Request::new(&mut headers);
        match request.parse(bytes) {
            Ok(httparse::Status::Complete(_)) => {}
            Err(httparse::Error::TooManyHeaders) => return Err(Refusal::TooLong),
            _ => return Err(Refusal::Malformed),
        }
        let (method, target) = request.method.zip(request.path).ok_or(Refusal::Malformed)?;
        let path = target.split(['?', '#']).next().unwrap_or_default();
        let text = |header: &httparse::Header<'_>| {
            let value = std::str::from_utf8(header.value).map_err(|_| Refusal::Malformed)?;
            Ok((header.name.to_ascii_lowercase(), value.trim().to_owned()))
        };
        let headers = request.headers.iter().map(text).collect::<Result<_, _>>()?;
        Ok(Self { method: method.to_owned(), path: path.to_owned(), headers })
    }

    /// The value of the header with this name, in lower case; `None` if it is missing or occurs more than
    /// once.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(own, _)| own == name).map(|(_, value)| value.as_str());
        values.next().filter(|_| values.next().is_none())
    }

    /// True when a header with this name is present.
    pub fn has(&self, name: &str) -> bool {
        self.headers.iter().any(|(own, _)| own == name)
    }

    /// The host and port in the request, if they are ours. A page elsewhere can let its own name resolve to
    /// this machine, but it cannot use an address or `localhost`.
    ///
    /// # Errors
    /// When they are not, or the request comes from another page.
    pub fn own_host(&self, port: u16) -> Result<&str, Refusal> {
        let host = self.header("host").filter(|host| is_own(host, port)).ok_or(Refusal::Foreign)?;
        if self.has("origin") {
            let origin = self.header("origin").and_then(|origin| origin.strip_prefix("http://"));
            if !origin.is_some_and(|origin| origin.eq_ignore_ascii_case(host)) {
                return Err(Refusal::Foreign);
            }
        }
        // Browsers send this header even where there is no `Origin`.
        match self.header("sec-fetch-site") {
            Some("same-origin" | "none") => Ok(host),
            None if !self.has("sec-fetch-site") => Ok(host),
            _ if self.header("sec-fetch-mode") == Some("navigate") => Ok(host),
            _ => Err(Refusal::Foreign),
        }
    }
}

fn is_own(host: &str, port: u16) -> bool {
    let (name, own_port) = match host.rsplit_once(':') {
        Some((name, digits)) if !digits.contains(']') => (name, digits.parse().ok()),
        _ => (host, Some(80)),
    };
    let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    own_port == Some(port) && (name.eq_ignore_ascii_case("localhost") || address.parse::<IpAddr>().is_ok())
}

/// Writes an answer, after which the connection ends.
pub fn answer(stream: &mut TcpStream, host: &str, kind: &str, body: &[u8]) -> io::Result<()> {
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: no-cache\r\n{}\
         Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
         connect-src 'self' ws://{host}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n\r\n",
        body.len(),
        COMMON,
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body)?;
    stream.flush()
}

/// The headers of every answer.
const COMMON: &str = "Connection: close\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n\
                      Cross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\n";

/// Writes a refusal, after which the connection ends.
pub fn refuse(stream: &mut TcpStream, why: Refusal) -> io::Result<()> {
    let status = why.status();
    let text = format!("{status}\n");
    let length = text.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\n{COMMON}\
         Content-Security-Policy: default-src 'none'\r\n\r\n{text}"
    );
    stream.write_all(head.as_bytes())?;
    stream.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn head(text: &str) -> Result<Option<Head>, Refusal> {
        Head::read(&mut text.replace('\n', "\r\n").as_bytes(), Instant::now() + Duration::from_secs(60))
    }

    /// A reader that offers all its bytes in one piece, and counts how often it is asked.
    struct Once<'a>(&'a [u8], usize);

    impl io::Read for Once<'_> {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            panic!("a head is read from the buffer");
        }
    }

    impl BufRead for Once<'_> {
        fn fill_buf(&mut self) -> io::Result<&[u8]> {
            self.1 += 1;
            Ok(self.0)
        }

        fn consume(&mut self, length: usize) {
            self.0 = &self.0[length..];
        }
    }

    #[test]
    fn a_head_is_taken_from_the_buffer_at_once_and_nothing_behind_it() {
        let text =
            format!("GET / HTTP/1.1\r\nHost: localhost\r\nX: {}\r\n\r\nwhat follows", "x".repeat(9000));
        let mut once = Once(text.as_bytes(), 0);
        assert!(Head::read(&mut once, Instant::now() + Duration::from_secs(60)).unwrap().is_some());
        assert_eq!((once.0, once.1), (&b"what follows"[..], 1));
        // In pieces of any length the head is the same.
        for length in [1, 2, 3, 7, 4096] {
            let mut reader = io::BufReader::with_capacity(length, text.as_bytes());
            let head = Head::read(&mut reader, Instant::now() + Duration::from_secs(60)).unwrap().unwrap();
            assert_eq!(head.header("x").map(str::len), Some(9000));
        }
        let endless = vec![b'x'; LONGEST_HEAD + 2];
        assert_eq!(
            Head::read(&mut &endless[..], Instant::now() + Duration::from_secs(60)),
            Err(Refusal::TooLong)
        );
    }

    #[test]
    fn only_our_own_name_and_our_own_page_are_served() {
        let host = |lines: &str| {
            let head = head(&format!("GET / HTTP/1.1\n{lines}\n\n")).unwrap().unwrap();
            head.own_host(4000).map(str::to_owned)
        };
        for good in ["localhost:4000", "127.0.0.1:4000", "[::1]:4000", "LOCALHOST:4000", "192.168.0.7:4000"] {
            assert_eq!(host(&format!("Host: {good}")).as_deref(), Ok(good));
        }
        assert!(host("Host: localhost:4000\nOrigin: http://localhost:4000").is_ok());
        assert!(host("Host: localhost:4000\nSec-Fetch-Site: cross-site\nSec-Fetch-Mode: navigate").is_ok());
        for bad in [
            "Host: evil.example:4000",
            "Host: localhost:4001",
            "Host: localhost",
            "Host: localhost.evil.example:4000",
            "Host: 127.0.0.1.evil.example:4000",
            "Host: localhost:4000\nHost: localhost:4000",
            "Accept: text/html",
            "Host: localhost:4000\nOrigin: http://evil.example",
            "Host: localhost:4000\nOrigin: http://127.0.0.1:4000",
            "Host: localhost:4000\nOrigin: https://localhost:4000",
            "Host: localhost:4000\nOrigin: null",
            "Host: localhost:4000\nOrigin: http://localhost:4000\nOrigin: http://evil.example",
            "Host: localhost:4000\nSec-Fetch-Site: cross-site",
            "Host: localhost:4000\nSec-Fetch-Site: same-site\nSec-Fetch-Mode: websocket",
        ] {
            assert_eq!(host(bad), Err(Refusal::Foreign), "{bad}");
        }
    }

    #[test]
    fn what_is_no_head_is_refused_and_nothing_is_nothing() {
        assert_eq!(head(""), Ok(None));
        assert_eq!(head("nonsense\n\n"), Err(Refusal::Malformed));
        assert_eq!(head("GET / HTTP/1.1\nHost: x"), Err(Refusal::Malformed));
        assert_eq!(head(&format!("GET /{} HTTP/1.1\n\n", "a".repeat(20_000))), Err(Refusal::TooLong));
        assert_eq!(head(&format!("GET / HTTP/1.1\n{}\n", "a: b\n".repeat(100))), Err(Refusal::TooLong));
        let late = Head::read(&mut &b"GET / HTTP/1.1\r\n\r\n"[..], Instant::now() - Duration::from_secs(1));
        assert_eq!(late, Err(Refusal::Malformed), "it took too long");
        let head = head("GET /a?b HTTP/1.1\nA: b\n\n").unwrap().unwrap();
        assert_eq!((head.path.as_str(), head.header("a")), ("/a", Some("b")));
    }
}
