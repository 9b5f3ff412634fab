"""Sphinx configuration of the documentation site; `scripts/site.py` assembles its pages and runs it."""

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

from boardwire import __version__

project = "boardwire"
author = "The boardwire authors"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
root_doc = "index"
exclude_patterns = ["_build"]

myst_enable_extensions = ["colon_fence", "fieldlist"]
myst_heading_anchors = 5

html_theme = "furo"
html_title = "boardwire"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # signatures have them; a second list below each function repeats it
autodoc_preserve_defaults = True
default_role = "code"  # docstrings have `names` in single backticks
nitpicky = False


def setup(app: Sphinx) -> None:
    """Register what the documents use beside Sphinx's own."""
    app.add_lexer("transcript", TextLexer)  # conversations that tests play; they have no grammar to highlight
