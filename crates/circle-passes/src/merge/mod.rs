//! Rules of the kind `merge`.
