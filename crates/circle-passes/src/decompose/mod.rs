//! Rules of the kind `decompose`.
