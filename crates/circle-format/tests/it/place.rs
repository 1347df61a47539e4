//! Files appear whole or not at all.

use std::fs;
use std::io;
use std::path::Path;

use circle_format::write::{Layout, ReplaceError, WriteError, replace};
use circle_schema::MappedFile;

use crate::common::{load, models, rewritten, write_to};

#[derive(Debug)]
#[allow(dead_code, reason = "what failed is printed, by derivation")]
enum Failure {
    Place(ReplaceError),
    Write(WriteError),
    Io(io::Error),
}

impl From<ReplaceError> for Failure {
    fn from(error: ReplaceError) -> Self {
        Self::Place(error)
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<_> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn put(path: &Path, content: &[u8]) -> Result<(), Failure> {
    replace(path, |sink| sink.write_all(content).map_err(Failure::Io))
}

fn told(path: &Path) -> String {
    match put(path, b"new") {
        Err(Failure::Place(error)) => {
            assert_eq!(error.path, path);
            error.to_string()
        }
        other => panic!("{}: {other:?}", path.display()),
    }
}

#[test]
fn the_output_may_be_the_input() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("model.circle");
    let source = models().join("cnn_conv_bn_relu.circle");
    fs::copy(&source, &path).expect("a copy");
    let input = MappedFile::open(&path).expect("a file");
    let model = load(input.bytes());
    let written = replace(&path, |sink| {
        write_to(&model, input.bytes(), Layout::Keep, &[], sink).map_err(Failure::Write)
    })
    .expect("a file");
    let before = fs::read(&source).expect("a file");
    let after = fs::read(&path).expect("a file");
    assert!(after == rewritten(&before) && written.bytes == after.len() as u64 && after != before);
    // The mapping still shows what it showed.
    assert!(input.bytes() == before);
    assert_eq!(names(folder.path()), ["model.circle"]);
}

#[test]
fn a_failure_leaves_everything_as_it_was() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("model.circle");
    fs::write(&path, "old").expect("a file");
    for target in [path.clone(), folder.path().join("new.circle")] {
        let result: Result<(), Failure> = replace(&target, |sink| {
            sink.write_all(&[1; 100_000]).map_err(Failure::Io)?;
            Err(Failure::Io(io::Error::other("the disk is full")))
        });
        assert!(matches!(result, Err(Failure::Io(error)) if error.to_string() == "the disk is full"));
    }
    assert_eq!(names(folder.path()), ["model.circle"]);
    assert_eq!(fs::read(&path).expect("a file"), b"old");
    // A panic as well.
    let caught = std::panic::catch_unwind(|| put_and_panic(&path));
    assert!(caught.is_err());
    assert_eq!(names(folder.path()), ["model.circle"]);
}

fn put_and_panic(path: &Path) {
    let _: Result<(), ReplaceError> = replace(path, |_| panic!("a mistake"));
}

#[test]
fn places_that_cannot_be_written_are_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let at = |name: &str| folder.path().join(name);
    assert_eq!(told(folder.path()), "is a directory, not a file");
    assert_eq!(told(&at("..")), "is a directory, not a file");
    assert_eq!(told(Path::new("")), "names no file");
    let missing = at("missing/out.circle");
    assert_eq!(told(&missing), format!("the folder {} does not exist", at("missing").display()));
    fs::write(at("file"), "x").expect("a file");
    assert!(told(&at("file/out.circle")).starts_with("cannot look at it: "));
    let mut permissions = fs::metadata(at("file")).expect("a file").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(at("file"), permissions).expect("permissions");
    assert_eq!(told(&at("file")), "the file is there already and is read-only");
    assert_eq!(names(folder.path()), ["file"]);
}

#[cfg(target_os = "linux")]
#[test]
fn folders_and_devices_that_take_no_file_are_named() {
    // Not even the superuser can create files there.
    let text = told(Path::new("/proc/self/out.circle"));
    assert!(
        text.starts_with("cannot create a file in its folder: ") || text.contains("does not exist"),
        "{text}"
    );
    assert!(told(Path::new("/dev/null")).starts_with("is a pipe or a device"));
}

#[cfg(unix)]
#[test]
fn permissions_and_links_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().expect("a temporary folder");
    let at = |name: &str| folder.path().join(name);
    let mode = |name: &str| fs::metadata(at(name)).expect("a file").permissions().mode() & 0o7777;
    // A new file gets what the system gives to any other.
    fs::write(at("other"), "x").expect("a file");
    put(&at("new"), b"x").expect("a file");
    assert_eq!(mode("new"), mode("other"));
    for bits in [0o640, 0o755, 0o600] {
        fs::set_permissions(at("new"), fs::Permissions::from_mode(bits)).expect("permissions");
        put(&at("new"), b"y").expect("a file");
        assert_eq!((mode("new"), fs::read(at("new")).expect("a file")), (bits, b"y".to_vec()));
    }
    symlink(at("new"), at("link")).expect("a link");
    put(&at("link"), b"z").expect("a file");
    assert!(fs::symlink_metadata(at("link")).expect("a link").is_symlink());
    assert_eq!(fs::read(at("new")).expect("a file"), b"z");
    // A link to what is not there yet leads there all the same; one that leads nowhere is refused and stays.
    fs::create_dir(at("folder")).expect("a folder");
    symlink("folder/made", at("dangling")).expect("a link");
    symlink("dangling", at("second")).expect("a link");
    put(&at("second"), b"made").expect("a file");
    for link in ["dangling", "second"] {
        assert!(fs::symlink_metadata(at(link)).expect("a link").is_symlink());
    }
    assert_eq!(fs::read(at("folder/made")).expect("a file"), b"made");
    symlink("circle", at("circle")).expect("a link");
    put(&at("circle"), b"z").expect_err("it leads to itself");
    assert!(fs::symlink_metadata(at("circle")).expect("a link").is_symlink());
    for name in ["circle", "dangling", "second", "folder/made"] {
        fs::remove_file(at(name)).expect("it is there");
    }
    fs::remove_dir(at("folder")).expect("it is empty");
    // As long as a name can be.
    let long = "n".repeat(255);
    put(&at(&long), b"long").expect("a file");
    assert_eq!(names(folder.path()), ["link", "new", &long, "other"]);
}
