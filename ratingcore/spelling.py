"""Finds names that are spelt alike, and may be of one person."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, combinations, repeat
from typing import TYPE_CHECKING
from unicodedata import combining, normalize

from ratingcore.lazy_imports import Later

if TYPE_CHECKING:
    from difflib import get_close_matches
    from html import unescape
else:  # a hint is part of an error, and few names need HTML
    get_close_matches = Later("difflib", "get_close_matches")
    unescape = Later("html", "unescape")


_LETTERS = str.maketrans("\u00f8\u0142\u0111\u0131", "oldi")
"""Letters with a stroke, which Unicode does not decompose, and the i without a dot."""


_LOOK_ALIKE = str.maketrans(
    "\u0430\u0441\u0435\u0456\u0458\u043e\u0440\u0455\u0445\u0443\u043a\u043c\u043d\u0442\u0432"
    "\u0501\u051b\u051d\u04bb\u03b1\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7",
    "aceijopsxykmhtbdqwhaeiknoptux",
)
"""Small Cyrillic and Greek letters that look like Latin ones in lower or upper case."""
_TITLES = frozenset(
    ("gm", "im", "fm", "cm", "nm", "wgm", "wim", "wfm", "wcm", "wnm", "dr", "prof", "ing", "mgr", "bc", "dipl")
)


def _untitled(words: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the words of a name without titles, unless fewer than two words would be left."""
    rest = tuple(word for word in words if word not in _TITLES)
    return rest if 2 <= len(rest) < len(words) else words


def name_words(name: str) -> tuple[str, ...]:
    """Returns the words of a name, folded and in alphabetical order; two spellings of one name often agree in them.

    Examples
    --------
    >>> name_words("Kov\u00e1cs, \u00c1gnes") == name_words("Agnes KOVACS"), name_words("Kov\u00e1cs A.")
    (True, ('a', 'kovacs'))
    """
    return _words(folded(name))


def _words(text: str) -> tuple[str, ...]:
    if text.isalnum():
        return (text,)
    return tuple(sorted(text.replace(".", " ").replace(",", " ").split()))


def folded(name: str) -> str:
    """Returns a name without common differences of spelling: case, accents, blanks, and "Surname, First".

    In a name with Latin letters, similar-looking Cyrillic and Greek letters are replaced by Latin ones.

    Examples
    --------
    >>> folded("S\u00f8rensen,  Zo\u00eb"), folded("zoe sorensen"), folded("a, b, c")
    ('zoe sorensen', 'zoe sorensen', 'a, b, c')
    """
    if name.isascii() and "," not in name:
        return " ".join(name.split()).lower()
    words = " ".join(name.split())
    last, comma, first = words.partition(",")
    if comma and "," not in first:
        words = f"{first.strip()} {last.strip()}"
    words = words.casefold()
    if words.isascii():
        return words
    plain = "".join(char for char in normalize("NFKD", words) if not combining(char)).translate(_LETTERS)
    return plain.translate(_LOOK_ALIKE) if any("a" <= char <= "z" for char in plain) else plain


def one_blank(name: str) -> str:
    """Returns a name with one blank in place of several.

    Examples
    --------
    >>> one_blank("Lee,   Ann")
    'Lee, Ann'
    """
    return re.sub(" {2,}", " ", name)


_CYRILLIC = "[\u0430-\u045f\u0491]"
_ROMAN = str.maketrans(
    "\u0430\u0431\u0432\u0433\u0491\u0434\u0435\u0454\u0436\u0437\u0438\u0456\u0458\u043a\u043b\u0459\u043c\u043d\u045a\u043e"
    "\u043f\u0440\u0441\u0442\u0443\u0444\u0445\u0446\u0447\u045b\u045f\u0448\u0449\u044b\u044d\u044e\u044f\u0452",
    "abvggdeezziiikllmnnoprstufhccczssieuad",
    "\u044a\u044c",
)
"""Latin letters for the sounds of small Cyrillic ones, without accents; the two signs without a sound are left out."""
_SOUNDS = (
    ("shch|szcz|sch|sh|sz", "s"), ("tch|tsch|cz|ch|ts|tz", "c"), ("zh|dz", "z"), ("kh", "h"), ("x", "ks"), ("w", "v"),
    ("[jy]", "i"), ("i+(?=[aeou])", ""), ("ii+", "i"), (r"er\b", "r"), ("'", ""),
)  # fmt: skip
"""Ways to write Cyrillic names in Latin letters, each with the letter that all of them become."""


