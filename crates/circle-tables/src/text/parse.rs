//! Text to record.

use std::sync::Arc;

use super::error::{ParseError, ParseProblem};
use crate::datum::Datum;
use crate::record::Record;
use crate::schema::{Element, EnumDef, Kind, Scalar, TableDef};

/// Reads a record of the given table. The whole text must be the record.
///
/// # Errors
/// When the text is not such a record; the error tells where.
pub fn parse(def: &'static TableDef, text: &str) -> Result<Record, ParseError> {
    let (record, used) = parse_prefix(def, text)?;
    let mut rest = Cursor { text, at: used };
    rest.space();
    match rest.peek() {
        None => Ok(record),
        Some(_) => Err(rest.expected("the end of the record")),
    }
}

/// Reads a record of the given table from the start of a text, and returns how many bytes it took.
///
/// # Errors
/// As [`parse`].
pub fn parse_prefix(def: &'static TableDef, text: &str) -> Result<(Record, usize), ParseError> {
    let mut cursor = Cursor { text, at: 0 };
    let record = cursor.record(def)?;
    Ok((record, cursor.at))
}

/// Reads a quoted string from the start of a text, and returns how many bytes it took.
///
/// # Errors
/// When there is no string, or one that does not end.
pub fn unquote(text: &str) -> Result<(String, usize), ParseError> {
    let mut cursor = Cursor { text, at: 0 };
    let string = cursor.string()?;
    Ok((string, cursor.at))
}

/// A place in the text. The calls of `record`, `value` and `element` follow the schema, in which no
/// table contains itself, so they nest no deeper than the schema does, whatever the text.
struct Cursor<'a> {
    text: &'a str,
    /// In bytes, always between two characters.
    at: usize,
}

