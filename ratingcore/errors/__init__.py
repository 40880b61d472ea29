"""Every error of ratingcore: one root, one branch a concern, facts as fields.

RatingCoreError
├── EventError        an event is malformed
├── LogError          the log cannot be opened, read or appended to, or is damaged
├── ArchiveError      a foreign file cannot be read
├── PluginError       a plugin or method is missing, broken, or given a bad parameter
├── MethodError       a method cannot rate the results
├── ListError         a list cannot be published, found, rebuilt or proved
├── ComparisonError   methods cannot be compared or tuned
└── ViewError         a cut names no state of the log
"""

from ratingcore.errors.archive import ArchiveError, BadFile, BadMapping, CannotWrite, ColumnNotFound, RowsRefused
from ratingcore.errors.compare import ComparisonError, NothingForecast, NotInstalled, SameMethod
from ratingcore.errors.event import BadCorrection, BadValue, EventError, NoOffset, PlayedThemselves, UnknownZone
from ratingcore.errors.lists import (
    AlreadyPublished,
    BadDocument,
    BadKey,
    CannotRebuild,
    ForeignList,
    FormulaChanged,
    ListDiffers,
    ListError,
    SealBroken,
    SeveralLists,
    UnknownList,
)
from ratingcore.errors.log import (
    AnchorFails,
    BadTransfer,
    BrokenChain,
    Conflict,
    ContentChanged,
    CursorMoved,
    DeclaredMeanwhile,
    ErasureUnfinished,
    HeadMoved,
    LogError,
    LogUnavailable,
    NewerLog,
    NoCursor,
    NoSuchLog,
    NotALog,
    NotBackfilled,
    UnknownName,
    UnknownUid,
    UnsoundLog,
)
from ratingcore.errors.method import (
    BadField,
    BadResult,
    BrokenContract,
    CannotSay,
    DoesNotFit,
    MethodError,
    MissingField,
    OddResults,
    Unrated,
    WrongForm,
)
from ratingcore.errors.plugin import BadParameter, MethodNotFound, PluginError, PluginFails, StoreNotFound, in_words
from ratingcore.errors.root import RatingCoreError
from ratingcore.errors.tuning import BadGrid, BadSpans, CannotFit, UnknownScore
from ratingcore.errors.view import BadCut, PoolNotNamed, ViewError
from ratingcore.errors.what_if import OnlySupposed, SeveralPools

__all__ = [
    "AlreadyPublished",
    "AnchorFails",
    "ArchiveError",
    "BadCorrection",
    "BadCut",
    "BadDocument",
    "BadField",
    "BadFile",
    "BadGrid",
    "BadKey",
    "BadMapping",
    "BadParameter",
    "BadResult",
    "BadSpans",
    "BadTransfer",
    "BadValue",
    "BrokenChain",
    "BrokenContract",
    "CannotFit",
    "CannotRebuild",
    "CannotSay",
    "CannotWrite",
    "ColumnNotFound",
    "ComparisonError",
    "Conflict",
    "ContentChanged",
    "CursorMoved",
    "DeclaredMeanwhile",
    "DoesNotFit",
    "ErasureUnfinished",
    "EventError",
    "ForeignList",
    "FormulaChanged",
    "HeadMoved",
    "ListDiffers",
    "ListError",
    "LogError",
    "LogUnavailable",
    "MethodError",
    "MethodNotFound",
    "MissingField",
    "NewerLog",
    "NoCursor",
    "NoOffset",
    "NoSuchLog",
    "NotALog",
    "NotBackfilled",
    "NotInstalled",
    "NothingForecast",
    "OddResults",
    "OnlySupposed",
    "PlayedThemselves",
    "PluginError",
    "PluginFails",
    "PoolNotNamed",
    "RatingCoreError",
    "RowsRefused",
    "SameMethod",
    "SealBroken",
    "SeveralLists",
    "SeveralPools",
    "StoreNotFound",
    "UnknownList",
    "UnknownName",
    "UnknownScore",
    "UnknownUid",
    "UnknownZone",
    "Unrated",
    "UnsoundLog",
    "ViewError",
    "WrongForm",
    "in_words",
]
