//! Rules of the kind `forward`.
