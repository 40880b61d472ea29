"""Imports for commands of plugins: the command class, options, access to a log, output, messages and errors."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ratingcore.cli import completion, options
    from ratingcore.cli.console import (
        DONE,
        FAILED,
        MISTAKE,
        Mistake,
        complain,
        counting,
        note,
        progress,
        progress_done,
        say,
    )
    from ratingcore.cli.fields import pairs, typed_facts
    from ratingcore.cli.file_import import field_map
    from ratingcore.cli.files import check_free, keep, must_be_new, new_file, page_of, write_page
    from ratingcore.cli.fixtures import meetings_in
    from ratingcore.cli.log import EventFilter, event_rows
    from ratingcore.cli.options import command
    from ratingcore.cli.output import chosen, write
    from ratingcore.cli.question import (
        Question,
        ResolvedQuestion,
        asking,
        chosen_policy,
        correcting,
        cut_of,
        is_there,
        new_pool,
        note_far_days,
        note_undeclared,
        one_pool,
        question,
        reading,
        recording,
        shown,
    )
    from ratingcore.cli.sentences import ENGLISH, Wording, in_brief, sentence
    from ratingcore.engine import Engine
    from ratingcore.safe_text import counted
else:
    from ratingcore.lazy_imports import door

    __getattr__, __dir__ = door(__name__)
