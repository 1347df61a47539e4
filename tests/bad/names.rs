//! Names that would do harm if they were shown as they are.

use std::fmt::Write as _;

use super::super::support::model::{Entry, assemble};
use super::super::support::{CIRCLE2CIRCLE, DUMP, PROFILE, VISUALIZER, folder, run};

/// Names of tensors. Other names are made of them.
fn names() -> Vec<String> {
    let mut names: Vec<String> = [
        "quo\"te's",
        "</script><img src=x onerror=alert(1)>",
        "<svg onload=alert(2)>&amp;]]>",
        "semi;colon,comma",
        "nul\0byte",
        "\\u{0}\\0",
        "new\nline\r\ttab",
        "\u{1b}[31mred\u{7}\u{9b}2J",
        "\u{202e}txet desrever\u{2066}\u{200f}",
        "\u{2028}lines\u{2029}",
        "=1+1",
        "",
        "\u{fffe}\u{feff}\u{10ffff}",
    ]
    .map(str::to_owned)
    .to_vec();
    names.push("long".repeat(2500));
    names
}

/// One operator for each name, which is that of its result.
fn model(names: &[String], tame: bool) -> Vec<u8> {
    let quoted = |name: &str| {
        let inner: String = name.chars().map(|c| format!("\\u{{{:x}}}", u32::from(c))).collect();
        if tame { "\"tame\"".to_owned() } else { format!("\"{inner}\"") }
    };
    let last = names.len();
    let mut text = format!("subgraph sg0 {} (%0) -> (%{last})\n  %0: f32[4] \"x\"\n", quoted(&names[1]));
    for (index, name) in names.iter().enumerate() {
        let _ = writeln!(text, "  %{}: f32[4] {}", index + 1, quoted(name));
    }
    for index in 0..names.len() {
        let _ = writeln!(text, "  op{index} NEG (%{index}) -> %{}", index + 1);
    }
    let metadata: Vec<Entry> = if tame {
        Vec::new()
    } else {
        names.iter().map(|name| (format!("foreign {name}"), Vec::from(name.as_bytes()))).collect()
    };
    assemble(&text, &metadata).expect("a model")
}

/// Nothing but line breaks moves the cursor, nothing turns the direction of writing.
#[track_caller]
fn harmless(what: &str, text: &str) {
    let bad = |c: &char| {
        c.is_control() && *c != '\n'
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if let Some(found) = text.chars().find(bad) {
        let at = text.find(found).unwrap_or(0);
        let around: String = text[at..].chars().take(40).collect();
        panic!("{what} holds {found:?}: {around:?}");
    }
}

#[test]
fn names_are_shown_safely_everywhere() {
    let folder = folder();
    let names = names();
    std::fs::write(folder.path().join("in.circle"), model(&names, false)).expect("a file");
    std::fs::write(folder.path().join("tame.circle"), model(&names, true)).expect("a file");
    std::fs::write(folder.path().join("cost.csv"), "subgraph,op_index,metric,unit,value\n0,0,time,ns,9\n")
        .expect("a file");
    let done = |tool, args: &[&str]| {
        let ran = run(folder.path(), tool, args).expect(0);
        harmless(&format!("stderr of {args:?}"), &ran.stderr);
        ran.stdout
    };
    done(CIRCLE2CIRCLE, &["-vv", "--O1", "-p", "in.circle", "opt.circle"]);
    done(PROFILE, &["attach", "-v", "opt.circle", "cost.csv", "-o", "out.circle"]);

    let text = done(DUMP, &["out.circle"]);
    harmless("the dump", &text);
    if let Some(line) = text.lines().find(|line| line.chars().count() > 100) {
        panic!("a line of the dump is of {} columns: {line}", line.chars().count());
    }
    let json = done(DUMP, &["--format", "json", "out.circle"]);
    harmless("JSON", &json);
    let dump: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    for (index, name) in names.iter().enumerate() {
        assert_eq!(dump["operators"][index]["name"], **name);
        assert_eq!(dump["sources"][index]["name"], **name);
        assert_eq!(dump["metadata"][index]["name"], format!("foreign {name}"));
    }
    let report = done(PROFILE, &["report", "out.circle"]);
    harmless("the report", &report);
    harmless("the report as JSON", &done(PROFILE, &["report", "--format", "json", "out.circle"]));

    for picture in ["out.svg", "out.html"] {
        done(VISUALIZER, &["out.circle", "-o", picture]);
        let tame = picture.replace("out", "tame");
        done(VISUALIZER, &["tame.circle", "-o", &tame]);
        let [drawn, tame] = [picture, tame.as_str()]
            .map(|name| std::fs::read_to_string(folder.path().join(name)).expect("a picture in UTF-8"));
        harmless(picture, &drawn);
        // No name becomes markup: there is as much of it as in the same graph with tame names.
        for markup in ["<script", "</script", "<img", "<svg", "<!", "]]>"] {
            let counts = [&drawn, &tame].map(|text| text.matches(markup).count());
            assert_eq!(counts[0], counts[1], "{markup} in {picture}");
        }
    }
    for picture in ["out.png", "out.jpg"] {
        done(VISUALIZER, &["out.circle", "-o", picture]);
        assert!(std::fs::metadata(folder.path().join(picture)).expect("a picture").len() > 1000);
    }
}

/// Each record of the table has the same fields, whatever the names hold.
#[test]
fn names_do_not_break_tables() {
    let folder = folder();
    let names = names();
    std::fs::write(folder.path().join("in.circle"), model(&names, false)).expect("a file");
    run(folder.path(), CIRCLE2CIRCLE, &["-p", "in.circle", "out.circle"]).expect(0);
    let table = run(folder.path(), DUMP, &["--format", "csv", "out.circle"]).expect(0).stdout;
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len(), names.len());
    for (row, name) in rows.iter().zip(&names) {
        assert_eq!(&row[3], name);
    }
}

#[cfg(unix)]
#[test]
fn file_names_are_shown_safely_and_taken_back() {
    let folder = folder();
    let name = "a\nb\\c\u{1b}[2J\u{202e}</script>.circle";
    let missing = run(folder.path(), CIRCLE2CIRCLE, &[name, "out.circle"]).expect(1);
    harmless("an error", &missing.stderr);
    // The name is one of the parts of a message, and cannot add lines to it.
    assert_eq!(missing.stderr.lines().count(), 1, "{}", missing.stderr);
    let file = folder.path().join(name.replace('/', "|"));
    std::fs::write(&file, model(&names(), true)).expect("a file");
    let name = name.replace('/', "|");
    run(folder.path(), CIRCLE2CIRCLE, &["-p", &name, "out.circle"]).expect(0);
    harmless("the dump", &run(folder.path(), DUMP, &["out.circle"]).expect(0).stdout);
    // md5sum marks names with line breaks by a backslash in front, and takes them back.
    let line = run(folder.path(), DUMP, &["--origin_id", "out.circle"]).expect(0).stdout;
    assert!(line.starts_with('\\') && line.lines().count() == 1, "{line:?}");
    run(folder.path(), VISUALIZER, &["out.circle", "-o", "out.html"]).expect(0);
    let page = std::fs::read_to_string(folder.path().join("out.html")).expect("a page");
    harmless("the page", &page);
}
