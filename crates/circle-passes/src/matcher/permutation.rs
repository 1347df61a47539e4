//! Permutations of dimensions, in the sense of TRANSPOSE: output dimension `i` is input dimension `perm[i]`.

use circle_ir::{ElementType, Value, ValueSpec};

/// Whether nothing moves.
pub fn is_identity(perm: &[usize]) -> bool {
    perm.iter().enumerate().all(|(i, &p)| i == p)
}

/// The permutation of `first` followed by `second`; nothing if they are of different rank.
pub fn compose(first: &[usize], second: &[usize]) -> Option<Vec<usize>> {
    if first.len() != second.len() {
        return None;
    }
    second.iter().map(|&p| first.get(p).copied()).collect()
}

/// The permutation that undoes `perm`.
pub fn inverse(perm: &[usize]) -> Option<Vec<usize>> {
    let mut out = vec![0; perm.len()];
    for (i, &p) in perm.iter().enumerate() {
        *out.get_mut(p)? = i;
    }
    Some(out)
}

/// `list` of one entry a dimension, as it was before `perm`: entry `i` belongs to dimension `perm[i]`.
pub fn undo<T: Copy + Default>(list: &[T], perm: &[usize]) -> Option<Vec<T>> {
    if list.len() != perm.len() {
        return None;
    }
    let mut out = vec![T::default(); perm.len()];
    for (&entry, &p) in list.iter().zip(perm) {
        *out.get_mut(p)? = entry;
    }
    Some(out)
}

/// The tensor that TRANSPOSE by `perm` turns into `value`, under another name. Open dimensions stay open.
pub fn before_transpose(value: &Value, perm: &[usize], name: &str) -> Option<ValueSpec> {
    let shape = undo(value.shape(), perm)?;
    let signature = value.record().ints("shape_signature");
    let signature = if signature.is_empty() { Vec::new() } else { undo(signature, perm)? };
    Some(ValueSpec::like(value, name).shaped(&shape).with_signature(&signature))
}

/// The bytes of a vector of integers of type `ty` (`i32` or `i64`); nothing if one does not fit or `ty` is another.
pub fn integer_bytes(ty: ElementType, numbers: &[i64]) -> Option<Vec<u8>> {
    match ty {
        ElementType::INT32 => {
            let narrow: Option<Vec<i32>> = numbers.iter().map(|&n| i32::try_from(n).ok()).collect();
            Some(narrow?.into_iter().flat_map(i32::to_le_bytes).collect())
        }
        ElementType::INT64 => Some(numbers.iter().flat_map(|n| n.to_le_bytes()).collect()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permutations_compose_and_invert() {
        let (nchw, nhwc) = ([0, 3, 1, 2], [0, 2, 3, 1]);
        assert_eq!(compose(&nchw, &nhwc).unwrap(), [0, 1, 2, 3]);
        assert_eq!(inverse(&nchw).unwrap(), nhwc);
        assert_eq!(undo(&[1, 8, 4, 5], &nchw).unwrap(), [1, 4, 5, 8]);
        assert_eq!(compose(&[1, 2, 0], &[1, 0, 2]).unwrap(), [2, 1, 0]);
        assert!(is_identity(&[0, 1, 2]) && !is_identity(&[1, 0]));
        assert_eq!(compose(&[0], &[0, 1]), None);
        assert_eq!(inverse(&[3, 0]), None);
    }

    #[test]
    fn integers_must_fit() {
        assert_eq!(integer_bytes(ElementType::INT32, &[1]).unwrap(), [1, 0, 0, 0]);
        assert_eq!(integer_bytes(ElementType::INT32, &[1 << 40]), None);
        assert_eq!(integer_bytes(ElementType::INT64, &[-1]).unwrap(), [255; 8]);
        assert_eq!(integer_bytes(ElementType::FLOAT32, &[0]), None);
    }
}
