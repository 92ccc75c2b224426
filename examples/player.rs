//! Carom plays a game against itself: `cargo run --release --example player [GAME]`.

use carom::engine::Engine;
use carom::search::Limits;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut engine = Engine::new();
    engine.choose(&std::env::args().nth(1).unwrap_or_else(|| "alapo".to_owned()))?;
    engine.renew();
    while engine.session().outcome().is_none() {
        let best = engine.best_move(Limits { nodes: Some(2000), ..Limits::default() })?;
        let Some(token) = best.token else { break };
        engine.session_mut().play(&token)?;
        println!("{token}");
    }
    println!("{}", engine.session().outcome().map_or_else(|| "*".to_owned(), |outcome| outcome.to_string()));
    Ok(())
}
