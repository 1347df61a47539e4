//! The CSV forms in small: what is read, and what is refused where.

mod support;

use circle_memory::read::{Form, ReadOptions, read_with};
use circle_memory::write::{WriteOptions, to_json, write};
use circle_memory::{TickUnit, is_unplanned};
use support::{findings, refused, text, written};

#[test]
fn tables() {
    // Columns in any order, a byte order mark, CR LF, comments, quotes, further columns.
    let csv = "\u{feff}# made by hand\r\nalive_till,origin,size,offset,alive_from,dtype\r\n\r\n9,\"a, \"\"b\"\"\",4,0,1,int8\r\n9,,4,4,1,\r\n";
    let document = text(csv);
    assert_eq!((document.form, document.memory.tick.unit), (Form::BackendCsv, TickUnit::Unknown));
    let segment = &document.memory.segments[0];
    assert_eq!((segment.name.as_str(), segment.blocks.len()), ("memory", 2));
    assert_eq!(document.memory.origins[0].name, "a, \"b\"");
    assert_eq!(segment.blocks[0].extra["dtype"], "int8");
    assert!(segment.blocks[1].origins.is_empty() && segment.blocks[1].extra.is_empty());
    assert_eq!((document.places.block(0, 0), document.places.block(0, 1)), (Some(4), Some(5)));
    let again = written(&document.memory, Form::BackendCsv);
    assert_eq!(text(&again).memory, document.memory);
    assert_eq!(written(&text(&again).memory, Form::BackendCsv), again);

    for (csv, expected) in [
        ("offset,size,alive_from\n", "t:1: no column \"alive_till\""),
        ("offset,alive_from,alive_till\n", "t:1: no column \"size\""),
        ("offset,size,offset,alive_from,alive_till\n", "t:1: offset: \"offset\" is there twice"),
        ("offset,size,front_addr,alive_from,alive_till\n", "t:1: columns of both forms"),
        ("offset,size,alive_from,alive_till\n0,1,2\n", "t:2: 3 cells, and 4 columns"),
        ("offset,size,alive_from,alive_till\n0,1,2,x\n", "t:2: alive_till: \"x\" is no whole number"),
        ("offset,size,alive_from,alive_till\n0,-1,2,3\n", "t:2: size: \"-1\" is no whole number"),
        ("offset,size,alive_from,alive_till\n0,+1,2,3\n", "t:2: size: \"+1\" is no whole number"),
        ("offset,size,alive_from,alive_till\n0,,2,3\n", "t:2: size: \"\" is no whole number"),
        ("front_addr,back_addr,alive_from,alive_till\n1,0,2,3\n", "t:2: back_addr: ends at 0, before"),
        (
            "offset,size,alive_from,alive_till\n\n0,18446744073709551616,2,3\n",
            "t:3: size: \"18446744073709551616\" is no whole number from 0 to 9223372036854775807",
        ),
    ] {
        let error = refused(csv);
        assert!(error.starts_with(expected), "{error}\nexpected {expected}");
    }
}

/// Names may begin with what begins a comment elsewhere: no row is dropped for that.
#[test]
fn rows_that_look_like_comments() {
    let problem = text("# by hand\n\n # id,lower\r\nid,lower,upper,size\n#conv1,0,5,10\n\nb,0,5,10\n#,5,6,1");
    let ids: Vec<_> = problem.memory.segments[0].blocks.iter().map(|b| b.id.as_deref().unwrap()).collect();
    assert_eq!(ids, ["#conv1", "b", "#"]);
    let lines: Vec<_> = (0..3).map(|block| problem.places.block(0, block)).collect();
    assert_eq!(lines, [Some(5), Some(7), Some(8)]);
    let again = written(&problem.memory, Form::PlanCsv);
    assert_eq!(again, b"id,lower,upper,size\n\"#conv1\",0,5,10\nb,0,5,10\n\"#\",5,6,1\n");
    assert_eq!(text(&again).memory, problem.memory);

    let table = text("origin,offset,size,alive_till,alive_from\n#c,7,442,9,1\n\"#d\",449,1,9,1\n");
    let origins: Vec<_> = table.memory.origins.iter().map(|origin| origin.name.as_str()).collect();
    assert_eq!(origins, ["#c", "#d"]);

    let options = ReadOptions { names: Some(b"# names\nid,name\n#1,first\n"), ..ReadOptions::default() };
    let named = read_with(b"id,lower,upper,size\n#1,0,5,10\n", "t", &options).unwrap();
    assert_eq!(named.memory.segments[0].blocks[0].name.as_deref(), Some("first"));

    let error = refused("id,lower,upper,size\na,0,5,10\n# the second half\nb,0,5,10\n");
    assert_eq!(error, "t:3: 1 cells, and 4 columns; comments stand before the heading");
}

