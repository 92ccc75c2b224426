//! Orthodox chess by the FIDE laws.
