//! What stands in an operator's box.

use crate::scene::{MetricInfo, MetricValue, Node, OriginRef, Scene, Terminal};
use crate::text::{quantity, shorten, visible};
use crate::text_metrics::{Weight, fit, width};

/// Font size of the operator kind, in pixels.
pub(crate) const KIND_SIZE: f64 = 12.0;
/// Font size of all else in a box, in pixels.
pub(crate) const TEXT_SIZE: f64 = 10.5;
/// Space between a box's edge and its text, in pixels.
pub(crate) const PAD: f64 = 8.0;
/// Height of an operator's box, in pixels.
pub(crate) const HEIGHT: f64 = 50.0;
/// Height of a terminal's box, in pixels.
pub(crate) const TERMINAL_HEIGHT: f64 = 34.0;
const NARROWEST: f64 = 132.0;
const WIDEST: f64 = 196.0;

/// The lines of a box, cut to its width.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Card {
    /// Operator kind.
    pub(crate) kind: String,
    /// Cost, at the right of the kind; may be empty.
    pub(crate) cost: String,
    /// Name.
    pub(crate) name: String,
    /// Number and originals.
    pub(crate) origins: String,
    /// Type and shape, at the right of the originals; may be empty.
    pub(crate) output: String,
}

/// Width at which most of a graph's boxes show all they hold, within bounds, in pixels.
pub(crate) fn common_width(nodes: &[Node], metric: Option<(usize, &MetricInfo)>) -> f64 {
    let mut needs: Vec<f64> = nodes
        .iter()
        .map(|node| {
            let kind = width(&shorten(&node.opcode, 40), KIND_SIZE, Weight::Bold);
            let cost = width(&cost_text(node, metric), TEXT_SIZE, Weight::Regular);
            let name = width(&shorten(&node.name, 60), TEXT_SIZE, Weight::Regular);
            let last = width(&origin_text(node), TEXT_SIZE, Weight::Regular)
                + width(&shorten(&node.output, 40), TEXT_SIZE, Weight::Regular);
            (kind + cost + 10.0).max(name).max(last + 10.0) + 2.0 * PAD
        })
        .collect();
    needs.sort_by(f64::total_cmp);
    let most = needs.get(needs.len() * 9 / 10).copied().unwrap_or(NARROWEST);
    most.clamp(NARROWEST, WIDEST).ceil()
}

/// The box of an operator, `width` pixels wide.
pub(crate) fn card(node: &Node, metric: Option<(usize, &MetricInfo)>, width_of_box: f64) -> Card {
    let room = width_of_box - 2.0 * PAD;
    let cost = fit(&cost_text(node, metric), TEXT_SIZE, Weight::Regular, room / 2.0);
    let kind_room = room - width(&cost, TEXT_SIZE, Weight::Regular) - 6.0;
    let origins = fit(&origin_text(node), TEXT_SIZE, Weight::Regular, room);
    let output_room = room - width(&origins, TEXT_SIZE, Weight::Regular) - 8.0;
    let output = if output_room > 30.0 {
        fit(&node.output, TEXT_SIZE, Weight::Regular, output_room)
    } else {
        String::new()
    };
    Card {
        kind: fit(&node.opcode, KIND_SIZE, Weight::Bold, kind_room),
        cost,
        name: fit(&node.name, TEXT_SIZE, Weight::Regular, room),
        origins,
        output,
    }
}

/// The two lines of a terminal.
pub(crate) fn terminal(terminal: &Terminal, what: &str, width: f64) -> [String; 2] {
    let room = width - 2.0 * PAD;
    let head = if terminal.label.is_empty() {
        what.to_owned()
    } else {
        format!("{what} · {}", shorten(&terminal.label, 60))
    };
    [fit(&head, TEXT_SIZE, Weight::Bold, room), fit(&terminal.name, TEXT_SIZE, Weight::Regular, room)]
}

fn cost_text(node: &Node, metric: Option<(usize, &MetricInfo)>) -> String {
    metric
        .and_then(|(index, info)| Some(quantity(i128::from(node.integer(index)?), &info.unit)))
        .unwrap_or_default()
}

/// Number and originals: `#7 ← 12+13`. More than four originals are counted.
fn origin_text(node: &Node) -> String {
    if node.is_unknown() {
        return format!("#{} ? unknown", node.operator);
    }
    let part = |origin: &OriginRef| match origin.part {
        Some((k, n)) if n > 1 => format!("{} ({k}/{n})", origin.id),
        _ => origin.id.to_string(),
    };
    let shown: Vec<String> = node.origins.iter().take(4).map(part).collect();
    let more = match node.origins.len().saturating_sub(4) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let mark = if node.is_helper() { "helper of " } else { "← " };
    format!("#{} {mark}{}{more}", node.operator, shown.join("+"))
}

/// All that is known of an operator, as lines for a tool tip.
pub(crate) fn tooltip(scene: &Scene, names: &dyn Fn(u32) -> Option<String>, node: &Node) -> String {
    let mut lines =
        vec![format!("#{} {}", node.operator, shorten(&node.opcode, 80)), shorten(&node.name, 200)];
    if !node.output.is_empty() {
        lines.push(shorten(&node.output, 120));
    }
    for (index, value) in &node.metrics {
        let Some(info) = scene.metrics.get(*index as usize) else { continue };
        let value = match value {
            MetricValue::Integer(value) => format!("{value} {}", visible(&info.unit)),
            MetricValue::Text(text) => shorten(text, 80),
        };
        lines.push(format!("{}: {value}", shorten(&info.name, 40)));
    }
    for origin in node.origins.iter().take(20) {
        let part = origin.part.map(|(k, n)| format!(", part {k} of {n}")).unwrap_or_default();
        let name = names(origin.id).map(|name| format!(" {}", shorten(&name, 80))).unwrap_or_default();
        lines.push(format!("from {}{name} ({}{part})", origin.id, shorten(&origin.role, 30)));
    }
    if let Some(reason) = &node.unknown {
        lines.push(format!("origin unknown: {}", shorten(reason, 200)));
    }
    if !node.history.is_empty() {
        let passes: Vec<String> = node.history.iter().take(20).map(|pass| shorten(pass, 60)).collect();
        lines.push(format!("through {}", passes.join(", ")));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_origin_line_tells_kind_and_number() {
        let origin = |id, role: &str, part| OriginRef { id, role: role.into(), part };
        let mut node = Node { operator: 7, ..Node::default() };
        assert_eq!(origin_text(&node), "#7 ? unknown");
        node.origins = vec![origin(3, "primary", None), origin(4, "cloned", Some((1, 2)))];
        assert_eq!(origin_text(&node), "#7 ← 3+4 (1/2)");
        node.origins = vec![origin(3, "helper", None)];
        assert_eq!(origin_text(&node), "#7 helper of 3");
        node.origins = (0..9).map(|id| origin(id, "primary", None)).collect();
        assert_eq!(origin_text(&node), "#7 ← 0+1+2+3 and 5 more");
    }
}
