//! How many bytes a tensor takes.

use circle_ir::{ElementType, Value};

use crate::error::SizeFault;

/// Bytes of the elements of a tensor, densely packed: the product of its dimensions times the size of an element. A
/// tensor without dimensions is one element; one with a dimension of 0 takes nothing. Two elements of 4 bits share a
/// byte, the last of an odd number has one of its own.
///
/// # Errors
/// When a dimension is open, the elements have no fixed size, or the product exceeds 64 bits.
pub fn bytes(value: &Value) -> Result<u64, SizeFault> {
    match open(value.shape_signature()) {
        Some(dimension) => Err(SizeFault::Dynamic { dimension }),
        None => stated(value),
    }
}

/// The same with what the shape states in place of open dimensions, which is 1 by convention.
///
/// # Errors
/// As [`bytes`], where the shape itself is open.
pub fn stated(value: &Value) -> Result<u64, SizeFault> {
    if let Some(dimension) = open(value.shape()) {
        return Err(SizeFault::Dynamic { dimension });
    }
    // A product that is 0 in the end must not overflow on the way.
    let elements =
        if value.shape().contains(&0) { 0 } else { value.elements().ok_or(SizeFault::Overflow)? };
    of_elements(value.ty(), elements)
}

fn open(dims: &[i64]) -> Option<usize> {
    dims.iter().position(|&dim| dim < 0)
}

/// Types whose elements take half a byte: `INT4` and circle's `UINT4`.
const HALF_BYTE: [i8; 2] = [17, -1];

/// `RESOURCE`: a handle, which runtimes hold in the tensor as a number of 4 bytes. What it stands for lies elsewhere.
const HANDLE: i8 = 13;
const HANDLE_BYTES: u64 = 4;

fn of_elements(ty: ElementType, elements: u64) -> Result<u64, SizeFault> {
    if HALF_BYTE.contains(&ty.0) {
        return Ok(elements.div_ceil(2));
    }
    let size = match ty.0 {
        HANDLE => HANDLE_BYTES,
        _ => ty.bytes().ok_or_else(|| SizeFault::Type { name: ty.short_name() })?,
    };
    elements.checked_mul(size).ok_or(SizeFault::Overflow)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(tensor: &str) -> Result<u64, SizeFault> {
        sized(bytes, tensor)
    }

    fn sized(size: fn(&Value) -> Result<u64, SizeFault>, tensor: &str) -> Result<u64, SizeFault> {
        let text = format!("subgraph sg0 \"\" (%0) -> (%0)\n%0: {tensor} \"x\"\n");
        let model = circle_ir::text::parse(&text).unwrap();
        let (_, sg) = model.subgraphs().next().unwrap();
        let (_, value) = sg.values().next().unwrap();
        size(value)
    }

    #[test]
    fn dimensions_times_element_size() {
        assert_eq!(size("f32[2,3,5]"), Ok(120));
        assert_eq!(size("i8[7]"), Ok(7));
        assert_eq!(size("bool[7]"), Ok(7));
        assert_eq!(size("f16[7]"), Ok(14));
        assert_eq!(size("complex64[3]"), Ok(24));
    }

    #[test]
    fn no_dimension_is_one_element_and_a_zero_is_none() {
        assert_eq!(size("f32[]"), Ok(4));
        assert_eq!(size("f32[4,0]"), Ok(0));
        assert_eq!(size("f32[2147483647,2147483647,2147483647,0]"), Ok(0));
    }

    #[test]
    fn half_bytes_are_packed() {
        assert_eq!(size("i4[6]"), Ok(3));
        assert_eq!(size("i4[7]"), Ok(4));
        assert_eq!(size("u4[1]"), Ok(1));
    }

    #[test]
    fn handles_are_numbers() {
        assert_eq!(size("resource[]"), Ok(4));
        assert_eq!(size("resource[3]"), Ok(12));
    }

    #[test]
    fn what_has_no_size_is_refused() {
        assert_eq!(size("f32[1,?]"), Err(SizeFault::Dynamic { dimension: 1 }));
        assert_eq!(sized(stated, "f32[1,?]"), Ok(4));
        assert_eq!(size("string[2]"), Err(SizeFault::Type { name: "string".into() }));
        assert_eq!(size("variant[1]"), Err(SizeFault::Type { name: "variant".into() }));
        assert_eq!(size("resource[?]"), Err(SizeFault::Dynamic { dimension: 0 }));
        assert_eq!(size("f32[2147483647,2147483647,2147483647]"), Err(SizeFault::Overflow));
        assert_eq!(size("f64[2147483647,2147483647]"), Err(SizeFault::Overflow));
    }
}