def _by_sound(text: str) -> tuple[str, ...]:
    """Returns the words of a folded name by their sounds, equal for a Cyrillic name and its usual Latin spellings.

    Examples
    --------
    >>> _by_sound("yury shchukin"), _by_sound("\u044e\u0440\u0438\u0438 \u0449\u0443\u043a\u0438\u043d")
    (('sukin', 'uri'), ('sukin', 'uri'))
    """
    text = text.translate(_ROMAN)
    for ways, letter in _SOUNDS:
        text = re.sub(ways, letter, text)
    return _words(text)


def spelt_like(name: str, names: Iterable[str], most: int = 3, likeness: float = 0.6) -> list[str]:
    """Returns the names that are spelt most like a given one, nearest first; a `likeness` of 1 means equal spelling.

    Examples
    --------
    >>> spelt_like("elo-magrin", ["elo", "elo-margin", "glicko"])
    ['elo-margin']
    """
    return get_close_matches(name, [*names], most, likeness)


_SHORT = 5
"""Length from which a word with one other letter counts as a typo. A shorter one is another name: Tim and Tom."""
_WORDS = 5
"""Largest number of words in a name that is searched with initials; each word doubles the ways to shorten it."""


def alike(names: Iterable[str], known: Iterable[str] = (), *, slips: bool = True) -> Iterator[tuple[str, str, str]]:
    """Yields pairs of names that may belong to one person: two of `names`, or one of them and a known name.

    The third text is the kind of difference: `spelling` for case, accents, blanks, the order of words, titles such as
    Dr. and GM, a rating behind the name, marks such as a flag, a star or a number in front, letters of another alphabet
    that look alike, and Cyrillic letters for Latin ones; `initials` if one name has a letter where the other has a
    word; `typo` if, in one of several words, a letter is changed, missing or doubled, or two letters are swapped. In a
    word of up to four letters, only a doubled letter or swapped letters count as a typo. Names of one word and names
    with digits have no typos: Iran and Iraq are two teams. A digit is not an initial: Player 1 and Player 10 are two
    players.

    Parameters
    ----------
    known : iterable of str
        Names that are not compared with each other.
    slips : bool
        Whether to look for initials and typos, too, which takes several times as long.

    Examples
    --------
    >>> known = ["WEBER, Anna", "A. Weber", "Ana Weber", "Anne Weber"]
    >>> [(other, how) for _, other, how in alike(["Anna Weber"], known)]
    [('WEBER, Anna', 'spelling'), ('A. Weber', 'initials'), ('Ana Weber', 'typo')]
    """
    names, known = list(names), list(known)
    if not slips and _are_apart([*names, *known]):
        return
    bare = _without_marks([*names, *known]) | _without_ratings([*names, *known]) | _decoded([*names, *known])
    bare |= _without_nicknames([*names, *known])
    first = dict[object, str]()
    whole, shortened = list[tuple[str, ...]](), defaultdict[tuple[str, ...], list[str]](list)
    by_rest, brief = defaultdict[tuple[str, ...], list[tuple[str, str]]](list), False
    heard, sounds = defaultdict[tuple[str, ...], list[tuple[str, bool, bool]]](list), _has_cyrillic([*names, *known])
    for name, fresh in chain(zip(names, repeat(True)), zip(known, repeat(False))):
        text = folded(_without_signs(bare.get(name, name)))
        words, joined = _words(text), "".join(text.split())
        if len(words) > 2 and (untitled := _untitled(words)) != words:
            words, joined = untitled, "".join(word for word in text.replace(".", " ").split() if word not in _TITLES)
        same = first.get(words) or first.get(joined)
        if same is not None:
            yield same, name, "spelling"
            continue
        if fresh:
            first[words] = first[joined] = name
        if sounds:
            cyrillic, others = _has_cyrillic([text]), heard[_by_sound(text)]
            yield from (
                (one, name, "spelling")
                for one, is_cyrillic, new in others
                if is_cyrillic != cyrillic and (new or fresh)
            )
            others.append((name, cyrillic, fresh))
        if not slips or len(words) < 2:
            continue
        numbered = any(map(str.isdigit, name))  # a club may have thousands of such keys: Player 1, Player 2
        letters = any(len(word) == 1 and word.isalpha() for word in words)
        if letters:
            for long in whole:
                for short in _with_initials(long):
                    shortened[short].append(first[long])
            whole.clear()
            yield from ((other, name, "initials") for other in shortened.get(words, ()))
        for short in _with_initials(words) if brief else ():
            if short in first:
                yield first[short], name, "initials"
        for at, word in enumerate(words) if not numbered else ():
            for other_word, other in by_rest.get(words[:at] + words[at + 1 :], ()):
                if _is_slip(word, other_word):
                    yield other, name, "typo"
        if fresh:
            whole.append(words)
            brief = brief or letters
            for at, word in enumerate(words) if not numbered else ():
                by_rest[words[:at] + words[at + 1 :]].append((word, name))


