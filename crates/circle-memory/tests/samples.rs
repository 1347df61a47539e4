//! Samples.
use circle_memory::read::read;
#[test]
fn smoke() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    for dir in ["memory", "memory/aidge", "plans"] {
        let mut paths: Vec<_> = std::fs::read_dir(root.join(dir))
            .unwrap()
            .map(|e| e.unwrap().path())
            .filter(|p| p.is_file())
            .collect();
        paths.sort();
        for path in paths {
            let bytes = std::fs::read(&path).unwrap();
            match read(&bytes, &path.file_name().unwrap().to_string_lossy()) {
                Ok(d) => {
                    println!("{path:?} {:?}", d.form);
                    for s in &d.memory.segments {
                        println!(
                            "   {:?} {} blocks {} spaces end {:?}",
                            s.name,
                            s.blocks.len(),
                            s.spaces.len(),
                            s.blocks.iter().flat_map(|b| b.pieces()).filter_map(|p| p.end()).max()
                        );
                    }
                    for f in
                        circle_memory::check(&d.memory, &d.places, Default::default()).findings.iter().take(4)
                    {
                        println!("CHECK {}", f.in_file(&path.file_name().unwrap().to_string_lossy()));
                    }
                    for f in &d.findings {
                        println!("   {f}");
                    }
                }
                Err(e) => println!("ERR {e}"),
            }
        }
    }
}
