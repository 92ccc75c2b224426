//! A protocol as tables. A row holds a word, what the word means, the fields that follow it, and how they are
//! read. From the rows come the type, its parser, its printer and the list of its words.

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
                use $crate::protocol::field::Field;
                $(
                    let words = [$word $(, $other)*];
                    self.$field.write_named(out, words.get(dialect).unwrap_or(&words[0]))?;
                )+
                Ok(())
            }
        }
    };
}

/// A table of messages. A row is `"word" => Variant`, `"word" => Variant(field: type = parser)` or `"word" =>
/// Variant { field: type = parser, … }`; a parser is a function of the word, and what stands behind it in
/// parentheses is what an error says was expected. `=>` instead of `=` names a function of the line. After
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
            pub(super) fn message(
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
                use $crate::protocol::field::Value;
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

pub(super) use {arguments, messages};
