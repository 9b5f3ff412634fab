"""The search core: plain typed Python that knows nothing but numbers, compiled by mypyc where that was possible.

What was compiled lies in a folder of its own (`stamp.BUILT`), which comes before the sources on this package's path as
long as it was made from the sources as they are; otherwise the sources are interpreted.  `BOARDWIRE_INTERPRETED=1` asks
for that, to compare.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import sys
from pathlib import Path
from typing import Final

from boardwire.bots.santorini.core import stamp


def _use_compiled() -> bool:
    """Put the compiled modules before the sources, if they can be used here."""
    core = Path(__file__).parent
    library = core / stamp.BUILT / (stamp.LIBRARY + importlib.machinery.EXTENSION_SUFFIXES[0])
    if os.environ.get("BOARDWIRE_INTERPRETED") or not library.exists() or not stamp.is_fresh(core):
        return False
    spec = importlib.util.spec_from_file_location(stamp.LIBRARY, library)
    assert spec is not None
    assert spec.loader is not None
    # the modules look for their shared library by this name
    sys.modules[stamp.LIBRARY] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    __path__.insert(0, str(core / stamp.BUILT))
    return True


COMPILED: Final = _use_compiled()
"""Whether the core runs compiled in this process."""
