//! Prints what each planner makes of every planning problem of a folder.
fn main() {
    let folder = std::env::args().nth(1).unwrap();
    let mut names: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    names.sort();
    for p in names {
        let s = p.to_string_lossy().to_string();
        if !s.ends_with(".csv") || s.ends_with(".names.csv") {
            continue;
        }
        let t = circle_plan::csv::read(&std::fs::read(&p).unwrap()).unwrap();
        let pr = circle_plan::Problem::new(t.blocks, None).unwrap();
        let lb = circle_plan::bound::lower_bound(&pr);
        print!("{} {} lb {lb}", p.file_stem().unwrap().to_string_lossy(), pr.blocks().len());
        for pl in circle_plan::planners::Planner::ALL {
            let t = std::time::Instant::now();
            let plan = pl.plan(&pr);
            let el = t.elapsed();
            let f = circle_plan::check::check(&pr, &plan);
            if !f.is_empty() {
                println!("{pl} FAULT {}", f[0]);
            }
            print!(" {pl} {:.3} {:.1}ms", plan.peak as f64 / lb as f64, el.as_secs_f64() * 1e3);
        }
        println!();
    }
}
