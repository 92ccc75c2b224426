//! The engine of `odd.rs` without odd habits: for measuring what the runner itself costs (`tests/bench/overhead.py`).

mod odd;

fn main() {
    odd::run("good", None)
}
