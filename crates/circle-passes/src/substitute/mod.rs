//! Rules of the kind `substitute`.
