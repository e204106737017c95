"""How the pages are built: `./dev docs`. Nothing is fetched, neither now nor by a reader's browser."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "src")]  # the extensions, and the code as it is here

import rootward  # noqa: E402

project = "Rootward"
version = release = rootward.__version__
html_title = "Rootward"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "extensions.command_line",
    "extensions.public_names",
    "extensions.repository_links",
]
exclude_patterns = ["extensions", "picture.py"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_default_options = {"members": True, "undoc-members": False}
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 100
# A type is a link if it is a public name of ours. There is no network to look others up in.
nitpick_ignore_regex = [(r"py:.*", r"(?!rootward\.[A-Za-z_]+$).*")]

toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["rootward.css"]
html_show_copyright = False
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {"footer_icons": []}
