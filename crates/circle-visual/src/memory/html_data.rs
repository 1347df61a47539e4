//! The page's data: columns instead of objects, differences instead of numbers, every text once and without what it has
//! in common with the one before.

use super::chart::Chart;
use super::html_segment::{SegmentData, segment};
use super::html_strings::Strings;
use super::names::{KINDS, kind_name};
use super::options::{ColourBy, Names};
use super::svg::title;
use crate::encode::html_data::{SkinData, Themes, skin_data};
use crate::options::Theme;
use crate::palette::{category, ramp};
use crate::text::grouped;
use serde::Serialize;

/// Version of the data; the page knows this one.
const VERSION: u32 = 1;
/// Colours that the page is given: beyond, they repeat.
const CATEGORIES: usize = 240;
const RAMP: u32 = 24;

/// All that the page knows.
#[derive(Debug, Serialize)]
pub(super) struct PageData<'a> {
    memory_page: u32,
    title: String,
    start: Start,
    skins: Themes<SkinData>,
    categories: Themes<Vec<String>>,
    ramps: Themes<Vec<String>>,
    kinds: Vec<&'static str>,
    /// Groups of layers, by colour.
    groups: Vec<Group<'a>>,
    layered: bool,
    plans: Vec<PlanData<'a>>,
    /// All texts: how many UTF-16 units each shares with the one before, and the rest.
    shared: Vec<usize>,
    strings: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Start {
    colour: &'static str,
    dark: bool,
    names: bool,
    compare: bool,
    /// The ticks that were asked for.
    ticks: Option<[String; 2]>,
}

#[derive(Debug, Serialize)]
struct Group<'a> {
    label: &'a str,
    hatched: bool,
}

#[derive(Debug, Serialize)]
struct PlanData<'a> {
    title: &'a str,
    /// What is said of the plan as a whole: name and value.
    about: Vec<(&'static str, String)>,
    /// Ids and names of origins.
    origin_ids: Vec<u32>,
    origin_names: Vec<u32>,
    /// What is wrong with the file as a whole, in words, how many each stands for, and whether it is no fault but odd.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    marks: Vec<(&'a str, usize, bool)>,
    segments: Vec<SegmentData<'a>>,
}

impl<'a> PageData<'a> {
    pub(super) fn new(chart: &'a Chart<'a>, colour: ColourBy) -> PageData<'a> {
        let mut strings = Strings::default();
        let mut plans: Vec<PlanData<'a>> = Vec::with_capacity(chart.plans.len());
        for (number, plan) in chart.plans.iter().enumerate() {
            let origins = chart.origins.get(number);
            let listed = || origins.into_iter().flatten();
            plans.push(PlanData {
                title: &plan.title,
                about: about(&plan.memory),
                origin_ids: listed().map(|(id, _)| *id).collect(),
                origin_names: listed().map(|(_, name)| strings.number(name)).collect(),
                marks: chart
                    .marks
                    .iter()
                    .filter(|(plan, _)| *plan == number)
                    .map(|(_, mark)| (mark.message.as_str(), mark.count(), mark.warning))
                    .collect(),
                segments: Vec::new(),
            });
        }
        for (number, panel) in chart.panels.iter().enumerate() {
            let segment = segment(chart, number, panel, &mut strings);
            if let Some(plan) = plans.get_mut(panel.plan) {
                plan.segments.push(segment);
            }
        }
        let (shared, strings) = strings.packed();
        let options = chart.options;
        PageData {
            memory_page: VERSION,
            title: title(chart.plans),
            start: Start {
                colour: match colour {
                    ColourBy::Origin => "origin",
                    ColourBy::Kind => "kind",
                    ColourBy::Size => "size",
                },
                dark: options.theme == Theme::Dark,
                names: options.names != Names::None,
                compare: options.compare && chart.plans.len() == 2,
                // A range without an end has none in the page, too.
                ticks: options.ticks.as_ref().map(|t| {
                    let end = Some(t.end).filter(|end| *end < u64::MAX);
                    [t.start.to_string(), end.map(|end| end.to_string()).unwrap_or_default()]
                }),
            },
            skins: Themes::new(skin_data),
            categories: Themes::new(|theme| {
                (0..CATEGORIES).map(|index| category(index, theme).to_string()).collect()
            }),
            ramps: Themes::new(|theme| {
                (1..=RAMP).map(|step| ramp(f64::from(step) / f64::from(RAMP), theme).to_string()).collect()
            }),
            kinds: KINDS.iter().map(|kind| kind_name(*kind)).collect(),
            groups: chart
                .paint
                .classes
                .iter()
                .map(|class| Group { label: &class.label, hatched: class.hatched })
                .collect(),
            layered: chart.panels.iter().flat_map(|p| &p.segment.blocks).any(|b| !b.origins.is_empty()),
            plans,
            shared,
            strings,
        }
    }
}

fn about(memory: &circle_memory::Memory) -> Vec<(&'static str, String)> {
    let mut about = Vec::new();
    let mut add =
        |name, value: Option<String>| about.extend(value.filter(|v| !v.is_empty()).map(|v| (name, v)));
    if let Some(model) = &memory.model {
        add("model", model.name.clone());
        add("bytes of the model", model.size.map(|size| grouped(size.into())));
        add("md5", model.md5.clone());
        add("sha256", model.sha256.clone());
    }
    if let Some(producer) = &memory.producer {
        let words = [&producer.name, &producer.version].into_iter().flatten().cloned().collect::<Vec<_>>();
        add("made by", Some(words.join(" ")));
        add("planner", producer.planner.clone());
        add("made at, in seconds since 1970", producer.created.map(|seconds| seconds.to_string()));
    }
    for file in memory.files.iter().take(20) {
        let md5 = file.md5.as_ref().map(|md5| format!(", md5 {md5}")).unwrap_or_default();
        add("layers of", Some(format!("{}{md5}", file.name)));
    }
    about
}
