//! Keeps `protocol-docs/options.md` equal to the table of options. After a change of the table, write the page anew with
//! `CAROM_WRITE_DOCS=1 cargo test --test options_document`.
#[test]
fn the_page_is_the_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/protocol-docs/options.md");
    let page = carom::engine::options::document();
    if std::env::var_os("CAROM_WRITE_DOCS").is_some() {
        std::fs::write(path, &page).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), page, "see the head of this test");
}
