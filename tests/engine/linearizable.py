"""What threads did to a log, and whether it could have happened one thing after the other."""

import itertools
import threading
from collections.abc import Callable, Sequence
from random import Random

from attrs import define, field, frozen

import ratingcore as rc
from tests.log.making import game

POOL = "rapid"


@frozen
class Done:
    """Something that a thread did.

    Parameters
    ----------
    thread : int
    began, ended : int
        Moments, counted by one clock for all threads.
    before, after : int
        Where the log stood: for an append just before its first event and at its last, for a look the same twice.
    digest : str
        Digest of the head that was returned.
    """

    thread: int
    began: int
    ended: int
    before: int
    after: int
    digest: str

    @property
    def appended(self) -> int:
        return self.after - self.before


@define
class History:
    """Everything that threads did, with the uids that they recorded."""

    done: list[Done] = field(factory=list)
    uids: set[str] = field(factory=set)
    lists: dict[int, str] = field(factory=dict)
    """Digest of the list that was seen at each position."""
    clock: "itertools.count[int]" = field(factory=itertools.count)

    def note(self, thread: int, began: int, head: rc.Head, appended: int) -> None:
        end = head.position
        self.done.append(Done(thread, began, next(self.clock), end - appended, end, head.digest))


def faults(done: Sequence[Done]) -> list[str]:
    """Why a history cannot have happened one thing after the other; nothing if it can.

    An append takes the next positions, alone. A look sees a head that an append left, not an older one than any that
    was returned before the look began, and none that was begun only after it had ended. So no thread goes back either.
    """
    wrong: list[str] = []
    appends = sorted((one for one in done if one.appended), key=lambda one: one.after)
    at = 0
    for one in appends:
        if one.before != at:
            wrong.append(f"{one} does not follow on position {at}")
        at = one.after
    heads = {one.after: one.digest for one in appends}
    for one in done:
        earlier = max((other.after for other in done if other.ended < one.began), default=0)
        begun = max((other.after for other in appends if other.began < one.ended), default=0)
        if one.before < earlier:
            wrong.append(f"{one} goes back: {earlier} was returned before it began")
        if one.after > begun:
            wrong.append(f"{one} sees what nobody had begun to append")
        if one.after and heads.get(one.after) != one.digest:
            wrong.append(f"{one} sees a head that no append left")
    return wrong


def play(engines: Sequence[rc.Engine], threads: int, steps: int, seed: int) -> History:
    """Lets threads record, list and correct, each with one of the engines; raises what any of them raised."""
    history = History()

    def work(thread: int) -> None:
        engine, random = engines[thread % len(engines)], Random(f"{seed} {thread}")
        mine: list[str] = []
        for step in range(steps):
            began = next(history.clock)
            what = random.random()
            if what < 0.45 or not mine:
                events = [
                    game(f"{thread}-{step}-{n}", f"p{random.randrange(9)}", f"q{thread}-{step}" if n else "q")
                    for n in range(random.choice((1, 1, 3)))
                ]
                receipt = engine.record(*events)
                assert receipt.accepted == len(events)
                mine += [event.uid for event in events]
                history.uids.update(event.uid for event in events)
                history.note(thread, began, receipt.head, len(events))
            elif what < 0.6:
                own = f"v-{thread}-{step}"
                receipt = engine.void(mine[random.randrange(len(mine))], own_uid=own)
                history.uids.add(own)
                history.note(thread, began, receipt.head, receipt.accepted)
            elif what < 0.7:
                history.note(thread, began, engine.log.head, 0)
            else:
                made = engine.rating_list(POOL, "elo:k=24")
                head = rc.Head(made.known_at, made.provenance.digest)
                history.note(thread, began, head, 0)
                assert history.lists.setdefault(made.known_at, made.digest) == made.digest

    together([lambda thread=thread: work(thread) for thread in range(threads)])
    return history


def together(works: Sequence[Callable[[], object]]) -> None:
    """Runs works in threads that begin at one moment; raises the first error."""
    errors: list[BaseException] = []
    start = threading.Barrier(len(works))

    def run(work: Callable[[], object]) -> None:
        start.wait()
        try:
            work()
        except BaseException as error:  # shown by the thread that waits
            errors.append(error)

    running = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    if errors:
        raise errors[0]
