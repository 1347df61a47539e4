//! Whether a profile was measured on the model at hand, as far as it says so.

use std::fmt;

use circle_metadata::hex;
use circle_metadata::profile::Profile;

/// Digests of the model file as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelDigests {
    /// MD5 of all its bytes.
    pub md5: [u8; 16],
    /// SHA-256 of all its bytes.
    pub sha256: [u8; 32],
}

/// What a profile says of the model it was measured on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    /// It was this one.
    Confirmed,
    /// Nothing.
    Unstated,
}

/// A profile of another model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdentityError {
    /// The key in the profile's header.
    pub key: String,
    /// What the profile says.
    pub stated: String,
    /// What the model has.
    pub found: String,
}

impl fmt::Display for IdentityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, stated, found } = self;
        write!(f, "{key} is {stated:?} in the profile and {found} here: it was measured on another model")
    }
}

impl std::error::Error for IdentityError {}

/// Compares `model_sha256` and `model_md5` of the profile's header with the digests of the model. A leading
/// `sha256:` or `md5:` in the value is taken as part of the notation. Callers who know better ignore the error.
///
/// # Errors
/// The first header entry that is not the model's digest.
pub fn check(profile: &Profile, model: &ModelDigests) -> Result<Identity, IdentityError> {
    let mut identity = Identity::Unstated;
    for (key, stated) in &profile.header {
        let (prefix, found) = match key.as_str() {
            "model_sha256" => ("sha256:", hex::encode(&model.sha256)),
            "model_md5" => ("md5:", hex::encode(&model.md5)),
            _ => continue,
        };
        if !stated.strip_prefix(prefix).unwrap_or(stated).eq_ignore_ascii_case(&found) {
            let stated: String = stated.chars().take(80).collect();
            return Err(IdentityError { key: key.clone(), stated, found });
        }
        identity = Identity::Confirmed;
    }
    Ok(identity)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_in_the_header_are_compared() {
        let model = ModelDigests { md5: [0xab; 16], sha256: [0xcd; 32] };
        let stated = |header: &str| {
            let text = format!("{header}\nsubgraph,op_index,metric,unit,value\n0,0,time,ns,1\n");
            check(&circle_metadata::profile::read("p.csv", text.as_bytes()).unwrap(), &model)
        };
        assert_eq!(stated("# producer=x"), Ok(Identity::Unstated));
        assert_eq!(stated(&format!("# model_md5={}", "AB".repeat(16))), Ok(Identity::Confirmed));
        assert_eq!(stated(&format!("# model_sha256=sha256:{}", "cd".repeat(32))), Ok(Identity::Confirmed));
        let error = stated(&format!("# model_sha256={}, model_md5=00", "cd".repeat(32))).unwrap_err();
        let text = "model_md5 is \"00\" in the profile and abababababababababababababababab here: it was measured \
                    on another model";
        assert_eq!(error.to_string(), text);
    }
}
