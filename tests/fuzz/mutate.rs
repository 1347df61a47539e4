//! Changes to seeds, repeatable from a number.

/// A xorshift generator (Marsaglia's 13, 7, 17): good enough to pick places, the same on every machine.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        // Zero would stay zero; equal low bits of neighbouring seeds are spread first.
        Self(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    /// A number below `bound`, 0 if that is 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % (bound.max(1) as u64)) as usize
    }
    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// Numbers at which counters, lengths, offsets and indices go wrong.
const EDGES: [u32; 18] = [
    0,
    1,
    2,
    3,
    4,
    7,
    8,
    16,
    0x7f,
    0xff,
    0x100,
    0xffff,
    0x1_0000,
    0x3fff_ffff,
    0x4000_0001,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
];

/// Pieces of the text forms.
const WORDS: [&str; 34] = [
    "0",
    "-1",
    "4294967295",
    "4294967296",
    "18446744073709551616",
    "1e400",
    "nan",
    "-0",
    "\"",
    "\\",
    "\\u{d800}",
    "\n",
    "\r\n",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    ",",
    ":",
    "%0",
    "_",
    "null",
    "true",
    "= [0]",
    "f32[?]",
    "\u{0}",
    "\u{feff}",
    "\u{202e}",
    "#",
    "==",
    "==== Run Order ====",
    "999999999999999999999",
];

/// `seed` with one to four changes, never longer than `longest`; `others` lend parts.
pub(crate) fn mutate(random: &mut Random, seed: &[u8], others: &[Vec<u8>], longest: usize) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=random.below(4) {
        change(random, &mut bytes, others);
    }
    bytes.truncate(longest);
    bytes
}

fn change(random: &mut Random, bytes: &mut Vec<u8>, others: &[Vec<u8>]) {
    let len = bytes.len();
    let at = random.below(len);
    match random.below(13) {
        0 if len > 0 => bytes[at] ^= 1 << random.below(8),
        1 if len > 0 => bytes[at] = random.next() as u8,
        2 => bytes.truncate(at),
        3..=5 if len >= 4 => {
            let at = at.min(len - 4) & !3;
            let before = u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
            let value = match random.below(4) {
                0 => before.wrapping_add(1),
                1 => before.wrapping_sub(1),
                2 => before.wrapping_add(4),
                _ => *random.pick(&EDGES),
            };
            bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        }
        6 if len > 0 => {
            // Twice in a row; often a whole record, line or vector.
            let part = bytes[at..(at + 1 + random.below(64)).min(len)].to_vec();
            bytes.splice(at..at, part);
        }
        7 => drop(bytes.drain(at..(at + random.below(32)).min(len))),
        8 => drop(bytes.splice(at..at, random.pick(&WORDS).bytes())),
        9 => {
            // A number of the text form.
            let is_digit = |b: &u8| b.is_ascii_digit();
            if let Some(start) = bytes[at..].iter().position(is_digit).map(|p| p + at) {
                let end = bytes[start..].iter().position(|b| !is_digit(b)).map_or(len, |p| p + start);
                bytes.splice(start..end, random.pick(&WORDS[..8]).bytes());
            }
        }
        10 => {
            let other = random.pick(others);
            let from = random.below(other.len());
            let part = &other[from..(from + random.below(256)).min(other.len())];
            // Over what is there, or in between.
            let end = if random.below(2) == 0 { at } else { (at + part.len()).min(len) };
            bytes.splice(at..end, part.iter().copied());
        }
        11 if len > 0 => {
            let to = random.below(len);
            bytes.swap(at, to);
        }
        _ if len > 0 => {
            let end = (at + 1 + random.below(16)).min(len);
            bytes[at..end].fill(if random.below(2) == 0 { 0 } else { 0xff });
        }
        _ => bytes.extend(random.next().to_le_bytes()),
    }
}
