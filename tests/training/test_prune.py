"""Which layers a student keeps, by either rule."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

torch = pytest.importorskip("torch", reason="torch is only in the training environment (make test-training)")

from tests.export.tiny import backbone  # noqa: E402
from training.model import EvidenceEncoder  # noqa: E402
from training.prune import by_measured_drop, evenly_spaced, prune, without  # noqa: E402

PIECES = 60
ROWS = torch.tensor([[0, 30, 11, 2, 2, 20, 31, 22, 30, 2], [0, 8, 2, 2, 9, 10, 2, 1, 1, 1]])


@pytest.fixture
def model() -> EvidenceEncoder:
    torch.manual_seed(2)
    made = EvidenceEncoder(backbone("bert", PIECES, 5), torch.arange(PIECES), torch.ones(PIECES))
    made.eval()
    return made


@given(st.integers(1, 60).flatmap(lambda depth: st.tuples(st.just(depth), st.integers(1, depth))))
def test_evenly_spaced_layers_ascend_and_hold_both_ends(sizes: tuple[int, int]) -> None:
    depth, keep = sizes
    kept = evenly_spaced(depth, keep)
    assert len(kept) == len(set(kept)) == keep
    assert kept == sorted(kept)
    assert kept[0] == 0
    if keep > 1:
        assert kept[-1] == depth - 1
        gaps = [b - a for a, b in pairwise(kept)]
        assert max(gaps) - min(gaps) <= 1


@pytest.mark.parametrize("keep", [0, 6])
def test_more_layers_than_there_are_are_refused(model: EvidenceEncoder, keep: int) -> None:
    with pytest.raises(ValueError, match="5 layers"):
        evenly_spaced(5, keep)
    with pytest.raises(ValueError, match="cannot be kept"):
        by_measured_drop(model, keep, lambda _: 0.0)


def test_a_layer_that_is_left_out_hands_its_input_on(model: EvidenceEncoder) -> None:
    with torch.no_grad():
        whole = model(ROWS)[0]
        with without(model, [1, 3]):
            left_out = model(ROWS)[0]
        assert torch.equal(model(ROWS)[0], whole)
        pruned = prune(model, [0, 2, 4])(ROWS)[0]
    assert not torch.allclose(whole, left_out)
    assert torch.allclose(left_out, pruned, atol=1e-6)


def test_the_layers_that_matter_least_go_first(model: EvidenceEncoder) -> None:
    with torch.no_grad():
        for name, value in model.layers[3].named_parameters():
            if name.startswith(("attention.output.dense", "output.dense")):
                value.zero_()
        target = model(ROWS)[0]

        def loss(changed: EvidenceEncoder) -> float:
            return float((changed(ROWS)[0] - target).abs().mean())

        kept, rounds = by_measured_drop(model, 3, loss)
    assert rounds[0]["dropped"] == 3
    assert 3 not in kept
    assert len(kept) == 3
    assert len(rounds[0]["losses"]) == 5
    assert rounds[0]["losses"][3] < 0.1 * max(rounds[0]["losses"].values())


def test_fixed_layers_stay(model: EvidenceEncoder) -> None:
    kept, _ = by_measured_drop(model, 2, lambda _: 1.0, fixed=[0, 4])
    assert kept == [0, 4]
