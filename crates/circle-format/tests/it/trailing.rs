//! Bytes that nothing refers to are noticed before they are lost.

use std::path::Path;

use circle_format::read::{ReadOptions, read};

use crate::common::{below, load, models, rewritten, sound};

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

/// TFLite's metadata tools append files of a model as a ZIP archive, whose directory says at which byte of the file
/// each begins.
#[test]
fn an_archive_behind_the_model_comes_along() {
    let model = std::fs::read(models().join("while_loop.tflite")).expect("a model");
    let entry = |start: usize| {
        let common =
            [&[20, 0, 0, 0, 0, 0, 0, 0, 33, 0, 1, 2, 3, 4, 3, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0][..]].concat();
        let local = [b"PK\x03\x04", &common[..], b"fabc"].concat();
        let place = (start as u32).to_le_bytes();
        let central = [b"PK\x01\x02\x14\x03", &common[..], &[0; 10], &place, b"f"].concat();
        let directory = ((start + local.len()) as u32).to_le_bytes();
        let size = (central.len() as u32).to_le_bytes();
        let end = [b"PK\x05\x06\0\0\0\0\x01\0\x01\0", &size[..], &directory, &[0, 0]].concat();
        [local, central, end].concat()
    };
    for padding in [0, 8] {
        let start = model.len() + padding;
        let file = [&model[..], &vec![0; padding], &entry(start)].concat();
        let loaded = load(&file);
        let written = rewritten(&file);
        let archive = loaded.frame().archive.clone().expect("an archive");
        assert_eq!(archive, start as u64..file.len() as u64);
        let start = written.len() - entry(0).len();
        assert!(written[start..] == entry(start));
        assert!(written[..start] == rewritten(&model));
        assert!(rewritten(&written) == written);
        assert!(told(&file[..file.len() - 1]).contains("referred to by nothing"));
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
