//! Problems as text, there and back, and what is refused.

mod common;

use circle_plan::csv::{Table, read, write};
use circle_plan::planners::Planner;
use circle_plan::{Block, Problem};
use common::{Shape, random};

#[test]
fn what_is_written_is_read_back() {
    for seed in 0..20 {
        let aligned = seed % 2 == 0;
        let shape = Shape { blocks: seed, ticks: 9, longest: 4, largest: 99, aligned, fixed: false };
        let problem = random(seed, shape);
        let plan = Planner::Wic.plan(&problem);
        let blocks = problem.blocks().to_vec();
        assert_eq!(
            read(write(&problem, None).as_bytes()).unwrap(),
            Table { blocks: blocks.clone(), offsets: None }
        );
        let back = read(write(&problem, Some(&plan)).as_bytes()).unwrap();
        assert_eq!(back, Table { blocks, offsets: Some(plan.offsets) });
    }
}

#[test]
fn any_id_survives() {
    let ids = ["", " ", "a,b", "\"", "line\nbreak", "\r\n", "x\"\",y", "ümläut", " padded ", "</script>"];
    let blocks: Vec<Block> = ids.iter().map(|id| Block::new(*id, 0, 1, 1)).collect();
    let problem = Problem::new(blocks, None).unwrap();
    assert_eq!(read(write(&problem, None).as_bytes()).unwrap().blocks, problem.blocks());
}

#[test]
fn columns_come_in_any_order() {
    let text = "\u{feff}size, upper ,lower,offset,id\r\n 8,2,1,,a\r\n16,3,2,,b\r\n";
    let table = read(text.as_bytes()).unwrap();
    assert_eq!(table.blocks, [Block::new("a", 1, 2, 8), Block::new("b", 2, 3, 16)]);
    assert_eq!(table.offsets, None);
}

#[test]
fn comments_stand_before_the_header() {
    let text = "\u{feff}# of a simulator\n\n # id,lower\nid,lower,upper,size\n#a,0,1,8\nb,0,1,8\n";
    let table = read(text.as_bytes()).unwrap();
    assert_eq!(table.blocks, [Block::new("#a", 0, 1, 8), Block::new("b", 0, 1, 8)]);
    for (text, expected) in [
        ("# one\n# two\nid,lower,size\n", "line 3: no column `upper`"),
        ("# one\nid,lower,upper,size,id\n", "line 2: column `id` twice"),
        ("# one\nid,lower,upper,size\na,0,1,-1\n", "line 3, size: `-1` is no number"),
        ("id,lower,upper,size\n# one\n", "line 2: CSV error"),
        ("# one", "line 1: unknown column `# one`"),
    ] {
        let error = read(text.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn faults_are_located() {
    let cases = [
        ("", "line 1: no column `id`"),
        ("id,lower,size\n", "line 1: no column `upper`"),
        (
            "id,lower,upper,size,bytes\n",
            "line 1: unknown column `bytes`, known are id, lower, upper, size, offset, alignment",
        ),
        ("id,lower,upper,size,id\n", "line 1: column `id` twice"),
        (
            "id,lower,upper,size\na,0,1,2\nb,0,-1,2\n",
            "line 3, upper: `-1` is no number from 0 to 18446744073709551615",
        ),
        (
            "id,lower,upper,size\na,0,1,18446744073709551616\n",
            "line 2, size: `18446744073709551616` is no number from 0 to 18446744073709551615",
        ),
        ("id,lower,upper,size,offset\na,0,1,2,3\nb,0,1,2,\n", "line 3: block `b` has no offset, others have"),
    ];
    for (text, message) in cases {
        assert_eq!(read(text.as_bytes()).unwrap_err().to_string(), message);
    }
    let ragged = read(b"id,lower,upper,size\na,0,1\n").unwrap_err().to_string();
    assert!(ragged.starts_with("line 2: "), "{ragged}");
    let binary = read(b"id,lower,upper,size\n\xff,0,1,2\n").unwrap_err().to_string();
    assert!(binary.starts_with("line 2: "), "{binary}");
}

#[test]
fn ids_like_comments_are_quoted() {
    let table = read(b"id,lower,upper,size\n#conv1,0,5,10\nb#,0,5,10\n").unwrap();
    let problem = Problem::new(table.blocks, None).unwrap();
    let written = write(&problem, None);
    assert_eq!(written, "id,lower,upper,size\n\"#conv1\",0,5,10\nb#,0,5,10\n");
    assert_eq!(read(written.as_bytes()).unwrap().blocks, problem.blocks());
}
