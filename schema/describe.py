#!/usr/bin/env python3
"""Writes the static tables of crates/circle-tables from compiled schemas.

usage: describe.py CIRCLE.bfbs TFLITE.bfbs OUTPUT_FOLDER

A .bfbs file is a flatbuffer that describes a schema (flatbuffers' own reflection.fbs). The few
tables needed are read here by slot number, so that nothing but the Python standard library is used.
"""

import re
import struct
import sys
from pathlib import Path

# reflection.BaseType
UTYPE, BOOL, VECTOR, OBJ, UNION, STRING = 1, 2, 14, 15, 16, 13
SCALARS = {
    1: "U8", 2: "Bool", 3: "I8", 4: "U8", 5: "I16", 6: "U16",
    7: "I32", 8: "U32", 9: "I64", 10: "U64", 11: "F32", 12: "F64",
}


class Table:
    """A flatbuffers table: fields are found by slot through the vtable."""

    def __init__(self, data, pos):
        self.data, self.pos = data, pos
        self.vtable = pos - struct.unpack_from("<i", data, pos)[0]
        self.vtable_size = struct.unpack_from("<H", data, self.vtable)[0]

    def _field(self, slot):
        entry = 4 + 2 * slot
        if entry >= self.vtable_size:
            return 0
        offset = struct.unpack_from("<H", self.data, self.vtable + entry)[0]
        return self.pos + offset if offset else 0

    def _follow(self, pos):
        return pos + struct.unpack_from("<I", self.data, pos)[0]

    def scalar(self, slot, form, default=0):
        at = self._field(slot)
        return struct.unpack_from("<" + form, self.data, at)[0] if at else default

    def string(self, slot):
        at = self._follow(self._field(slot))
        size = struct.unpack_from("<I", self.data, at)[0]
        return self.data[at + 4 : at + 4 + size].decode()

    def table(self, slot):
        at = self._field(slot)
        return Table(self.data, self._follow(at)) if at else None

    def tables(self, slot):
        at = self._field(slot)
        if not at:
            return []
        at = self._follow(at)
        count = struct.unpack_from("<I", self.data, at)[0]
        return [Table(self.data, self._follow(at + 4 + 4 * i)) for i in range(count)]


class Type:
    def __init__(self, table):
        self.base = table.scalar(0, "b")
        self.element = table.scalar(1, "b")
        self.index = table.scalar(2, "i", -1)


class Schema:
    """Names, slots, kinds and defaults of one compiled schema."""

    def __init__(self, path):
        data = Path(path).read_bytes()
        root = Table(data, struct.unpack_from("<I", data, 0)[0])
        self.objects = root.tables(0)
        self.enums = root.tables(1)
        self.identifier = root.string(2)
        self.root = bare(root.table(4).string(0))
        for item in self.objects:
            if item.scalar(2, "B"):
                sys.exit(f"{path}: struct {item.string(0)}: structs are not supported")


def bare(name):
    return name.rsplit(".", 1)[-1]


# Names whose capitals do not mark the start of a word.
WORDS = {"ATan": "Atan", "RoPE": "Rope", "StableHLO": "Stablehlo"}


def const(name):
    """CamelCase to UPPER_SNAKE: FullyConnectedOptions becomes FULLY_CONNECTED_OPTIONS."""
    for written, read in WORDS.items():
        name = name.replace(written, read)
    name = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z0-9])(?=[A-Z][a-z])", "_", name)
    return name.upper()


def kind(schema, type_):
    if type_.base == VECTOR:
        return f"Kind::Vector(Element::{element(schema, type_)})"
    if type_.base == UNION:
        return f"Kind::Union(&{const(bare(schema.enums[type_.index].string(0)))})"
    return f"Kind::{single(schema, type_.base, type_.index)}"


def element(schema, type_):
    if type_.element in (VECTOR, UNION, UTYPE):
        sys.exit("vectors of vectors and of unions are not supported")
    return single(schema, type_.element, type_.index)


def single(schema, base, index):
    if base == STRING:
        return "String"
    if base == OBJ:
        return f"Table(&{const(bare(schema.objects[index].string(0)))})"
    if index >= 0:
        return f"Enum(&{const(bare(schema.enums[index].string(0)))})"
    return f"Scalar(Scalar::{SCALARS[base]})"


