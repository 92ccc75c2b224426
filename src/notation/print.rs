//! From syntax trees to text.
