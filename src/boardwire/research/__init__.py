"""Games for machine learning: PettingZoo environments, OpenSpiel games and vectorised self-play.

- `env` and `raw_env` return a PettingZoo environment (AEC) of a game by name.
- `register_openspiel` adds the games to OpenSpiel as `boardwire_tris`, `boardwire_santorini`, ...
- `self_play` plays many matches in lock step with policies over batches, such as `random_policy`.
- `space` returns the fixed action indices, masks and observations that all of these use.

This package needs `boardwire[research]`; no other package imports it.
"""

try:
    from boardwire.research.aec import GameEnv, env, raw_env
    from boardwire.research.selfplay import Policy, Sample, Trajectory, epsilon_greedy, random_policy, self_play
    from boardwire.research.space import Array, Episode, Layout, Space, space
except ImportError as error:
    if error.name is None or error.name.partition(".")[0] not in ("numpy", "gymnasium", "pettingzoo"):
        raise
    raise ImportError(f"{error.name} is missing: pip install 'boardwire[research]'", name=error.name) from None

__all__ = [
    "Array",
    "Episode",
    "GameEnv",
    "Layout",
    "Policy",
    "Sample",
    "Space",
    "Trajectory",
    "env",
    "epsilon_greedy",
    "random_policy",
    "raw_env",
    "register_openspiel",
    "self_play",
    "space",
]


def register_openspiel() -> tuple[str, ...]:
    """Register the games with OpenSpiel and return their names; raise `ImportError` if OpenSpiel is missing."""
    try:
        from boardwire.research.openspiel import register
    except ImportError as error:
        if error.name != "pyspiel":
            raise
        raise ImportError("OpenSpiel is missing: pip install 'boardwire[research]'", name=error.name) from None
    return register()
