"""Tables on more than one machine: who has which, how nodes speak to each other, and replicas that fold events."""

__all__: list[str] = []