def default(type_, field):
    if type_.base == BOOL:
        return f"DefaultValue::Bool({'true' if field.scalar(4, 'q') else 'false'})"
    if type_.base == 11:
        return f"DefaultValue::F32({field.scalar(5, 'd', 0.0)!r})"
    if type_.base == 12:
        return f"DefaultValue::F64({field.scalar(5, 'd', 0.0)!r})"
    if type_.base in SCALARS:
        return f"DefaultValue::Int({field.scalar(4, 'q')})"
    return "Absent"


def describe(schema, static, name):
    out = [
        f"//! Tables of the {name} schema, as `schema/{name}.fbs` states them.",
        "//!",
        "//! Written by `schema/regen.sh`. Do not edit.",
        "",
        "use crate::schema::DefaultValue::{self, Absent};",
        "use crate::schema::{Element, EnumDef, FieldDef, Kind, Scalar, SchemaDef, TableDef, UnionDef};",
        "",
    ]
    names = {"tables": [], "enums": [], "unions": []}
    for item in schema.enums:
        full = bare(item.string(0))
        values = sorted(
            (value.scalar(1, "q"), value.string(0), Type(value.table(3)) if value.table(3) else None)
            for value in item.tables(1)
        )
        if item.scalar(2, "B"):
            names["unions"].append(full)
            out.append(f"/// Union `{full}`.")
            out.append(f'pub static {const(full)}: UnionDef = UnionDef {{ name: "{full}", members: &[')
            for number, _, type_ in values:
                if number:
                    out.append(f"    ({number}, &{const(bare(schema.objects[type_.index].string(0)))}),")
        else:
            names["enums"].append(full)
            base = SCALARS[item.table(3).scalar(0, "b")]
            out.append(f"/// Enumeration `{full}`.")
            out.append(f"pub static {const(full)}: EnumDef = EnumDef {{")
            out.append(f'    name: "{full}", base: Scalar::{base}, values: &[')
            for number, label, _ in values:
                out.append(f'    ("{label}", {number}),')
        out += ["] };", ""]
    for item in schema.objects:
        full = bare(item.string(0))
        names["tables"].append(full)
        out.append(f"/// Table `{full}`.")
        fields = []
        for field in item.tables(1):
            type_ = Type(field.table(1))
            # The tag of a union is described with its value, one slot above.
            if type_.base != UTYPE:
                fields.append((field.scalar(2, "H"), field, type_))
        out.append(f'pub static {const(full)}: TableDef = TableDef {{ name: "{full}", fields: &[')
        for slot, field, type_ in sorted(fields, key=lambda entry: entry[0]):
            made = "deprecated" if field.scalar(6, "B") else "new"
            row = f'"{field.string(0)}", {slot}, {kind(schema, type_)}, {default(type_, field)}'
            out.append(f"    FieldDef::{made}({row}),")
        out += ["] };", ""]
    out += [
        f"/// The {name} schema, as `schema/{name}.fbs` states it.",
        f"pub static {static}: SchemaDef = SchemaDef {{",
        f'    name: "{name}",',
        f'    file_identifier: "{schema.identifier}",',
        f"    root: &{const(schema.root)},",
    ]
    for group in ("tables", "enums", "unions"):
        # Sorted by name, because the description is searched by name.
        out.append(f"    {group}: &[")
        out += [f"        &{const(entry)}," for entry in sorted(names[group])]
        out.append("    ],")
    out += ["};", ""]
    return "\n".join(out)


def opcodes(schema):
    out = [
        "//! The codes of circle's operators, as `schema/circle.fbs` states them.",
        "//!",
        "//! Written by `schema/regen.sh`. Do not edit.",
        "",
    ]
    builtin = next(item for item in schema.enums if bare(item.string(0)) == "BuiltinOperator")
    for value in sorted(builtin.tables(1), key=lambda value: value.scalar(1, "q")):
        label, number = value.string(0), value.scalar(1, "q")
        out += [f"/// `BuiltinOperator` {number}.", f"pub const {label}: i32 = {number};"]
    out.append("")
    return "\n".join(out)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    circle, tflite, folder = Schema(sys.argv[1]), Schema(sys.argv[2]), Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "circle.rs").write_text(describe(circle, "CIRCLE", "circle"))
    (folder / "tflite.rs").write_text(describe(tflite, "TFLITE", "tflite"))
    (folder / "opcode.rs").write_text(opcodes(circle))


if __name__ == "__main__":
    main()
