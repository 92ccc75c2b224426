//! Rollerball (Jean-Louis Cazaux, 1998).
