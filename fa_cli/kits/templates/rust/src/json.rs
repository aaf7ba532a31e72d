//! JSON, as much of it as the protocol needs: what is asked of a value that is not there is 0, "", false or nothing.

use std::collections::BTreeMap;
use std::iter::Peekable;
use std::str::Chars;

/// A value.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Json {
    #[default]
    Null,
    Flag(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(BTreeMap<String, Json>),
}

static NOTHING: Json = Json::Null;

#[allow(dead_code)] // what this bot does not use yet
impl Json {
    /// The value of a line; None if it is no JSON.
    pub fn parse(line: &str) -> Option<Json> {
        value(&mut line.chars().peekable())
    }

    /// The field of an object; null if it is not there.
    pub fn get(&self, name: &str) -> &Json {
        match self {
            Json::Object(fields) => fields.get(name).unwrap_or(&NOTHING),
            _ => &NOTHING,
        }
    }

    pub fn text(&self) -> String {
        match self {
            Json::Text(text) => text.clone(),
            _ => String::new(),
        }
    }

    pub fn whole(&self) -> i64 {
        match self {
            Json::Number(number) => *number as i64,
            _ => 0,
        }
    }

    pub fn flag(&self) -> bool {
        *self == Json::Flag(true)
    }

    /// Each item of a list, read by a function.
    pub fn items<T>(&self, read: impl Fn(&Json) -> T) -> Vec<T> {
        match self {
            Json::List(items) => items.iter().map(read).collect(),
            _ => Vec::new(),
        }
    }

    /// Each value of an object, read by a function, by its name.
    pub fn table<T>(&self, read: impl Fn(&Json) -> T) -> BTreeMap<String, T> {
        match self {
            Json::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), read(value))).collect(),
            _ => BTreeMap::new(),
        }
    }

    /// The value, read by a function, unless it is null or not there.
    pub fn maybe<T>(&self, read: impl Fn(&Json) -> T) -> Option<T> {
        match self {
            Json::Null => None,
            value => Some(read(value)),
        }
    }
}

/// A text as JSON writes it.
pub fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter if letter < ' ' => quoted += &format!("\\u{:04x}", letter as u32),
            letter => quoted.push(letter),
        }
    }
    quoted + "\""
}

/// A list of texts as JSON writes it.
pub fn quote_all(texts: &[String]) -> String {
    let quoted: Vec<String> = texts.iter().map(|text| quote(text)).collect();
    format!("[{}]", quoted.join(","))
}

type Input<'a> = Peekable<Chars<'a>>;

fn value(input: &mut Input) -> Option<Json> {
    blank(input);
    match input.peek()? {
        '{' => object(input),
        '[' => list(input),
        '"' => text(input).map(Json::Text),
        't' => word(input, "true", Json::Flag(true)),
        'f' => word(input, "false", Json::Flag(false)),
        'n' => word(input, "null", Json::Null),
        _ => number(input),
    }
}

fn blank(input: &mut Input) {
    while input.next_if(|letter| letter.is_ascii_whitespace()).is_some() {}
}

/// Whether this comes next, blanks aside; if so, it is behind us.
fn comes(input: &mut Input, wanted: char) -> bool {
    blank(input);
    input.next_if_eq(&wanted).is_some()
}

fn word(input: &mut Input, wanted: &str, value: Json) -> Option<Json> {
    wanted.chars().all(|letter| input.next_if_eq(&letter).is_some()).then_some(value)
}

fn number(input: &mut Input) -> Option<Json> {
    let mut digits = String::new();
    while let Some(letter) = input.next_if(|letter| letter.is_ascii_digit() || "+-.eE".contains(*letter)) {
        digits.push(letter);
    }
    digits.parse().ok().map(Json::Number)
}

fn text(input: &mut Input) -> Option<String> {
    let mut found = String::new();
    input.next_if_eq(&'"')?;
    loop {
        match input.next()? {
            '"' => return Some(found),
            '\\' => found.push(escaped(input)?),
            letter => found.push(letter),
        }
    }
}

fn escaped(input: &mut Input) -> Option<char> {
    Some(match input.next()? {
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'u' => {
            let first = code(input)?;
            if (0xd800..0xdc00).contains(&first) && input.next_if_eq(&'\\').is_some() {
                input.next_if_eq(&'u')?; // what does not fit into one is written as two
                char::from_u32(0x10000 + ((first - 0xd800) << 10) + code(input)?.checked_sub(0xdc00)?)?
            } else {
                char::from_u32(first).unwrap_or('\u{fffd}')
            }
        }
        letter => letter,
    })
}

fn code(input: &mut Input) -> Option<u32> {
    let digits: String = input.take(4).collect();
    u32::from_str_radix(&digits, 16).ok()
}

fn list(input: &mut Input) -> Option<Json> {
    let mut items = Vec::new();
    input.next_if_eq(&'[')?;
    if comes(input, ']') {
        return Some(Json::List(items));
    }
    loop {
        items.push(value(input)?);
        if comes(input, ']') {
            return Some(Json::List(items));
        }
        comes(input, ',').then_some(())?;
    }
}

fn object(input: &mut Input) -> Option<Json> {
    let mut fields = BTreeMap::new();
    input.next_if_eq(&'{')?;
    if comes(input, '}') {
        return Some(Json::Object(fields));
    }
    loop {
        blank(input);
        let name = text(input)?;
        comes(input, ':').then_some(())?;
        fields.insert(name, value(input)?);
        if comes(input, '}') {
            return Some(Json::Object(fields));
        }
        comes(input, ',').then_some(())?;
    }
}
