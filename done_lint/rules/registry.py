"""All rules in one visible tuple, and their pages."""

from __future__ import annotations

import inspect
import sys

from done_lint.core.codes import CODES
from done_lint.rules.base import Rule
from done_lint.rules.env_classes.bare_reset_return import BareResetReturn
from done_lint.rules.env_classes.four_value_return import FourValueReturn
from done_lint.rules.env_classes.legacy_random import LegacyRandom
from done_lint.rules.env_classes.limit_as_termination import LimitAsTermination
from done_lint.rules.env_classes.render_signature import RenderSignature
from done_lint.rules.env_classes.reset_signature import ResetSignature
from done_lint.rules.env_classes.seed_method import SeedMethod
from done_lint.rules.env_classes.underscore_method import UnderscoreMethod
from done_lint.rules.env_classes.unused_seed import UnusedSeed
from done_lint.rules.library.gym_import import GymImport
from done_lint.rules.library.hidden_attribute import HiddenAttribute
from done_lint.rules.library.monitor_wrapper import MonitorWrapper
from done_lint.rules.library.outdated_env_id import OutdatedEnvId
from done_lint.rules.library.removed_module import RemovedModule
from done_lint.rules.library.renamed_wrapper import RenamedWrapper
from done_lint.rules.library.vector_api import VectorApi
from done_lint.rules.usage.ambiguous_done import AmbiguousDone
from done_lint.rules.usage.bare_reset import BareReset
from done_lint.rules.usage.env_seed import EnvSeed
from done_lint.rules.usage.four_value_step import FourValueStep
from done_lint.rules.usage.removed_argument import RemovedArgument
from done_lint.rules.usage.render_argument import RenderArgument
from done_lint.rules.usage.render_without_mode import RenderWithoutMode
from done_lint.rules.usage.step_index import StepIndex
from done_lint.rules.usage.swapped_step_values import SwappedStepValues
from done_lint.rules.usage.time_limit_info import TimeLimitInfo
from done_lint.rules.usage.truncation_ignored import TruncationIgnored
from done_lint.rules.value_targets.autoreset_row import AutoresetRow
from done_lint.rules.value_targets.done_branch import DoneBranch
from done_lint.rules.value_targets.done_mask import DoneMask
from done_lint.rules.value_targets.done_recursion import DoneRecursion
from done_lint.rules.value_targets.done_stored import DoneStored
from done_lint.rules.value_targets.last_as_terminal import LastAsTerminal
from done_lint.rules.value_targets.leaking_recursion import LeakingRecursion
from done_lint.rules.value_targets.reset_observation import ResetObservation

RULES: tuple[type[Rule], ...] = (
    FourValueStep,
    StepIndex,
    EnvSeed,
    BareReset,
    RenderArgument,
    TimeLimitInfo,
    TruncationIgnored,
    AmbiguousDone,
    SwappedStepValues,
    RemovedArgument,
    RenderWithoutMode,
    DoneMask,
    DoneBranch,
    DoneStored,
    DoneRecursion,
    ResetObservation,
    LeakingRecursion,
    AutoresetRow,
    LastAsTerminal,
    FourValueReturn,
    ResetSignature,
    BareResetReturn,
    SeedMethod,
    RenderSignature,
    LegacyRandom,
    LimitAsTermination,
    UnderscoreMethod,
    UnusedSeed,
    GymImport,
    MonitorWrapper,
    RemovedModule,
    OutdatedEnvId,
    RenamedWrapper,
    HiddenAttribute,
    VectorApi,
)


def rule_page(code: str) -> str:
    """The documentation page of a rule, in Markdown.

    Raises:
        KeyError: there is no such rule.
    """
    rule = {rule.code: rule for rule in RULES}[code]
    page = inspect.cleandoc(sys.modules[rule.__module__].__doc__ or "")
    return f"# {code} {CODES[code]}\n\n{page}\n"
