"""Formulas become MathML when the site is built: no script of a page and no font from elsewhere."""

import re

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

WORD = re.compile(r"\\mathrm\{([^{}]+)\}")


def mathml(formula: str, display: str) -> str:
    """A formula of LaTeX as MathML.

    Examples
    --------
    >>> mathml("R", "inline")
    '<math xmlns="http://www.w3.org/1998/Math/MathML" display="inline"><mrow><mi>R</mi></mrow></math>'
    """
    formula = WORD.sub(lambda word: rf"\text{{{word[1].replace(chr(92) + '_', '_')}}}", formula)
    return convert(formula.replace("{aligned}", "{align*}"), display=display)  # the converter knows the one of the two


def inline(writer: HTML5Translator, node: nodes.math) -> None:
    writer.body.append(mathml(node.astext(), "inline"))
    raise nodes.SkipNode


def block(writer: HTML5Translator, node: nodes.math_block) -> None:
    formula = mathml(node.astext(), "block")
    writer.body.append(f'<div class="formula" tabindex="0" role="group" aria-label="formula">{formula}</div>\n')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    app.config.html_math_renderer = "mathml"  # type: ignore[attr-defined]  # a value of Sphinx's own
    return {"parallel_read_safe": True}
