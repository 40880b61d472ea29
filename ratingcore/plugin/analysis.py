"""Imports for studies of methods: the log and its events, the registry, replays, scores, worker processes."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ratingcore.calculator import expectations
    from ratingcore.columns import SAME
    from ratingcore.columns.games import frozen_array, same_value
    from ratingcore.columns.scores import Score, SessionPoints
    from ratingcore.columns.view import FOREVER, View
    from ratingcore.compare.agreement import Agreement, agreement, association, deviations, filliben
    from ratingcore.compare.common_games import ask
    from ratingcore.compare.comparison import Comparison
    from ratingcore.compare.forecasts import Forecasts, forecast
    from ratingcore.compare.health import TOP, OverTime, Way
    from ratingcore.compare.list_tables import BINS, busiest, spread_of
    from ratingcore.compare.network import Walk, certificate, parts_of
    from ratingcore.compare.pairs import Paired, paired
    from ratingcore.compare.played import Played
    from ratingcore.compare.reliability import reliability
    from ratingcore.compare.score_tables import ScoredSessions
    from ratingcore.compare.scores import scores
    from ratingcore.compare.uncertainty import MeanEstimate
    from ratingcore.corrections.similar_names import near_newcomers, similar_names
    from ratingcore.engine.explanations import replay_of
    from ratingcore.engine.forecasts import staged_meetings
    from ratingcore.engine.publications import check_list_name
    from ratingcore.errors import BadFile, MethodError, in_words
    from ratingcore.events import (
        Clock,
        Event,
        Fact,
        GamePlayed,
        Instant,
        RatingSeeded,
        SessionPlayed,
        Side,
        When,
        clock,
        exact,
        instant,
        iso,
    )
    from ratingcore.events.bounds import check_facts
    from ratingcore.events.exchange_form import as_json as event_as_json
    from ratingcore.events.exchange_form import from_json as event_from_json
    from ratingcore.events.values import Key, player_key
    from ratingcore.events.values import name as pool_name
    from ratingcore.explain.explanation import Explanation
    from ratingcore.explain.forecasts import ForecastRow
    from ratingcore.explain.head_to_head import Encounter, Record, opponents
    from ratingcore.explain.history import Lines, described_lines, extra_cells, peaks, results_of
    from ratingcore.explain.list_columns import performances, records
    from ratingcore.explain.order import SupportedOrder, supported_order
    from ratingcore.explain.points_table import Worth, points_of
    from ratingcore.explain.superiority import covariance_of, listed_of, stronger
    from ratingcore.gc_pause import uncollected
    from ratingcore.importer.day_notes import DaysUnread
    from ratingcore.importer.name_notes import NearNames
    from ratingcore.importer.ratings import ratings_in
    from ratingcore.importer.table_preview import date_forms, first_rows
    from ratingcore.importer.tables.cells import number_parser
    from ratingcore.importer.tables.days import UnreadDays, is_no_day, typed_day
    from ratingcore.importer.tables.fieldmap import FieldMap, FromColumn, toml
    from ratingcore.importer.tables.score_words import score as typed_score
    from ratingcore.lists import Published, RatingList, rating_list
    from ratingcore.lists.cuts import KnownAt, played_through
    from ratingcore.lists.player_names import called_by_key
    from ratingcore.lists.policy import Cell, ListPolicy, Window, change_of, policy_of
    from ratingcore.lists.workers import run_parts, workers
    from ratingcore.log import Anchor, Head
    from ratingcore.log.abilities import backup, file_of, listening, plugin_tables
    from ratingcore.log.contract import Log
    from ratingcore.log.lookup import as_read, corrections_of, decoder_of, event_of, row_of, uid_at, uids_at
    from ratingcore.methods.first_ratings import RULES, Entering
    from ratingcore.methods.rule_histories import Book, labelled, pools_of, steps_of
    from ratingcore.methods.text import (
        default_method,
        default_parameters,
        identity,
        parameters,
        prose_of,
        split,
        summary_of,
        text_of,
    )
    from ratingcore.methods.wrapped import failing
    from ratingcore.plans.notes import MergedTwice, RevivedTwice
    from ratingcore.predict.matchup import Matchup, Meeting, absent, matchup
    from ratingcore.predict.predict import Stage
    from ratingcore.readers.files import content
    from ratingcore.registry import Registry
    from ratingcore.registry.rule_books import bundled_books
    from ratingcore.replay import Replay, Standing, Watch, fold, replay_with_forecasts, replayed, resumable, stand
    from ratingcore.replay.checkpoint import facts_of
    from ratingcore.replay.contract_check import Answers, owned, readable_view, shown_by
    from ratingcore.replay.day_lists import Seen, first_ratings, watch
    from ratingcore.replay.declared import UNDECLARED, boards, questions
    from ratingcore.replay.ledger import RESULT, Ledger
    from ratingcore.replay.period_calls import open_results
    from ratingcore.replay.seeds import cuts_of
    from ratingcore.report.aligned_text import aligned
    from ratingcore.safe_text import Filled
    from ratingcore.spelling import name_words, near_names
else:
    from ratingcore.lazy_imports import door

    __getattr__, __dir__ = door(__name__)
