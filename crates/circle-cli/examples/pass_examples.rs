//! Writes the example of each pass as a model file, so that runtimes can run it before and after the pass.
//!
//! `cargo run -p circle-cli --example pass_examples FOLDER`

use std::path::PathBuf;

use circle_format::write::{self, WriteOptions};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from).ok_or("usage: pass_examples FOLDER")?;
    std::fs::create_dir_all(&folder)?;
    for pass in circle_passes::registry::PASSES {
        let model = circle_ir::text::parse(pass.info().before)?;
        let mut bytes = Vec::new();
        write::write(&model, &[], &write::number(&model), &[], WriteOptions::default(), &mut bytes)?;
        std::fs::write(folder.join(format!("{}.circle", pass.name())), bytes)?;
    }
    Ok(())
}
