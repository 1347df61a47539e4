//! Bytes that nothing refers to are noticed before they are lost.

use std::path::Path;

use circle_format::read::{ReadOptions, read};

use crate::common::{below, models, sound};

fn told(bytes: &[u8]) -> String {
    read(bytes, ReadOptions::default()).expect_err("refused").to_string()
}

#[test]
fn bytes_after_the_end_are_a_loss() {
    for path in below(&models()) {
        let sound = std::fs::read(&path).expect("a model");
        // Padding is no content, however a writer came by it.
        for zeros in [1, 16, 56] {
            let mut padded = sound.clone();
            padded.resize(sound.len() + zeros, 0);
            assert!(read(&padded, ReadOptions::default()).is_ok(), "{}: {zeros}", path.display());
        }
        for tail in [&b"x"[..], &[0; 200], &[7; 64]] {
            let longer = [&sound, tail].concat();
            let told = told(&longer);
            assert!(told.contains("after the end of the model at byte"), "{told}");
            assert!(told.ends_with("are referred to by nothing"), "{told}");
            let loaded = read(&longer, ReadOptions { allow_loss: true }).expect("a model");
            assert_eq!(loaded.lost.len(), 1, "{:?}", loaded.lost);
        }
    }
}

#[test]
fn sound_files_have_none() {
    for path in sound() {
        let bytes = std::fs::read(&path).expect("a model");
        let loaded = read(&bytes, ReadOptions::default());
        assert!(loaded.is_ok(), "{}: {}", path.display(), loaded.expect_err("an error"));
    }
}

#[test]
fn the_damaged_file_of_the_corpus_is_refused() {
    let Some(folder) = std::env::var_os("CIRCLE_LINEAGE_CORPUS") else { return };
    let files = below(Path::new(&folder));
    let path = files.iter().find(|path| path.ends_with("hostile/trailing_garbage.circle")).expect("the file");
    let told = told(&std::fs::read(path).expect("a file"));
    assert!(told.contains("are referred to by nothing"), "{told}");
}
