"""In which files a fact can begin: the others are solved only where imports connect them to one of these.

Every fact comes from an environment, a step, a class of the tables or a value target. What calls such a file, or is
called by it, counts too, for a fact says who else uses a function; the rest of a project is not solved.
"""

from __future__ import annotations

import re

from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge import env_api_rows, env_packages
from done_lint.project import prefilter


def begins(survey: Survey, dotted: str) -> bool:
    """Whether a fact can begin in a file, whose module is `dotted`: a package of the tables, a step, a value target."""
    if dotted.partition(".")[0] in env_packages.ROOTS:
        return True
    if any(_is_known(module) for module in survey.imports) or any(
        made.name in env_api_rows.DISTINCTIVE for made in survey.classes
    ):
        return True
    if any(product.discounted or product.carried for product in survey.products):
        return True
    return (
        bool(survey.telling)
        or any(map(_names_one, survey.bindings))
        or any(isinstance(one, ops.Limit) for one in survey.operations)
        or any(True for _ in survey.waits(ops.IsLast))
    )


def _names_one(binding: ops.Operation) -> bool:
    """Whether an import, or a name from outside, is of the tables."""
    if isinstance(binding, ops.External):
        return _is_known(binding.dotted)
    return isinstance(binding, ops.Import) and binding.name in env_api_rows.DISTINCTIVE


def _is_known(module: str) -> bool:
    return module.partition(".")[0] in env_packages.ROOTS or module.rpartition(".")[2] in env_api_rows.DISTINCTIVE


#: Signs of a finding that stand in the text: a flag by its name, the id of an environment, an attribute of one, its
#: generator, its metadata, and what a step tells beside its flags.
_SIGNS = re.compile(
    rb"done|termin|trunc|[A-Za-z]-v\d|env(?!iron\b)\w*\s*\.|np_random|metadata|\binfos?\b|final_(?:obs|info)",
    re.IGNORECASE,
)


#: Methods of an environment's class.
_METHODS = frozenset("step reset seed render _step _reset _seed _render step_async step_wait".split())


#: The fewest values that a step's result, or what a helper returns of it, is taken apart into.
_UNPACKED = 3


def may_report(data: bytes, survey: Survey) -> bool:
    """Whether a file may hold a finding, now that it was surveyed.

    It must be a seed, or have a sign of its own: a method of an environment is called or defined, a result is taken
    apart or four values are put together, a discounted value is multiplied, or something of an environment is named.
    """
    return (
        prefilter.is_seed(data)
        or bool(survey.telling)
        or bool(survey.fours)
        or _SIGNS.search(data) is not None
        or any(product.discounted or product.carried for product in survey.products)
        or any(not _METHODS.isdisjoint(made.methods) for made in survey.classes)
        or any(one.arity >= _UNPACKED for one in survey.waits(ops.Unpack))
    )