#[test]
fn problems_and_solutions() {
    let problem = text("lower,upper,id,size\n0,5,\"a,1\",16\n5,9,b,32\n");
    let segment = &problem.memory.segments[0];
    assert!(is_unplanned(segment));
    assert_eq!(segment.blocks[0].id.as_deref(), Some("a,1"));
    assert_eq!(
        findings(&problem),
        ["t:1: segment 0 \"memory\", blocks: no block has an offset, they have not been planned"]
    );
    assert_eq!(written(&problem.memory, Form::PlanCsv), b"id,lower,upper,size\n\"a,1\",0,5,16\nb,5,9,32\n");
    // Nothing says that the blocks lie at 0, whatever may be lost.
    let loss = WriteOptions { allow_loss: true, ..WriteOptions::default() };
    for form in [Form::Tracealloc, Form::DraftV1, Form::BackendCsv] {
        let error = write(&problem.memory, form, &loss, &mut Vec::new()).expect_err("no offsets").to_string();
        assert!(
            error.ends_with("segment 0 \"memory\": a planning problem, whose blocks have no offsets"),
            "{error}"
        );
    }
    assert!(is_unplanned(&text(to_json(&problem.memory)).memory.segments[0]));

    let csv = "id,lower,upper,size,offset,alignment\na,0,5,16,0,64\nb,0,9,32,64,64\n";
    let solution = text(csv);
    let segment = &solution.memory.segments[0];
    assert_eq!((segment.alignment, segment.blocks[1].offset, is_unplanned(segment)), (Some(64), 64, false));
    assert_eq!(written(&solution.memory, Form::PlanCsv), csv.as_bytes());
    let csv = "id,lower,upper,size,offset,alignment\na,0,5,16,0,64\nb,0,9,32,64,\n";
    let solution = text(csv);
    assert_eq!(solution.memory.segments[0].alignment, None);
    assert_eq!(written(&solution.memory, Form::PlanCsv), csv.as_bytes());

    for (csv, expected) in [
        (
            "id,lower,upper,size,offset\na,0,5,16,0\nb,0,5,16,\n",
            "t:3: no offset, but the block of line 2 has one",
        ),
        ("id,lower,upper,size,Offset\n", "t:1: Offset: \"Offset\" is not known here, known are: id, lower,"),
        ("id,lower,upper\n", "t:1: no column \"size\""),
    ] {
        assert!(refused(csv).starts_with(expected), "{}", refused(csv));
    }
    let named = |names: &str| {
        let options = ReadOptions { names: Some(names.as_bytes()), ..ReadOptions::default() };
        read_with(b"id,lower,upper,size\na,0,5,16\n", "t", &options)
    };
    assert_eq!(
        named("id,name\na,x\na,y\n").expect_err("twice").to_string(),
        "t: line 3 of the names: \"a\" is there twice"
    );
    let said = named("id,name\na,x\nc,y\n").expect("names").findings;
    assert_eq!(said[0].to_string(), "names of no block of the problem: 1");
}

#[test]
fn a_plan_without_blocks_is_a_plan_and_a_problem_without_blocks_a_problem() {
    for (header, unplanned) in [("id,lower,upper,size,offset\n", false), ("id,lower,upper,size\n", true)] {
        let memory = text(header).memory;
        assert_eq!(is_unplanned(&memory.segments[0]), unplanned, "{header}");
        let mut out = Vec::new();
        write(&memory, Form::PlanCsv, &WriteOptions::default(), &mut out).expect("a file");
        assert_eq!(String::from_utf8(out).expect("text"), header);
    }
}
