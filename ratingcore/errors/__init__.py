"""Every error of ratingcore: one root, one branch a concern, facts as fields.

RatingCoreError
├── EventError        what happened cannot be said so
├── LogError          the log refuses, or is not what it should be
├── ArchiveError      a foreign file cannot be read
├── PluginError       something is not installed, or is installed and broken
├── MethodError       a method cannot rate this
└── ViewError         nobody can look at the log that way
"""

from ratingcore.errors.archive import ArchiveError, BadFile, BadMapping, ColumnNotFound, RowsRefused
from ratingcore.errors.event import BadCorrection, BadValue, EventError, PlayedThemselves
from ratingcore.errors.log import (
    BadTransfer,
    BrokenChain,
    Conflict,
    HeadMoved,
    LogError,
    LogUnavailable,
    NewerLog,
    NoSuchLog,
    NotALog,
    UnknownName,
    UnknownUid,
)
from ratingcore.errors.method import (
    BadField,
    BadResult,
    BadSeed,
    BrokenContract,
    MethodError,
    MissingField,
    Unrated,
    WrongForm,
)
from ratingcore.errors.plugin import BadParameter, MethodNotFound, PluginError
from ratingcore.errors.root import RatingCoreError
from ratingcore.errors.view import BadCut, ViewError

__all__ = [
    "ArchiveError",
    "BadCorrection",
    "BadCut",
    "BadField",
    "BadFile",
    "BadMapping",
    "BadParameter",
    "BadResult",
    "BadSeed",
    "BadTransfer",
    "BadValue",
    "BrokenChain",
    "BrokenContract",
    "ColumnNotFound",
    "Conflict",
    "EventError",
    "HeadMoved",
    "LogError",
    "LogUnavailable",
    "MethodError",
    "MethodNotFound",
    "MissingField",
    "NewerLog",
    "NoSuchLog",
    "NotALog",
    "PlayedThemselves",
    "PluginError",
    "RatingCoreError",
    "RowsRefused",
    "UnknownName",
    "UnknownUid",
    "Unrated",
    "ViewError",
    "WrongForm",
]
