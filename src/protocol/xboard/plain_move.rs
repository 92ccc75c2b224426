//! The moves of `exclude` and `include`, which XBoard does not write as it does elsewhere.

/// Turns a move of `exclude` into the form of `usermove`. XBoard writes every rank in it as one character
/// (`:` is 10), and the squares of pieces captured on the way behind a semicolon. Other text is returned as
/// it is.
#[must_use]
pub fn plain_move(text: &str) -> String {
    odd_move(text).unwrap_or_else(|| text.to_owned())
}

fn odd_move(text: &str) -> Option<String> {
    if let [letter @ b'A'..=b'Z', b'@', at @ ..] = text.as_bytes() {
        return Some(format!("{}@{}", char::from(*letter), square(at)?));
    }
    let (ends, rest) = text.split_at_checked(4)?;
    let (kills, suffix) = match rest.strip_prefix(';') {
        Some(rest) => rest.split_at_checked(rest.len() / 2 * 2)?,
        None => ("", rest),
    };
    let (from, to) = ends.as_bytes().split_at(2);
    // The piece that is named last is visited first.
    let visited: Option<Vec<String>> =
        [from].into_iter().chain(kills.as_bytes().chunks(2).rev()).chain([to]).map(square).collect();
    let legs: Vec<String> = visited?.windows(2).map(|leg| leg.concat()).collect();
    Some(legs.join(",") + suffix)
}

fn square(text: &[u8]) -> Option<String> {
    let &[file @ b'a'..=b'z', rank @ b'0'..=b'?'] = text else { return None };
    Some(format!("{}{}", char::from(file), rank - b'0'))
}

#[cfg(test)]
mod tests {
    use super::plain_move;

    #[test]
    fn ranks_of_one_character_and_squares_of_victims() {
        for (odd, plain) in [
            ("e2e4", "e2e4"),
            ("e7e8q", "e7e8q"),
            ("c2c4=", "c2c4="),
            ("e<d:", "e12d10"),
            ("e;d?", "e11d15"),
            ("e;d;;f:", "e11f10,f10d11"),
            ("e4e6;e5", "e4e5,e5e6"),
            ("e4e6;e5q", "e4e5,e5e6q"),
            ("e4c7;e5d8", "e4d8,d8e5,e5c7"),
            ("e4c7;e5d8q", "e4d8,d8e5,e5c7q"),
            ("T@e:", "T@e10"),
            // Other programs write it so.
            ("e12d10", "e12d10"),
            ("e1d10", "e1d10"),
            ("e4e5,e5e6", "e4e5,e5e6"),
            ("e9d9,O@e9", "e9d9,O@e9"),
            ("@@@@", "@@@@"),
            ("O-O", "O-O"),
            ("é2é4", "é2é4"),
            ("e2e4;é", "e2e4;é"),
        ] {
            assert_eq!(plain_move(odd), plain, "{odd}");
        }
    }
}
