//! Records filled at random, for round trips. Seeded: a failure repeats.

use std::sync::Arc;

use circle_tables::{Datum, Element, EnumDef, Kind, Record, Scalar, TableDef};

/// SplitMix64: short, and good enough to reach every branch.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn int(&mut self, scalar: Scalar) -> i64 {
        let bits = self.next() as i64;
        // Small numbers and limits are where the mistakes are.
        let bits = [bits, bits & 3, 0, -1, i64::MAX, i64::MIN][self.below(6)];
        match scalar {
            Scalar::I8 => i64::from(bits as i8),
            Scalar::U8 => i64::from(bits as u8),
            Scalar::I16 => i64::from(bits as i16),
            Scalar::U16 => i64::from(bits as u16),
            Scalar::I32 => i64::from(bits as i32),
            Scalar::U32 => i64::from(bits as u32),
            _ => bits,
        }
    }

    fn enumerated(&mut self, def: &EnumDef) -> i64 {
        if self.chance(80) { def.values[self.below(def.values.len())].1 } else { self.int(def.base) }
    }

    fn f32(&mut self) -> f32 {
        let random = f32::from_bits(self.next() as u32);
        [random, 0.0, -0.0, f32::NAN, f32::NEG_INFINITY, f32::from_bits(0xffc0_0001), 1e-5][self.below(7)]
    }

    fn f64(&mut self) -> f64 {
        let random = f64::from_bits(self.next());
        [random, 0.0, -0.0, f64::NAN, f64::INFINITY][self.below(5)]
    }

    fn text(&mut self) -> Arc<str> {
        let texts = ["", "conv/relu", "a\"b\\c", "\0\n\r\t\u{1b}", "模型 é\u{202e}x", "</script>;{[,]}="];
        Arc::from(texts[self.below(texts.len())])
    }

    fn several<T>(&mut self, mut one: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(5)).map(|_| one(self)).collect()
    }

    /// A record of a table with about two thirds of its fields present.
    pub(crate) fn record(&mut self, def: &'static TableDef) -> Record {
        let mut record = Record::new(def);
        for field in def.fields {
            if self.chance(35) {
                continue;
            }
            let datum = self.datum(field.kind);
            record.set(field.name, datum).expect("a value made for the field");
        }
        record
    }

    fn datum(&mut self, kind: Kind) -> Datum {
        match kind {
            Kind::Scalar(Scalar::Bool) => Datum::Bool(self.chance(50)),
            Kind::Scalar(Scalar::F32) => Datum::F32(self.f32()),
            Kind::Scalar(Scalar::F64) => Datum::F64(self.f64()),
            Kind::Scalar(scalar) => Datum::Int(self.int(scalar)),
            Kind::Enum(def) => Datum::Int(self.enumerated(def)),
            Kind::String => Datum::Str(self.text()),
            Kind::Table(def) => Datum::Record(Box::new(self.record(def))),
            Kind::Union(def) => {
                let member = def.members[self.below(def.members.len())].1;
                Datum::Union(Box::new(self.record(member)))
            }
            Kind::Vector(element) => match element {
                Element::Scalar(Scalar::Bool) => Datum::Bools(self.several(|random| random.chance(50))),
                Element::Scalar(Scalar::U8) => {
                    Datum::Bytes(self.several(|random| random.next() as u8).into())
                }
                Element::Scalar(Scalar::F32) => Datum::F32s(self.several(Self::f32)),
                Element::Scalar(Scalar::F64) => Datum::F64s(self.several(Self::f64)),
                Element::Scalar(scalar) => Datum::Ints(self.several(|random| random.int(scalar))),
                Element::Enum(def) => Datum::Ints(self.several(|random| random.enumerated(def))),
                Element::String => Datum::Strs(self.several(Self::text)),
                Element::Table(def) => Datum::Records(self.several(|random| random.record(def))),
            },
        }
    }
}