_RATED = re.compile(r" ([1-9][0-9]{2,3})$| ?[(\[] ?[1-9][0-9]{2,3} ?[)\]]$")
"""A number of the size of a rating behind a name; the group is empty if the number is in brackets."""


def _without_ratings(names: Sequence[str]) -> dict[str, str]:
    """Returns the names that have a rating behind them, each without it.

    A number without brackets may also tell players apart, such as Guest 1001 and Guest 1002. It counts as a rating only
    if several names have one, and there are at least half as many names as names with numbers.

    Examples
    --------
    >>> _without_ratings(["Ann (1800)", "Bo [950]", "Cy", "Guest 1001", "Guest 1002"])
    {'Ann (1800)': 'Ann', 'Bo [950]': 'Bo'}
    >>> _without_ratings(["Ann 1800", "Ann 1810", "Bo 1700"])
    {'Ann 1800': 'Ann', 'Ann 1810': 'Ann', 'Bo 1700': 'Bo'}
    """
    ended = [(name, match) for name in names if name[-1:] in "0123456789)]" and (match := _RATED.search(name, 1))]
    found = [(name, name[: match.start()], match[1]) for name, match in ended]
    bare = {name: one for name, one, number in found if number}
    different = len({*bare.values()})
    rated = different > 1 and 2 * different >= len(bare)
    return {name: one for name, one, number in found if rated or not number}


_MARK = (
    "[*\u2020\u2021\u00a7\u00b0\u00b9\u00b2\u00b3^~"  # stars, daggers and raised numbers
    "\u2190-\u21ff\u2300-\u27bf\u2b00-\u2bff\ufe0f\U0001f000-\U0001faff]"  # arrows, symbols, flags and emoji
)
_MARKS = re.compile(rf"^(?:{_MARK}| )+|(?:{_MARK}| )+$")
_NUMBERED = re.compile(r"^(?:#[0-9]{1,3}|[(\[][0-9]{1,3}[)\]]|[0-9]{1,3}\.) +| ?[(\[][^()\[\]]+[)\]]$")
"""A number in front of a name, such as a seed, or a remark in brackets behind it, such as a club or a footnote."""
_LETTERED = re.compile(r" ?[(\[][A-Z][)\]]$| ?\[[0-9]{1,2}\]$")
"""A letter in brackets behind a name, or a seed or footnote in square ones, as in tennis: `Ann [2]`."""
_BEFORE, _BEHIND = frozenset("#([*^~"), frozenset(")]*^~")


def _without_marks(names: Sequence[str]) -> dict[str, str]:
    """Returns the names that have marks or a number beside them, or a remark in brackets, each without these.

    Another number, or a remark of more than a letter, may also tell two players apart. It only counts as one if a name
    without it is there.

    Examples
    --------
    >>> _without_marks(["Ann*", "(3) Bo", "Bo", "Cy [Ulm]", "Cy [Bonn]", "Di (W)"])
    {'Ann*': 'Ann', '(3) Bo': 'Bo', 'Di (W)': 'Di'}
    """
    marked = re.search(_MARK, "\n".join(names)) is not None
    odd = [
        name for name in names
        if name[:1] in _BEFORE or name[-1:] in _BEHIND or (name[:1].isdigit() and ". " in name)
        or (marked and not name.isascii())
    ]  # fmt: skip
    bare = {name: _LETTERED.sub("", _MARKS.sub("", name)) or name for name in odd}
    short = {name: text for name, one in bare.items() if (text := _NUMBERED.sub("", one)) != one}
    there = {folded(bare.get(name, name)) for name in names} if short else set[str]()
    bare |= {name: text for name, text in short.items() if folded(text) in there}
    return {name: one for name, one in bare.items() if one != name}


_QUOTES = '"\u201c\u201d\u201e\u00ab\u00bb'
_NICKNAME = re.compile(rf"(?<=\S) ['({_QUOTES}][^(){_QUOTES}]+['){_QUOTES}](?= \S)")
"""A name in quotes or brackets between two others: `Robert "Bob" Smith`."""
_APOSTROPHES = re.compile("(?<=[^\\W\\d_])['`\u00b4\u02bc\u2018\u2019](?=[^\\W\\d_])")
_HYPHENS = re.compile("(?<=[^\\W\\d_])[-\u2010-\u2014](?=[^\\W\\d_])")


def _without_nicknames(names: Sequence[str]) -> dict[str, str]:
    """Returns the names with a nickname in the middle, each without it.

    Examples
    --------
    >>> _without_nicknames(['Robert "Bob" Smith', "Robert (Bob) Smith", "Bob (Leeds)"])
    {'Robert "Bob" Smith': 'Robert Smith', 'Robert (Bob) Smith': 'Robert Smith'}
    """
    every = "\n".join(names)
    if not any(map(every.__contains__, ('" ', "' ", ") ", "\u201c ", "\u201d ", "\u00bb "))):
        return {}
    return {name: text for name in names if (text := _NICKNAME.sub("", name)) != name}


