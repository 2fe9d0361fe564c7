"""The weights of relevance and lexical match: found where they are known, chosen on sets not seen."""

import numpy as np
import pytest

from evaluation.weights import (
    FOLDS,
    LEXICAL,
    RELEVANCE,
    Pair,
    choose,
    evidence_kept,
    folds_of_sets,
    set_mean,
    unseen_scores,
    weight_of,
)
from tests.evaluation.made_sets import LEXICAL as TRUE_LEXICAL
from tests.evaluation.made_sets import RELEVANCE as TRUE_RELEVANCE
from tests.evaluation.made_sets import made_sets

SETS = made_sets()


def test_the_weights_that_made_the_labels_are_found_near_enough() -> None:
    pair, report = choose(SETS)
    assert pair.relevance == pytest.approx(TRUE_RELEVANCE, abs=0.3)
    assert pair.lexical == pytest.approx(TRUE_LEXICAL, abs=1.5)
    assert sum(report["kept"].values()) > sum(report["kept_by_keep_alone"].values())
    assert report["way"] in report["kept_on_unseen_folds"]


def test_the_same_scores_give_the_same_choice() -> None:
    assert choose(SETS[:60]) == choose(SETS[:60])


def test_a_term_that_says_nothing_gets_no_weight() -> None:
    raw = [np.random.default_rng(i).permutation(one.raw.lexical) for i, one in enumerate(SETS)]
    assert LEXICAL[0] == RELEVANCE[0] == 0.0
    shuffled = [
        type(one)(
            one.asked,
            one.document,
            one.start,
            one.end,
            one.tokens,
            type(one.raw)(one.raw.keep, one.raw.relevance, lexical, one.raw.seen, one.raw.best),
        )
        for one, lexical in zip(SETS, raw, strict=True)
    ]
    assert choose(shuffled)[0].lexical < 1.2


def test_sets_of_one_source_are_in_one_fold_and_all_folds_are_used() -> None:
    fold = folds_of_sets(SETS)
    names = [one.asked.name for one in SETS]
    for name in set(names):
        assert len({f for f, n in zip(fold.tolist(), names, strict=True) if n == name}) == 1
    assert set(fold.tolist()) == set(range(FOLDS))


def test_scores_for_comparison_do_not_depend_on_the_labels_of_their_own_set() -> None:
    before = unseen_scores(SETS)
    names = {one.asked.name for one in SETS}
    target = sorted(names)[0]
    same = [one for one in SETS if one.asked.name != target]
    flipped = []
    for one in SETS:
        if one.asked.name == target:
            raw = type(one.raw)(one.raw.keep, one.raw.relevance, one.raw.lexical, one.raw.seen, one.raw.best)
            other = same[0].asked
            asked = type(one.asked)(target, one.asked.language, other.case)
            flipped.append(type(one)(asked, one.document, one.start, one.end, one.tokens, raw))
        else:
            flipped.append(one)
    after = unseen_scores(flipped)
    for one, old, new in zip(SETS, before, after, strict=True):
        if one.asked.name == target:
            assert np.array_equal(old, new)


def test_what_no_window_saw_is_last() -> None:
    one = SETS[0]
    one.raw.seen[3] = False
    try:
        assert Pair(0.0, 0.0).logit(one).argmin() == 3
    finally:
        one.raw.seen[3] = True


def test_every_set_counts_the_same() -> None:
    weight = weight_of(SETS)
    name = np.concatenate([np.repeat(one.asked.name, one.start.size) for one in SETS])
    assert [weight[name == n].sum() for n in np.unique(name)] == pytest.approx([1.0] * len(np.unique(name)))
    values = [1.0 if one.asked.name == "set0/dev" else 0.0 for one in SETS]
    assert set_mean(SETS, values) == pytest.approx(1 / 6)


def test_evidence_kept_rises_with_the_share() -> None:
    for one in SETS[:20]:
        kept = evidence_kept(one, one.evidence().astype(float))
        assert kept == sorted(kept)
        assert kept[-1] > 0
