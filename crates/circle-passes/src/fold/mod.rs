//! Rules of the kind `fold`.
