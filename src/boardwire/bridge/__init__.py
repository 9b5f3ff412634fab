"""A client of one protocol on somebody's server of another: our own server faces the one, our own client the other."""