impl<'a> Cursor<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn error(&self, at: usize, problem: ParseProblem) -> ParseError {
        ParseError { offset: at, problem }
    }

    fn expected(&self, what: &'static str) -> ParseError {
        self.error(self.at, ParseProblem::Expected(what))
    }

    fn space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Takes `token` after white space, if it is there.
    fn take(&mut self, token: char) -> bool {
        self.space();
        let found = self.peek() == Some(token);
        if found {
            self.at += token.len_utf8();
        }
        found
    }

    /// Takes the letters, digits and signs of which names and numbers consist, after white space.
    fn word(&mut self) -> (usize, &'a str) {
        self.space();
        let start = self.at;
        let rest = self.rest();
        let belongs = |letter: char| letter.is_ascii_alphanumeric() || "_+-.:".contains(letter);
        let size = rest.find(|letter| !belongs(letter)).unwrap_or(rest.len());
        self.at += size;
        (start, rest.get(..size).unwrap_or_default())
    }

    /// Takes `open`, then what `one` takes, separated by commas, up to `close`.
    fn list(
        &mut self,
        (open, close): (char, char),
        (open_name, close_name): (&'static str, &'static str),
        mut one: impl FnMut(&mut Self) -> Result<(), ParseError>,
    ) -> Result<(), ParseError> {
        if !self.take(open) {
            return Err(self.expected(open_name));
        }
        if self.take(close) {
            return Ok(());
        }
        loop {
            one(self)?;
            if self.take(close) {
                return Ok(());
            }
            if !self.take(',') {
                return Err(self.expected(close_name));
            }
        }
    }

    fn record(&mut self, def: &'static TableDef) -> Result<Record, ParseError> {
        let mut record = Record::new(def);
        self.list(('{', '}'), ("'{'", "',' or '}'"), |cursor| {
            let (start, name) = cursor.word();
            let Some(field) = def.field(name) else {
                let problem = match name {
                    "" => ParseProblem::Expected("the name of a field"),
                    _ => ParseProblem::NoSuchField { table: def.name, field: name.to_owned() },
                };
                return Err(cursor.error(start, problem));
            };
            if record.get_at(field.slot).is_some() {
                return Err(cursor.error(start, ParseProblem::Twice { field: field.name }));
            }
            if !cursor.take('=') {
                return Err(cursor.expected("'='"));
            }
            let datum = cursor.value(field.kind)?;
            record.put(field.slot, datum);
            Ok(())
        })?;
        Ok(record)
    }

    fn value(&mut self, kind: Kind) -> Result<Datum, ParseError> {
        Ok(match kind {
            Kind::Scalar(Scalar::Bool) => Datum::Bool(self.bool()?),
            Kind::Scalar(Scalar::F32) => Datum::F32(self.f32()?),
            Kind::Scalar(Scalar::F64) => Datum::F64(self.f64()?),
            Kind::Scalar(scalar) => Datum::Int(self.int(scalar)?),
            Kind::Enum(def) => Datum::Int(self.enumerated(def)?),
            Kind::String => Datum::Str(Arc::from(self.string()?)),
            Kind::Table(table) => Datum::Record(Box::new(self.record(table)?)),
            Kind::Union(union) => {
                let (start, name) = self.word();
                let Some(table) = union.table_named(name) else {
                    let member = name.to_owned();
                    return Err(self.error(start, ParseProblem::NoSuchMember { of: union.name, member }));
                };
                Datum::Union(Box::new(self.record(table)?))
            }
            Kind::Vector(Element::Scalar(Scalar::U8)) => Datum::Bytes(Arc::from(self.hexadecimal()?)),
            Kind::Vector(element) => match element {
                Element::Scalar(Scalar::Bool) => Datum::Bools(self.vector(Self::bool)?),
                Element::Scalar(Scalar::F32) => Datum::F32s(self.vector(Self::f32)?),
                Element::Scalar(Scalar::F64) => Datum::F64s(self.vector(Self::f64)?),
                Element::Scalar(scalar) => Datum::Ints(self.vector(|cursor| cursor.int(scalar))?),
                Element::Enum(def) => Datum::Ints(self.vector(|cursor| cursor.enumerated(def))?),
                Element::String => Datum::Strs(self.vector(|cursor| cursor.string().map(Arc::from))?),
                Element::Table(table) => Datum::Records(self.vector(|cursor| cursor.record(table))?),
            },
        })
    }

    fn vector<T>(&mut self, one: impl Fn(&mut Self) -> Result<T, ParseError>) -> Result<Vec<T>, ParseError> {
        let mut values = Vec::new();
        self.list(('[', ']'), ("'['", "',' or ']'"), |cursor| {
            values.push(one(cursor)?);
            Ok(())
        })?;
        Ok(values)
    }

    fn bool(&mut self) -> Result<bool, ParseError> {
        match self.word() {
            (_, "true") => Ok(true),
            (_, "false") => Ok(false),
            (start, _) => Err(self.error(start, ParseProblem::Expected("true or false"))),
        }
    }

    fn int(&mut self, scalar: Scalar) -> Result<i64, ParseError> {
        let (start, word) = self.word();
        let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
        if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return Err(self.error(start, ParseProblem::Expected("an integer")));
        }
        let value = match scalar {
            Scalar::U64 => word.parse::<u64>().ok().map(|value| value as i64),
            _ => word.parse::<i64>().ok().filter(|&value| scalar.holds(value)),
        };
        value.ok_or_else(|| self.error(start, ParseProblem::OutOfRange { number: word.to_owned(), scalar }))
    }

    fn enumerated(&mut self, def: &'static EnumDef) -> Result<i64, ParseError> {
        self.space();
        if self.peek().is_some_and(|letter| letter == '-' || letter.is_ascii_digit()) {
            return self.int(def.base);
        }
        let (start, name) = self.word();
        def.value_of(name).ok_or_else(|| {
            self.error(start, ParseProblem::NoSuchMember { of: def.name, member: name.to_owned() })
        })
    }

    fn f32(&mut self) -> Result<f32, ParseError> {
        let (start, word) = self.word();
        let value = match word.strip_prefix("nan:0x") {
            Some(bits) => {
                u32::from_str_radix(bits, 16).ok().map(f32::from_bits).filter(|value| value.is_nan())
            }
            None if word == "nan" => Some(f32::NAN),
            None => word.parse().ok(),
        };
        value.ok_or_else(|| self.error(start, ParseProblem::Expected("a 32-bit float")))
    }

    fn f64(&mut self) -> Result<f64, ParseError> {
        let (start, word) = self.word();
        let value = match word.strip_prefix("nan:0x") {
            Some(bits) => {
                u64::from_str_radix(bits, 16).ok().map(f64::from_bits).filter(|value| value.is_nan())
            }
            None if word == "nan" => Some(f64::NAN),
            None => word.parse().ok(),
        };
        value.ok_or_else(|| self.error(start, ParseProblem::Expected("a 64-bit float")))
    }

    fn string(&mut self) -> Result<String, ParseError> {
        if !self.take('"') {
            return Err(self.expected("a string in quotes"));
        }
        let mut text = String::new();
        loop {
            let rest = self.rest();
            let plain = rest.find(['"', '\\']).ok_or_else(|| self.expected("a string that ends"))?;
            text.push_str(rest.get(..plain).unwrap_or_default());
            self.at += plain;
            if self.rest().starts_with('"') {
                self.at += 1;
                return Ok(text);
            }
            let escape = self.rest().get(1..).unwrap_or_default();
            let (letter, size) = unescape(escape).ok_or_else(|| self.expected("a known escape"))?;
            text.push(letter);
            self.at += 1 + size;
        }
    }

    fn hexadecimal(&mut self) -> Result<Vec<u8>, ParseError> {
        self.space();
        let error = self.expected("bytes as x\"00ff\"");
        let Some(rest) = self.rest().strip_prefix("x\"") else {
            return Err(error);
        };
        let Some(digits) = rest.find('"').and_then(|size| rest.get(..size)) else {
            return Err(error);
        };
        let pairs = digits.as_bytes().chunks(2).map(|pair| match pair {
            [high, low] => Some(nibble(*high)? << 4 | nibble(*low)?),
            _ => None,
        });
        let bytes = pairs.collect::<Option<Vec<u8>>>().ok_or(error)?;
        self.at += "x\"".len() + digits.len() + "\"".len();
        Ok(bytes)
    }
}

/// The character that an escape means, and the size of the escape after its backslash.
fn unescape(escape: &str) -> Option<(char, usize)> {
    let simple = match escape.chars().next()? {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        '"' => '"',
        '\\' => '\\',
        'u' => {
            let digits = escape.strip_prefix("u{")?.split_once('}')?.0;
            let letter = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)?;
            return Some((letter, "u{}".len() + digits.len()));
        }
        _ => return None,
    };
    Some((simple, 1))
}

fn nibble(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}
