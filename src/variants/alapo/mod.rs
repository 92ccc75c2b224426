//! Alapo 8x8 (Luis Bolaños Mures, 2008) and its demotion game.
