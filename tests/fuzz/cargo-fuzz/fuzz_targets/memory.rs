#![no_main]

#[path = "../../targets.rs"]
#[allow(dead_code, reason = "one target of them all")]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::memory(data));
