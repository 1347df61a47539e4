//! Decimal text to whole numbers, exactly or not at all.

use crate::profile::ValueFault;

/// The decimal number in `text` times `scale`, as a whole number of at least 0.
///
/// Takes an optional sign, digits with an optional point, and an optional exponent, as JSON and C print
/// them. No float is involved: `0.001` times a million is one thousand and nothing else.
///
/// # Errors
/// What is not a number, is below zero, is no whole number after scaling, or does not fit an `i64`.
pub(crate) fn exact(text: &str, scale: u64) -> Result<i64, ValueFault> {
    let Number { negative, digits, exponent } = parse(text)?;
    if digits == 0 {
        return Ok(0);
    }
    if negative {
        return Err(ValueFault::Negative);
    }
    let mut value = digits.checked_mul(u128::from(scale)).ok_or(ValueFault::TooLarge)?;
    for _ in 0..exponent.unsigned_abs() {
        if exponent > 0 {
            value = value.checked_mul(10).ok_or(ValueFault::TooLarge)?;
        } else if value % 10 == 0 {
            value /= 10;
        } else {
            return Err(ValueFault::Inexact);
        }
    }
    i64::try_from(value).map_err(|_| ValueFault::TooLarge)
}

/// Whether `text` is a decimal number at all.
///
/// # Errors
/// [`ValueFault::NotANumber`] or, for one of more than 38 digits, [`ValueFault::TooLarge`].
pub(crate) fn number(text: &str) -> Result<(), ValueFault> {
    parse(text).map(|_| ())
}

/// `digits * 10^exponent`, and its sign.
struct Number {
    negative: bool,
    digits: u128,
    exponent: i64,
}

fn parse(text: &str) -> Result<Number, ValueFault> {
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        None => (unsigned, 0),
        Some((mantissa, exponent)) => {
            // `parse` would take a lone sign or nothing for an error, as it should be.
            (mantissa, exponent.parse::<i32>().map_err(|_| ValueFault::NotANumber)?)
        }
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all_digits = whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit());
    if !all_digits || whole.is_empty() && fraction.is_empty() {
        return Err(ValueFault::NotANumber);
    }
    let fraction = fraction.trim_end_matches('0');
    let mut digits = 0_u128;
    for byte in whole.bytes().chain(fraction.bytes()) {
        let digit = u128::from(byte - b'0');
        digits = digits
            .checked_mul(10)
            .and_then(|digits| digits.checked_add(digit))
            .ok_or(ValueFault::TooLarge)?;
    }
    // The fraction is shorter than the text in memory, so this cannot overflow.
    Ok(Number { negative, digits, exponent: i64::from(exponent) - fraction.len() as i64 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn milliseconds_become_nanoseconds_exactly() {
        let ms = |text| exact(text, 1_000_000);
        assert_eq!(ms("0.013"), Ok(13_000));
        assert_eq!(ms("0.0130000000000"), Ok(13_000));
        assert_eq!(ms("0.000001"), Ok(1));
        assert_eq!(ms("1.000001"), Ok(1_000_001));
        assert_eq!(ms("1e-05"), Ok(10));
        assert_eq!(ms("2.5E3"), Ok(2_500_000_000));
        assert_eq!(ms(".5"), Ok(500_000));
        assert_eq!(ms("5."), Ok(5_000_000));
        assert_eq!(ms("-0.0"), Ok(0));
        assert_eq!(ms("0e999999999"), Ok(0));
    }

    #[test]
    fn a_float_would_have_been_wrong() {
        // 0.1 + 0.2 in binary is not 0.3; nor is 4.35 * 100 equal to 435.
        assert_eq!(exact("4.35", 100), Ok(435));
        assert_eq!(exact("9007199254.740993", 1_000_000), Ok(9_007_199_254_740_993));
    }

    #[test]
    fn limits() {
        assert_eq!(exact("9223372036854775807", 1), Ok(i64::MAX));
        assert_eq!(exact("9223372036854775808", 1), Err(ValueFault::TooLarge));
        assert_eq!(exact("1e18", 1_000), Err(ValueFault::TooLarge));
        assert_eq!(exact("1e2147483647", 1), Err(ValueFault::TooLarge));
        assert_eq!(exact("1e-2147483647", 1), Err(ValueFault::Inexact));
        assert_eq!(exact(&"9".repeat(50), 1), Err(ValueFault::TooLarge));
        assert_eq!(exact(&"0".repeat(5000), 1), Ok(0));
    }

    #[test]
    fn what_is_refused() {
        for text in
            ["", "-", "+", ".", "NaN", "inf", "1e", "e1", "1e+", "0x1", "1,5", "1 ", "--1", "1.2.3", "½"]
        {
            assert_eq!(exact(text, 1), Err(ValueFault::NotANumber), "{text:?}");
        }
        assert_eq!(exact("-1", 1), Err(ValueFault::Negative));
        assert_eq!(exact("0.0000001", 1_000_000), Err(ValueFault::Inexact));
        assert_eq!(exact("17.118647999999997", 1_000), Err(ValueFault::Inexact));
        assert_eq!(number("-99.5"), Ok(()));
    }
}
