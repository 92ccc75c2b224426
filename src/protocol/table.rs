//! A protocol as tables. A row holds a word, what the word means, the fields that follow it, and how they are
//! read. From the rows come the type, its parser, its printer and the list of its words.

use super::words::OneLine;
use super::{Bound, Moves};
use std::fmt::{self, Formatter};

/// A value in a message, which is written with a space in front.
pub(super) trait Value {
    fn write(&self, out: &mut Formatter<'_>) -> fmt::Result;
}

/// Lets values be written as they are displayed.
macro_rules! displayed {
    ($($value:ty),+) => {
        $(impl $crate::protocol::table::Value for $value {
            fn write(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(out, " {self}")
            }
        })+
    };
}

displayed!(u32, u64, i32, i64, Moves<'_>);

/// An empty text is not written at all.
impl Value for &str {
    fn write(&self, out: &mut Formatter<'_>) -> fmt::Result {
        if self.is_empty() { Ok(()) } else { write!(out, " {}", OneLine(self)) }
    }
}

impl<T: Value> Value for Option<T> {
    fn write(&self, out: &mut Formatter<'_>) -> fmt::Result {
        self.as_ref().map_or(Ok(()), |value| value.write(out))
    }
}

/// A field for an argument that may be given or not.
pub(super) trait Field {
    type Value;

    /// Takes the value. False when there is one already.
    fn fill(&mut self, value: Self::Value) -> bool;

    /// Writes the argument with its word, if it was given.
    fn write_named(&self, out: &mut Formatter<'_>, word: &str) -> fmt::Result;
}

impl<T: Value> Field for Option<T> {
    type Value = T;

    fn fill(&mut self, value: T) -> bool {
        let free = self.is_none();
        self.get_or_insert(value);
        free
    }

    fn write_named(&self, out: &mut Formatter<'_>, word: &str) -> fmt::Result {
        let Some(value) = self else { return Ok(()) };
        write!(out, " {word}")?;
        value.write(out)
    }
}

/// A word without a value.
impl Field for bool {
    type Value = ();

    fn fill(&mut self, (): ()) -> bool {
        !std::mem::replace(self, true)
    }

    fn write_named(&self, out: &mut Formatter<'_>, word: &str) -> fmt::Result {
        if *self { write!(out, " {word}") } else { Ok(()) }
    }
}

impl Field for Bound {
    type Value = Self;

    fn fill(&mut self, value: Self) -> bool {
        let free = *self == Self::Exact;
        if free {
            *self = value;
        }
        free
    }

    fn write_named(&self, out: &mut Formatter<'_>, _: &str) -> fmt::Result {
        out.write_str(match self {
            Self::Exact => "",
            Self::Lower => " lowerbound",
            Self::Upper => " upperbound",
        })
    }
}

/// A table of arguments, which may stand in any order. A row is `"word" / "word" => field: type = parser;`,
/// where `parser` makes a parser of the word that was found. The words are in the order of the dialects; the
/// last one holds for all further dialects.
macro_rules! arguments {
    (
        $(#[$about:meta])*
        pub struct $name:ident<$a:lifetime> {
            $( $(#[$doc:meta])* $word:literal $(/ $other:literal)* => $field:ident: $type:ty = $parser:expr; )+
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $name<$a> {
            $(
                #[doc = concat!("`", $word, "`" $(, " or `", $other, "`")*, ":")]
                $(#[$doc])*
                pub $field: $type,
            )+
        }

        impl<$a> $name<$a> {
            /// The words of all arguments; each of them ends a list of moves.
            pub const WORDS: &'static [&'static str] = &[$($word, $($other,)*)+];

            fn is_word(word: &str) -> bool {
                matches!(word, $($word $(| $other)*)|+)
            }

            /// Reads the argument that begins with `word`; `None` when there is none.
            fn argument(
                &mut self,
                line: &mut $crate::protocol::line::Line<$a>,
                from: &$a str,
                word: &str,
                rest: &$a str,
            ) -> Option<$crate::base::grammar::Parse<$a, ()>> {
                use nom::Parser as _;
                Some(match word {
                    $(
                        $word => line.store(&mut self.$field, from, $parser($word).parse(rest)),
                        $( $other => line.store(&mut self.$field, from, $parser($other).parse(rest)), )*
                    )+
                    _ => return None,
                })
            }

            /// Writes the arguments that were given, with the words of a dialect.
            fn write_arguments(&self, out: &mut std::fmt::Formatter<'_>, dialect: usize) -> std::fmt::Result {
                use $crate::protocol::table::Field;
                $(
                    let words = [$word $(, $other)*];
                    self.$field.write_named(out, words.get(dialect).unwrap_or(&words[0]))?;
                )+
                Ok(())
            }
        }
    };
}

/// A table of messages. A row is `"word" => Variant`, `"word" => Variant(field: type = parser)` or
/// `"word" => Variant { field: type = parser, … }`; a parser is a function of the word, and what stands behind
/// it in parentheses is what an error says was expected. `=>` instead of `=` names a function of the line. After
/// `else` stand the messages of another form, which are read and written by hand.
macro_rules! messages {
    (
        $(#[$about:meta])*
        pub enum $name:ident<$a:lifetime> {
            $(
                $(#[$doc:meta])*
                $word:literal => $variant:ident
                $((
                    $arg:ident: $type:ty
                    $(= $parser:ident $(($expected:literal))?)?
                    $(=> $reader:ident)?
                ))?
                $({
                    $( $(#[$field_doc:meta])* $field:ident: $field_type:ty
                        = $field_parser:ident $(($field_expected:literal))?, )+
                })?,
            )+
            else
            $( $(#[$other_doc:meta])* $other:ident $(($other_type:ty))? $({ $($other_fields:tt)+ })?, )+
        }
    ) => {
        $(#[$about])*
        pub enum $name<$a> {
            $(
                #[doc = concat!("`", $word, "`:")]
                $(#[$doc])*
                $variant $(($type))? $({ $($(#[$field_doc])* $field: $field_type,)+ })?,
            )+
            $( $(#[$other_doc])* $other $(($other_type))? $({ $($other_fields)+ })?, )+
        }

        impl<$a> $name<$a> {
            /// The words with which the messages of the table begin.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// Reads the message that begins with `word`, from what stands behind the word; `None` when the
            /// table has none.
            #[allow(unused_variables, reason = "not every table has messages that report skipped words")]
            pub(in $crate::protocol) fn message(
                line: &mut $crate::protocol::line::Line<$a>,
                word: &str,
                rest: &$a str,
            ) -> $crate::base::grammar::Parse<$a, Option<Self>> {
                use nom::Parser as _;
                match word {
                    $(
                        $word => {
                            $(
                                $( let (rest, $arg) = $parser($word $(, $expected)?).parse(rest)?; )?
                                $( let (rest, $arg) = $reader(line, rest)?; )?
                            )?
                            $($(
                                let (rest, $field) = $field_parser($word $(, $field_expected)?).parse(rest)?;
                            )+)?
                            Ok((rest, Some(Self::$variant $(($arg))? $({ $($field),+ })?)))
                        }
                    )+
                    _ => Ok((rest, None)),
                }
            }
        }

        impl std::fmt::Display for $name<'_> {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                use $crate::protocol::table::Value;
                match self {
                    $(
                        Self::$variant $(($arg))? $({ $($field),+ })? => {
                            out.write_str($word)?;
                            $( $arg.write(out)?; )?
                            $($( $field.write(out)?; )+)?
                            Ok(())
                        }
                    )+
                    other => other.write_other(out),
                }
            }
        }
    };
}

pub(super) use {arguments, displayed, messages};