def _without_signs(name: str) -> str:
    """Returns a name without apostrophes and, if it has several words, without hyphens; handles keep theirs."""
    if name.isalnum():
        return name
    plain = _APOSTROPHES.sub("", name)
    return _HYPHENS.sub(" ", plain) if " " in plain else plain


_GARBLED = re.compile("&#?[0-9A-Za-z]+;|[\u00c2-\u00df][^\x00-\x7f]")
"""A letter as HTML writes it, or the two that its bytes in UTF-8 mean in another encoding."""


def _decoded(names: Sequence[str]) -> dict[str, str]:
    """Returns the names with letters that a program has encoded once too often, each with the letters that are meant.

    Examples
    --------
    >>> _decoded(["O&#39;Brien", "M\u00c3\u00bcller", "M\u00fcller"])
    {'O&#39;Brien': "O'Brien", 'M\u00c3\u00bcller': 'M\u00fcller'}
    """
    odd = [name for name in names if _GARBLED.search(name)] if _GARBLED.search("\n".join(names)) else []
    found = {name: unescape(name) for name in odd}
    for name, text in found.items():
        with suppress(UnicodeError):
            found[name] = text.encode("cp1252").decode()
    return {name: text for name, text in found.items() if text != name}


def _has_cyrillic(names: Sequence[str]) -> bool:
    every = "\n".join(names)
    return not every.isascii() and re.search(_CYRILLIC, every, re.IGNORECASE) is not None


def _are_apart(names: list[str]) -> bool:
    """True if all names are single ASCII words that differ by more than case, as names on a server do."""
    every = "\n".join(names)
    if not every.isascii() or any(map(every.__contains__, " .,")) or every.count("\n") > len(names) - 1:
        return False
    if not every.replace("\n", "").isprintable():
        return False
    return len(set(every.lower().split("\n"))) == len(names)


def _with_initials(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yields the forms of a name with one or more words shortened to initials, and at least one word in full."""
    long = [at for at, word in enumerate(words) if len(word) > 1 and word[0].isalpha()]
    for count in range(1, len(long) if len(words) <= _WORDS else 0):
        for places in combinations(long, count):
            yield tuple(sorted(word[0] if at in places else word for at, word in enumerate(words)))


def _is_slip(word: str, other: str) -> bool:
    """True if one typo turns one word into the other."""
    if len(word) > len(other):
        word, other = other, word
    if len(other) - len(word) > 1:  # true of most pairs of words
        return False
    same = next((at for at, pair in enumerate(zip(word, other, strict=False)) if pair[0] != pair[1]), len(word))
    if len(word) < len(other):
        doubled = other[same] in other[same - 1 : same] + other[same + 1 : same + 2]
        return word[same:] == other[same + 1 :] and (len(word) >= _SHORT or (doubled and len(word) > 2))
    swapped = word[same : same + 2] == other[same : same + 2][::-1] and word[same + 2 :] == other[same + 2 :]
    return (word[same + 1 :] == other[same + 1 :] and len(word) >= _SHORT) or (swapped and len(word) > 3)


MANY = 10_000
"""Number of names above which only names with the same beginning are compared, because comparing is slow."""


_UMLAUT = re.compile("([aouAOU])e")
"""Two letters for an umlaut, as in `Mueller`."""


def near_names(name: str, names: list[str]) -> tuple[str, ...]:
    """Returns up to three names that contain an unknown name, or are spelt much like it.

    Examples
    --------
    >>> near_names("anna", ["ann", "bo", "anja"]), near_names("Agnes", ["Kov\u00e1cs, \u00c1gnes", "bo"])
    (('ann', 'anja'), ('Kov\u00e1cs, \u00c1gnes',))
    >>> near_names("Mueller", ["M\u00fcller, Hans", "bo"])
    ('M\u00fcller, Hans',)
    """
    parts = {name_words(name), name_words(_UMLAUT.sub(r"\1", name))}
    known = names if len(names) <= MANY else []
    whole = [one for one in known if any(_has_words(name_words(one), some) for some in parts)]
    if len(names) > MANY:
        begin = name[:2].casefold()
        names = [one for one in names if one[:2].casefold() == begin and abs(len(one) - len(name)) < 3][:MANY]
    return tuple(dict.fromkeys([*whole, *spelt_like(name, names)]))[:3]


def _has_words(words: Sequence[str], parts: Sequence[str]) -> bool:
    """True if every one of the parts is a word of the name, or the beginning of one."""
    return bool(parts) and all(any(word.startswith(part) for word in words) for part in parts)
