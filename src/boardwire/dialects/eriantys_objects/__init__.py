"""eriantys-objects: Eriantys as Java objects over TCP, the wire of the shipped program (seed 001).

The specification is docs/dialects/eriantys-objects.md.
"""
