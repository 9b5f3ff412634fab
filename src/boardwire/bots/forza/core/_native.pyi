from collections.abc import Callable

def resize(bits: int) -> None: ...
def solve(
    own: int,
    taken: int,
    order: tuple[int, ...],
    nodes: int,
    stop: Callable[[], bool],
    weak: bool = ...,
    keep: bool = ...,
) -> tuple[int, int, bool, int]: ...
