//! The picture as a page: one offline file.

use super::chart::{Chart, check};
use super::html_data::PageData;
use super::options::{ColourBy, Options};
use super::plan::Plan;
use super::svg::title;
use crate::encode::html::{DOM, TEXT, assemble};
use crate::error::Error;

const PAGE: &str = include_str!("../../assets/memory/page.html");
pub(super) const STYLE: &str =
    concat!(include_str!("../../assets/page/page.css"), include_str!("../../assets/memory/memory.css"));
const SCRIPT: [&str; 20] = [
    TEXT,
    DOM,
    include_str!("../../assets/memory/units.js"),
    include_str!("../../assets/memory/columns.js"),
    include_str!("../../assets/memory/overlap.js"),
    include_str!("../../assets/memory/check.js"),
    include_str!("../../assets/memory/form.js"),
    include_str!("../../assets/memory/groups.js"),
    include_str!("../../assets/memory/figures.js"),
    include_str!("../../assets/memory/paint.js"),
    include_str!("../../assets/memory/raster.js"),
    include_str!("../../assets/memory/names.js"),
    include_str!("../../assets/memory/words.js"),
    include_str!("../../assets/memory/plot.js"),
    include_str!("../../assets/memory/lines.js"),
    include_str!("../../assets/memory/strip.js"),
    include_str!("../../assets/memory/input.js"),
    include_str!("../../assets/memory/panels.js"),
    include_str!("../../assets/memory/export.js"),
    include_str!("../../assets/memory/app.js"),
];

/// Draws memory plans as an interactive page. All numbers in it are exact; those beyond 2^53 - 1 are drawn where the nearest
/// number is that scripts draw with.
///
/// # Errors
/// [`Error::Segment`] and [`Error::Ticks`] where what is asked for is not there.
pub fn html(plans: &[Plan], options: &Options) -> Result<String, Error> {
    check(plans, options)?;
    // Groups of origins are found here; kinds and sizes the page can tell itself.
    let grouped = Options { colour: ColourBy::Origin, ..options.clone() };
    let data = serde_json::to_string(&PageData::new(&Chart::new(plans, &grouped)?, options.colour))?;
    Ok(assemble(PAGE, STYLE, &SCRIPT, &title(plans), &data))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::html::assert_harmless;

    #[test]
    fn the_assets_cannot_end_their_own_elements() {
        assert_harmless(PAGE, STYLE, &SCRIPT);
    }
}
