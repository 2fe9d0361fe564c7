"""The loss: over body tokens and rows, and towards the teacher as far as alpha says."""

import pytest

torch = pytest.importorskip("torch", reason="torch is only in the training environment (make test-training)")

from training.loss import RELEVANCE_WEIGHT, evidence_loss  # noqa: E402

KEEP = torch.tensor([[9.0, 1.0, -1.0, 9.0], [0.5, -2.0, 9.0, 9.0]])
RELEVANCE = torch.tensor([0.3, -0.7])
LABELS = torch.tensor([[-1, 1, 0, -1], [0, 0, -1, -1]])
TEACHER_KEEP = torch.tensor([[0.0, 2.0, -3.0, 0.0], [-1.0, 0.5, 0.0, 0.0]])
TEACHER_RELEVANCE = torch.tensor([1.5, -2.0])


def entropy(logit: float, target: float) -> float:
    p = 1 / (1 + torch.exp(torch.tensor(-logit)))
    return float(-(target * torch.log(p) + (1 - target) * torch.log(1 - p)))


def by_hand(alpha: float) -> float:
    tokens = [(0, 1), (0, 2), (1, 0), (1, 1)]
    keep = 0.0
    for row, column in tokens:
        teacher = float(torch.sigmoid(TEACHER_KEEP[row, column]))
        target = (1 - alpha) * float(LABELS[row, column]) + alpha * teacher
        keep += entropy(float(KEEP[row, column]), target) / len(tokens)
    rows = 0.0
    for row, holds in enumerate((1.0, 0.0)):
        target = (1 - alpha) * holds + alpha * float(torch.sigmoid(TEACHER_RELEVANCE[row]))
        rows += entropy(float(RELEVANCE[row]), target) / 2
    return keep + RELEVANCE_WEIGHT * rows


@pytest.mark.parametrize("alpha", [0.0, 0.3, 1.0])
def test_the_loss_is_the_weighted_sum_of_both_cross_entropies(alpha: float) -> None:
    found = evidence_loss(
        KEEP, RELEVANCE, LABELS, alpha=alpha, teacher_keep=TEACHER_KEEP, teacher_relevance=TEACHER_RELEVANCE
    )
    assert float(found) == pytest.approx(by_hand(alpha), rel=1e-5)


def test_tokens_outside_the_body_do_not_count() -> None:
    other = torch.where(LABELS < 0, torch.tensor(-9.0), KEEP)
    assert torch.allclose(evidence_loss(KEEP, RELEVANCE, LABELS), evidence_loss(other, RELEVANCE, LABELS))


def test_a_student_that_agrees_with_its_teacher_is_not_moved() -> None:
    keep, relevance = TEACHER_KEEP.clone().requires_grad_(), TEACHER_RELEVANCE.clone().requires_grad_()
    evidence_loss(
        keep, relevance, LABELS, alpha=1.0, teacher_keep=TEACHER_KEEP, teacher_relevance=TEACHER_RELEVANCE
    ).backward()
    assert float(keep.grad.abs().max()) < 1e-6
    assert float(relevance.grad.abs().max()) < 1e-6


def test_alpha_without_a_teacher_is_refused() -> None:
    with pytest.raises(ValueError, match=r"training\.teach writes them"):
        evidence_loss(KEEP, RELEVANCE, LABELS, alpha=0.5)
