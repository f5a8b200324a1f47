"""A table of choices as a short list of rules that say exactly the same.

Greedy covering: of all rules of up to three conditions, take the one that speaks for most of what
is left and is right about every bit of it; and again, until what is left needs one rule only. What
no such rule can tell apart is named one by one, so the list is always exact.
"""

from itertools import combinations

import msgspec
import numpy as np
import numpy.typing as npt

from pitboss.maths.hand_states import Ints

Bits = npt.NDArray[np.uint64]

_WEIGHT = (1.0, 0.85, 0.6)
"""What a rule of one, two or three conditions is worth: a simple rule may say a little less."""

_FEW = 6
"""A feature with at most so many values is asked for one of them, too."""


class Condition(msgspec.Struct, frozen=True):
    """A feature lies in a range."""

    feature: str
    least: int | None = None
    most: int | None = None

    def holds(self, values: int | Ints) -> npt.NDArray[np.bool_]:
        least = True if self.least is None else values >= self.least
        most = True if self.most is None else values <= self.most
        return np.logical_and(least, most)


class Rule(msgspec.Struct, frozen=True):
    """Where all conditions hold, or for these entries alone: this choice."""

    choice: int
    """Which of the choices, by number."""
    when: tuple[Condition, ...] = ()
    only: tuple[int, ...] = ()
    """Entries named one by one, where no conditions could tell them apart."""


def cover(features: dict[str, Ints], choices: Ints) -> tuple[Rule, ...]:
    """Return rules of which the first that fits each entry gives its choice; the last fits all.

    >>> high = np.array([2, 5, 9, 14])
    >>> [(rule.choice, rule.when) for rule in cover({"high": high}, np.array([0, 0, 0, 1]))]
    [(0, (Condition(feature='high', least=None, most=9),)), (1, ())]
    """
    # np.unique would load numpy's masked arrays, which takes longer than all of this.
    left = {each: _packed(choices == each)[0] for each in sorted(set(choices.tolist()))}
    if len(left) == 1:
        return (Rule(int(choices[0])),)
    conditions, groups, covers = _candidates(features)
    weight = np.array(_WEIGHT)[(groups >= 0).sum(axis=1) - 1]
    found: list[Rule] = []
    counts = {key: np.bitwise_count(covers & each).sum(axis=1) for key, each in left.items()}
    while len(left) > 1:
        several = np.stack([*counts.values()])
        score = several.max(axis=0) * weight * ((several > 0).sum(axis=0) == 1)
        best = int(np.argmax(score))
        if score[best] == 0:
            return (*found, *_one_by_one(left, len(choices)))
        choice = list(left)[int(several[:, best].argmax())]
        found.append(Rule(choice, tuple(conditions[at] for at in groups[best] if at >= 0)))
        told = left[choice] & covers[best]  # only of this choice, and in a few words
        left[choice] = left[choice] & ~told
        words = np.flatnonzero(told)
        counts[choice] -= np.bitwise_count(covers[:, words] & told[words]).sum(axis=1)
        if not left[choice].any():
            del left[choice], counts[choice]
        still = several.any(axis=0)
        groups, covers, weight = groups[still], covers[still], weight[still]
        counts = {key: each[still] for key, each in counts.items()}
    return (*found, *(Rule(choice) for choice in left))


def _one_by_one(left: dict[int, Bits], size: int) -> list[Rule]:
    """Name what is left, but for the choice that most of it has."""
    entries = {key: np.unpackbits(each.view(np.uint8), count=size) for key, each in left.items()}
    most = max(entries, key=lambda key: int(entries[key].sum()))
    named = [
        Rule(key, only=tuple(np.nonzero(bits)[0].tolist()))
        for key, bits in entries.items()
        if key != most
    ]
    return [*named, Rule(most)]


def _packed(rows: npt.NDArray[np.bool_]) -> Bits:
    rows = np.atleast_2d(rows)
    padded = np.zeros((len(rows), -(-rows.shape[1] // 64) * 64), np.bool_)
    padded[:, : rows.shape[1]] = rows
    words: Bits = np.packbits(padded, axis=1).view(np.uint64)
    return words


def _ranges(name: str, values: Ints) -> list[Condition]:
    """Return what may be asked of a feature: at least, at most and, where it has few values, is."""
    seen = sorted(set(values.tolist()))
    upward = [Condition(name, least=each) for each in seen[1:]]
    downward = [Condition(name, most=each) for each in seen[:-1]]
    exactly = [Condition(name, each, each) for each in seen[1:-1]] if len(seen) <= _FEW else []
    return [*upward, *downward, *exactly]


def _candidates(features: dict[str, Ints]) -> tuple[list[Condition], Ints, Bits]:
    """Return conditions, every group of up to three on different features, and what each covers."""
    conditions = [each for name, values in features.items() for each in _ranges(name, values)]
    single = _packed(np.array([each.holds(features[each.feature]) for each in conditions]))
    names = list(features)
    of = np.array([names.index(each.feature) for each in conditions])
    groups, covers = [], []
    for many in range(1, min(3, len(names)) + 1):
        for chosen in combinations(range(len(names)), many):
            grid = np.meshgrid(*(np.nonzero(of == each)[0] for each in chosen), indexing="ij")
            group = np.stack([each.ravel() for each in grid], axis=1)
            groups.append(np.pad(group, ((0, 0), (0, 3 - many)), constant_values=-1))
            covers.append(np.bitwise_and.reduce(single[group], axis=1))
    return conditions, np.concatenate(groups), np.concatenate(covers)
