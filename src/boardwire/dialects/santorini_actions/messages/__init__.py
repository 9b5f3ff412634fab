"""The wire's values: what a client says (`requests`), what a server says (`replies`), and the two things in it that are
large: boards (`battlefield`) and cards (`cards`)."""
