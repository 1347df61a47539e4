//! Rules of the kind `remove`.
