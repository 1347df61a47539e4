//! Files are told apart by what is in them.

mod support;

use circle_memory::read::{Foreign, Form, detect};
use support::refused;

#[test]
fn other_files_are_named() {
    for (bytes, expected) in [
        (&b""[..], Foreign::Empty),
        (b" \r\n\t", Foreign::Empty),
        (b"\xef\xbb\xbf", Foreign::Empty),
        (b"\x1c\0\0\0CIR0", Foreign::Circle),
        (b"\x1c\0\0\0TFL3\0", Foreign::Tflite),
        (b"\x89PNG\r\n\x1a\n", Foreign::Png),
        (b"\xff\xd8\xff\xe0", Foreign::Jpeg),
        (b"\x1f\x8b\x08", Foreign::Gzip),
        (b"PK\x03\x04", Foreign::Zip),
        (b"\xff\xfe{\0", Foreign::Utf16),
        (b"<svg>", Foreign::Markup),
        (b"{\"traceEvents\": [", Foreign::ChromeTrace),
        (b"{\"displayTimeUnit\": \"us\", \"traceEvents\": [", Foreign::ChromeTrace),
        (b"[{\"ph\": \"X\"}]", Foreign::ChromeTrace),
        (b"{\"Execution_Data\": {}}", Foreign::OnertExecution),
        (b"# Session: 0\n| $0 subgraph @0 Transpose | cpu |", Foreign::OnertTable),
        (b"{\"rows\": [{\"node_type\": \"ADD\"}]}", Foreign::LitertProfile),
        (b"==== Run Order ====\n[node type] [times called] [Name]", Foreign::LitertProfile),
        (b"subgraph,op_index,metric,unit,value\n", Foreign::ProfileCsv),
        (b"id,name\n1,x\n", Foreign::NamesCsv),
        (b"{\"sidecar_version\": 1}", Foreign::Lineage),
        (b"{}", Foreign::Json),
        (b"[1, 2]", Foreign::Json),
        (b"[true]", Foreign::Json),
        (b"[\n", Foreign::Json),
        (b"[workspace]\nmembers = []\n", Foreign::Settings),
        (b"# a comment\r\n\r\n[[bin]]\r\nname = \"x\"\r\n", Foreign::Settings),
        (b"{\"format\": \"other\"}", Foreign::Json),
        (b"a,b,c\n1,2,3\n", Foreign::Text),
        (b"hello", Foreign::Text),
        (b"\0\x01\x02", Foreign::Binary),
        (b"\x80\x81", Foreign::Binary),
    ] {
        assert_eq!(detect(bytes), Form::Foreign(expected), "{}", String::from_utf8_lossy(bytes));
        let error = refused(bytes);
        assert!(error.starts_with("t: no memory data: ") && error.contains(expected.what()), "{error}");
    }
    assert!(refused(b"\x1c\0\0\0CIR0").contains("circle-execution-plan plans its memory"));
    assert!(refused("{\"traceEvents\": []}").contains("circle-profile attach"));
}

#[test]
fn damaged_files_are_recognised() {
    for (bytes, expected) in [
        (&b"{\"format\": \"memory-allocation\", \"sch"[..], Form::Own),
        (b"{\"segments\": [], \"format\": \"memory-allocation\"", Form::Own),
        (b"{\"extra\": {\"memory_segments\": []}, \"segments\": [", Form::Tracealloc),
        (b"{\"a\\\"b\": \"}\", \"memory_segments\": 5", Form::DraftV1),
        (b"front_addr,back_addr", Form::BackendCsv),
        (b"\"id\", \"lower\"\n", Form::PlanCsv),
        (b"[ WIC_PLANNER ] claim( %10", Form::OnertPlanner),
    ] {
        assert_eq!(detect(bytes), expected, "{}", String::from_utf8_lossy(bytes));
        refused(bytes);
    }
    assert_eq!(refused(b"offset,alive_from\n1,\xff\n"), "t:2: not UTF-8");
}
