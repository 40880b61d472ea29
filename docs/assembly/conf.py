"""How Sphinx builds the site: MyST for Markdown, the theme Furo, formulas as MathML, nothing from elsewhere."""

from docs.assembly.pages import BRANCH
from ratingcore import __version__

project = "ratingcore"
author = "the ratingcore developers"
version = release = __version__
html_title = f"ratingcore {__version__}"
extensions = [
    "myst_parser",
    "docs.assembly.docstrings",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "docs.assembly.mathml",
    "docs.assembly.access",
]
myst_enable_extensions = ["dollarmath", "fieldlist"]
myst_heading_anchors = 4
myst_links_external_new_tab = False
suppress_warnings = ["ref.python"]  # a word of a docstring may be a name in several classes
html_theme = "furo"
html_static_path = ["static"]
templates_path = ["templates"]
html_css_files = ["pages.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False  # the licence is in the repository
html_theme_options = {"source_repository": BRANCH.partition("/blob")[0]}
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_preserve_defaults = True
autodoc_default_options = {"members": True, "show-inheritance": False}
napoleon_numpy_docstring = True
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_param = False
add_module_names = False
highlight_language = "none"
napoleon_custom_sections = [("Attributes", "params_style")]  # as variables, `a, b` would be b of the type a
