"""From logits to probabilities: temperature, Platt scaling and isotonic regression, and how far off they are.

All arrays are float64 [n]; `weight` says how much each row counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
# Logits to probabilities.
Fitted = Callable[[Floats], Floats]
BINS = 10
# The client rounds scores to six digits.
LEAST_SCORE = 1e-6


def logistic(x: Floats) -> Floats:
    """Logistic function that does not overflow."""
    half: Floats = np.tanh(0.5 * x)
    return 0.5 * (1.0 + half)


def regression(features: Floats, label: Floats, weight: Floats, steps: int = 50) -> Floats:
    """Coefficients of least weighted log loss, float64 [k + 1], the intercept last; features: float64 [n, k].

    Newton's method from a constant, with steps halved while they make the loss worse: full steps from afar diverge.
    """
    x = np.column_stack([features, np.ones(len(features))])
    share = float(np.clip(np.average(label, weights=weight), 1e-6, 1 - 1e-6))
    beta = np.zeros(x.shape[1])
    beta[-1] = math.log(share / (1 - share))
    loss = _log_loss(x @ beta, label, weight)
    for _ in range(steps):
        p = logistic(x @ beta)
        gradient = x.T @ (weight * (p - label))
        curvature = (x * (weight * p * (1 - p))[:, None]).T @ x + 1e-9 * np.eye(len(beta))
        step = np.linalg.solve(curvature, gradient)
        while (new := _log_loss(x @ (beta - step), label, weight)) > loss and np.abs(step).max() > 1e-9:
            step /= 2
        beta, loss = beta - step, new
        if np.abs(step).max() < 1e-9:
            break
    return beta


def platt(logit: Floats, label: Floats, weight: Floats) -> tuple[float, float]:
    """Scale and shift of least weighted log loss (Platt, 1999)."""
    scale, shift = regression(logit[:, None], label, weight).tolist()
    return scale, shift


def temperature(logit: Floats, label: Floats, weight: Floats) -> float:
    """Scale of least weighted log loss without a shift (Guo et al., 2017); golden section on its logarithm."""
    ratio = (math.sqrt(5) - 1) / 2
    low, high = math.log(1e-3), math.log(1e3)
    while high - low > 1e-6:
        a, b = high - ratio * (high - low), low + ratio * (high - low)
        worse = _log_loss(math.exp(a) * logit, label, weight) > _log_loss(math.exp(b) * logit, label, weight)
        low, high = (a, high) if worse else (low, b)
    return math.exp((low + high) / 2)


def isotonic(logit: Floats, label: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Centres of the steps of the rising function of least squares (pool adjacent violators), and their heights."""
    order = np.argsort(logit, kind="stable")
    blocks: list[list[float]] = []
    for x, y, w in zip(logit[order].tolist(), label[order].tolist(), weight[order].tolist(), strict=True):
        blocks.append([w, w * y, w * x])
        while len(blocks) > 1 and blocks[-2][1] * blocks[-1][0] >= blocks[-1][1] * blocks[-2][0]:
            last = blocks.pop()
            blocks[-1] = [a + b for a, b in zip(blocks[-1], last, strict=True)]
    table = np.array(blocks)
    return table[:, 2] / table[:, 0], table[:, 1] / table[:, 0]


def fitted(method: str, logit: Floats, label: Floats, weight: Floats) -> Fitted:
    """`temperature`, `platt` or `isotonic` (linear between the centres of its steps), fitted."""
    if method == "isotonic":
        knots, heights = isotonic(logit, label, weight)
        return lambda x: np.interp(x, knots, heights)
    scale, shift = (
        platt(logit, label, weight) if method == "platt" else (temperature(logit, label, weight), 0.0)
    )
    return lambda x: logistic(scale * x + shift)


def calibration_error(score: Floats, label: Floats, weight: Floats) -> float:
    """Expected calibration error over ten equal bins of the score (Guo et al., 2017)."""
    return _error(np.minimum((score * BINS).astype(int), BINS - 1), score, label, weight)


def adaptive_error(score: Floats, label: Floats, weight: Floats) -> float:
    """The same over ten bins of equal weight (Nguyen and O'Connor, 2015), where equal ones would hold most in one."""
    order = np.argsort(score, kind="stable")
    bins = np.empty(score.size, np.int64)
    share = np.cumsum(weight[order]) / weight.sum()
    bins[order] = np.minimum((share * BINS).astype(int), BINS - 1)
    return _error(bins, score, label, weight)


def threshold_for(score: Floats, label: Floats, weight: Floats, recall: float) -> float:
    """The highest threshold that keeps at least `recall` of the weight of the evidence."""
    positive = label > 0
    order = np.argsort(-score[positive])
    share = np.cumsum(weight[positive][order]) / weight[positive].sum()
    at = min(int(np.searchsorted(share, recall - 1e-9)), order.size - 1)
    return float(score[positive][order][at])


def rounded_down(threshold: float) -> float:
    """A threshold with three digits that keeps all that the threshold itself keeps; 0 below what a score can show."""
    if threshold < LEAST_SCORE:
        return 0.0
    unit = 10.0 ** (math.floor(math.log10(threshold)) - 2)
    return float(f"{math.floor(threshold / unit) * unit:.3g}")


def _error(bins: NDArray[np.int64], score: Floats, label: Floats, weight: Floats) -> float:
    said = np.bincount(bins, weight * score, BINS)
    true = np.bincount(bins, weight * label, BINS)
    return float(np.abs(said - true).sum() / weight.sum())


def _log_loss(logit: Floats, label: Floats, weight: Floats) -> float:
    return float((weight * (np.logaddexp(0.0, logit) - label * logit)).sum())
