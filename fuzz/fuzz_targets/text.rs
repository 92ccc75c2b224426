#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| (carom_fuzz::TARGETS[0].1)(data));
