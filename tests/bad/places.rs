//! Places that cannot be written, and readers that go away.

use std::process::{Command, Stdio};

use super::super::support::{
    CIRCLE2CIRCLE, DUMP, PLAN, PROFILE, VISUALIZER, folder, listing, run, run_with, testdata,
};

fn model() -> String {
    testdata().join("models/cnn_conv_bn_relu.circle").display().to_string()
}

/// What the drivers that write files say when the place is `output`, all but the ending.
fn cannot_write(folder: &std::path::Path, output: &str) {
    let model = model();
    let before = listing(folder);
    for (tool, args) in [
        (CIRCLE2CIRCLE, vec!["--O1", &model, output]),
        (PLAN, vec!["-q", &model, output]),
        (VISUALIZER, vec![&model, "--format", "svg", "-o", output]),
    ] {
        let ran = run(folder, tool, &args).expect(1);
        assert!(ran.stderr.starts_with(&format!("error: {output}: ")), "{}", ran.stderr);
    }
    assert_eq!(listing(folder), before);
}

#[test]
fn places_that_cannot_be_written_are_named() {
    let folder = folder();
    cannot_write(folder.path(), "nowhere/out.circle");
    cannot_write(folder.path(), ".");
    std::fs::create_dir(folder.path().join("taken")).expect("a folder");
    cannot_write(folder.path(), "taken");
    std::fs::write(folder.path().join("file"), "").expect("a file");
    cannot_write(folder.path(), "file/out.circle");
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_not_replaced() {
    let folder = folder();
    let made = Command::new("mkfifo").arg(folder.path().join("pipe")).status();
    assert!(made.expect("mkfifo starts").success());
    cannot_write(folder.path(), "pipe");
    cannot_write(folder.path(), "/dev/null");
}

#[cfg(unix)]
#[test]
fn closed_folders_are_named() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let closed = folder.path().join("closed");
    std::fs::create_dir(&closed).expect("a folder");
    std::fs::set_permissions(&closed, PermissionsExt::from_mode(0o555)).expect("a folder");
    // Nothing is closed to the superuser.
    if std::fs::write(closed.join("probe"), "").is_err() {
        cannot_write(folder.path(), "closed/out.circle");
        assert_eq!(listing(&closed), Vec::<String>::new());
    }
}

#[test]
fn an_output_that_was_there_survives_a_failure() {
    let folder = folder();
    std::fs::write(folder.path().join("out.circle"), "old").expect("a file");
    run(folder.path(), CIRCLE2CIRCLE, &["nothing.circle", "out.circle"]).expect(1);
    run(folder.path(), CIRCLE2CIRCLE, &["-p", "--origin", "nothing", &model(), "out.circle"]).expect(1);
    assert_eq!(std::fs::read(folder.path().join("out.circle")).expect("a file"), b"old");
    assert_eq!(listing(folder.path()), ["out.circle"]);
}

/// Every driver with much to say to standard output.
fn talkative() -> Vec<(&'static str, Vec<String>)> {
    let words = |text: &str| text.split(' ').map(|w| w.replace("MODEL", &model())).collect();
    vec![
        (CIRCLE2CIRCLE, words("--help")),
        (CIRCLE2CIRCLE, words("--list_passes")),
        (CIRCLE2CIRCLE, words("-p MODEL -")),
        (DUMP, words("MODEL")),
        (DUMP, words("--format json MODEL")),
        (DUMP, words("--format csv MODEL")),
        (PROFILE, words("report MODEL")),
        (VISUALIZER, words("MODEL -o - --format html")),
        (VISUALIZER, words("MODEL -o - --format png")),
    ]
}

#[test]
fn a_reader_that_goes_away_is_no_error_worth_a_word() {
    for (tool, args) in talkative() {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let ran = run_with(folder().path(), tool, &args, |command| {
            command.stdout(Stdio::from(writer));
        });
        let said: Vec<&str> = ran.stderr.lines().filter(|line| !line.starts_with("warning: ")).collect();
        assert_eq!(said, Vec::<&str>::new(), "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    for (tool, args) in talkative() {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let ran = run_with(folder().path(), tool, &args, |command| {
            command.stdout(Stdio::from(full));
        });
        let ran = ran.expect(1);
        assert!(ran.stderr.contains("error: standard output: "), "{args:?}: {}", ran.stderr);
    }
}
