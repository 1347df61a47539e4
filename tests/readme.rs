//! What README.md, MEMORY.md and LINEAGE.md show is what happens: their commands run, and print what stands there.
//!
//! A command is a line of a `sh` block, or inline code, that begins with one of the tools and names a model. It is run in
//! the order of its page, in a folder with the models that the page takes for granted.

mod support;

use std::path::Path;

use support::{CIRCLE2CIRCLE, DUMP, PLAN, PROFILE, VISUALIZER, folder, run, testdata};

const TOOLS: [(&str, &str); 5] = [
    ("circle2circle", CIRCLE2CIRCLE),
    ("circle-profile-dump", DUMP),
    ("circle-profile", PROFILE),
    ("circle-execution-plan", PLAN),
    ("one-visualizer", VISUALIZER),
];

fn page(name: &str) -> String {
    let path = testdata().join("..").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Blocks of one language.
fn blocks<'a>(page: &'a str, language: &str) -> Vec<&'a str> {
    let begin = format!("```{language}\n");
    let found = page.split(&begin).skip(1).filter_map(|rest| rest.split_once("```"));
    found.map(|(block, _)| block.trim_end()).collect()
}

/// Commands that name a model, in the order of the page.
fn commands(page: &str) -> Vec<&str> {
    let lines = page.lines().flat_map(|line| {
        // Outside of blocks every second piece is code.
        let inline = line.split('`').skip(1).step_by(2).filter(|_| !line.starts_with("```"));
        std::iter::once(line).chain(inline)
    });
    let runs = |line: &&str| {
        TOOLS.iter().any(|(tool, _)| line.split(' ').next() == Some(tool))
            && line.split(' ').any(|word| word.ends_with(".circle"))
            && !line.contains('`')
    };
    lines.filter(runs).collect()
}

/// Runs a command, which must end well; gives back what it prints.
fn output(folder: &Path, command: &str) -> String {
    let words: Vec<&str> = command.split(' ').collect();
    let (tool, args) = words.split_first().expect("a tool");
    let tool = TOOLS.iter().find(|(name, _)| name == tool).expect("one of the tools").1;
    let ran = run(folder, tool, args);
    assert_eq!(ran.code, 0, "{command}\n{}", ran.stderr);
    ran.stdout
}

/// Runs all commands of a page, of which there are so many; `out.circle` is there from the beginning, as pages may follow
/// one another.
fn all(name: &str, count: usize) {
    let (folder, text) = (folder(), page(name));
    let model = testdata().join("models/cnn_conv_bn_relu.circle");
    for name in ["model.circle", "before.circle"] {
        std::fs::copy(&model, folder.path().join(name)).expect("a model");
    }
    output(folder.path(), "circle2circle --O1 --profiling_data model.circle out.circle");
    let commands = commands(&text);
    assert_eq!(commands.len(), count, "{name}: {commands:#?}");
    for command in commands {
        if command.contains("changed.circle") {
            std::fs::copy(&model, folder.path().join("changed.circle")).expect("a model");
        }
        let printed = output(folder.path(), command);
        if command.contains("--compare") {
            let shown = blocks(&text, "text");
            assert!(shown.contains(&printed.trim_end()), "{name} shows {shown:#?}, not\n{printed}");
        }
    }
}

#[test]
fn commands_of_the_readme_run() {
    all("README.md", 8);
}

#[test]
fn commands_of_the_page_on_lineage_run() {
    all("LINEAGE.md", 4);
}

#[test]
fn the_readme_shows_the_comparison_that_is_kept() {
    let kept = page("tests/cli/one-visualizer/memory_story.table.stdout");
    let readme = page("README.md");
    assert!(blocks(&readme, "text").contains(&kept.trim_end()), "README.md does not show\n{kept}");
}

/// The examples of the form are checked, drawn and found faulty as the page says.
#[test]
fn examples_of_the_memory_form_are_as_they_are_said_to_be() {
    let (folder, text) = (folder(), page("MEMORY.md"));
    let examples = blocks(&text, "json");
    let [sound, faulty] = examples.as_slice() else { panic!("{} examples", examples.len()) };
    let write = |example: &str| std::fs::write(folder.path().join("plan.json"), example).expect("written");
    let check = || run(folder.path(), VISUALIZER, &["--check", "plan.json"]);

    write(sound);
    let silent = check().expect(0);
    assert_eq!((silent.stdout.as_str(), silent.stderr.as_str()), ("", ""));
    for form in ["svg", "html", "png", "json"] {
        let _ = run(folder.path(), VISUALIZER, &["plan.json", "-o", &format!("out.{form}")]).expect(0);
    }
    write(faulty);
    let found = check().expect(1);
    let shown = blocks(&text, "text");
    assert!(shown.contains(&found.stderr.trim_end()), "MEMORY.md does not show\n{}", found.stderr);
}
