//! Draws graphs as SVG, PNG, JPEG and interactive HTML.
