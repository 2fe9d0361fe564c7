"""Dashboard, alerts and scaling ask only for metrics that the server gives."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.docker.files import ALERTS, BASE, DASHBOARD, DOCKER, OVERLAYS, read_json, read_yaml

# The names and labels that the local server gave on a CPU, with summary_latencies=true.
SAMPLE = (Path(__file__).parent / "metrics_of_a_cpu_server.txt").read_text(encoding="utf-8").splitlines()
# What that server is too old for, or has no GPU for. Triton 2.71, docs/user_guide/metrics.md.
DOCUMENTED = {
    "nv_inference_first_response_histogram_ms_bucket",
    "nv_gpu_utilization",
    "nv_gpu_memory_used_bytes",
    "nv_gpu_memory_total_bytes",
}
GIVEN = {line.partition("{")[0] for line in SAMPLE}
ADAPTER = DOCKER / "kubernetes" / "monitoring" / "prometheus-adapter-values.yaml"
SELECTOR = re.compile(r"(nv_\w+)(?:\{([^}]*)\})?")
LABEL = re.compile(r'(model|reason|quantile)="([^"$]+)"')


def panels() -> list[dict[str, Any]]:
    return [panel for panel in read_json(DASHBOARD)["panels"] if panel["type"] != "row"]


def rules() -> list[dict[str, Any]]:
    return [rule for group in read_yaml(ALERTS)["groups"] for rule in group["rules"]]


def expressions() -> Iterator[str]:
    for panel in panels():
        yield from (target["expr"] for target in panel["targets"])
    yield from (rule["expr"] for rule in rules())
    for rule in read_yaml(ADAPTER)["rules"]["custom"]:
        yield rule["seriesQuery"]
        yield rule["metricsQuery"]


@pytest.mark.parametrize("expression", list(expressions()))
def test_every_metric_and_label_is_one_that_the_server_gives(expression: str) -> None:
    for name, labels in SELECTOR.findall(expression):
        assert name in GIVEN | DOCUMENTED
        samples = [line for line in SAMPLE if line.startswith(f"{name}{{")]
        for label, value in LABEL.findall(labels):
            assert name in DOCUMENTED or any(f'{label}="{value}"' in line for line in samples)


@pytest.mark.parametrize("expression", list(expressions()))
def test_brackets_of_expressions_are_closed(expression: str) -> None:
    for left, right in ("()", "{}", "[]"):
        assert expression.count(left) == expression.count(right)


@pytest.mark.parametrize("expression", list(expressions()))
def test_counters_are_read_as_rates(expression: str) -> None:
    counters = r"nv_\w+(?:_success|_failure|_count|_duration_us|_bucket)\b(?=\{)"
    for name in set(re.findall(counters, expression)) - {"nv_inference_pending_request_count"}:
        # The adapter's series query names the series and reads none.
        assert f"rate({name}{{" in expression or expression.startswith(f"{name}{{")


def test_the_dashboard_shows_what_an_operator_asks_for() -> None:
    shown = " ".join(target["expr"] for panel in panels() for target in panel["targets"])
    for wanted in (
        "nv_inference_request_success",
        "sum by (model, reason) (rate(nv_inference_request_failure",
        'nv_inference_queue_summary_us{model="encoder", quantile="0.99"',
        "nv_inference_compute_infer_duration_us",
        "nv_inference_exec_count",
        "nv_inference_pending_request_count",
        "nv_gpu_utilization",
        "nv_gpu_memory_used_bytes",
    ):
        assert wanted in shown


def test_panels_have_their_own_place_and_number() -> None:
    everything = read_json(DASHBOARD)["panels"]
    assert len({panel["id"] for panel in everything}) == len(everything)
    cells: list[tuple[int, int]] = []
    for panel in everything:
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= 24
        cells += [(place["x"] + x, place["y"] + y) for x in range(place["w"]) for y in range(place["h"])]
    assert len(set(cells)) == len(cells)


def test_the_dashboard_uses_variables_that_it_has() -> None:
    known = {variable["name"] for variable in read_json(DASHBOARD)["templating"]["list"]}
    for panel in panels():
        assert panel["datasource"]["uid"] == "${datasource}"
        for target in panel["targets"]:
            assert set(re.findall(r"\$(\w+)", target["expr"])) <= known | {"__rate_interval"}


def test_the_provisioned_data_source_is_the_one_chosen_first() -> None:
    (source,) = read_yaml(DOCKER / "grafana/provisioning/datasources/prometheus.yaml")["datasources"]
    chosen = read_json(DASHBOARD)["templating"]["list"][0]["current"]
    assert (chosen["text"], chosen["value"]) == (source["name"], source["uid"])


def test_alerts_cover_a_server_that_is_down_failures_queue_and_pending_requests() -> None:
    assert {rule["alert"] for rule in rules()} == {
        "PithServerDown",
        "PithRequestsFail",
        "PithQueueIsFull",
        "PithQueueTime",
        "PithPendingRequests",
    }
    for rule in rules():
        assert rule["labels"]["severity"] in {"critical", "warning"}
        assert rule["for"]
        assert set(rule["annotations"]) == {"summary", "description"}


def test_pending_requests_alert_before_the_queue_is_full() -> None:
    (rule,) = (rule for rule in rules() if rule["alert"] == "PithPendingRequests")
    config = (DOCKER.parent / "model_repository" / "encoder" / "config.pbtxt").read_text(encoding="utf-8")
    size = re.search(r"max_queue_size: (\d+)", config)
    assert size is not None
    assert 0 < int(rule["expr"].rsplit(">")[-1]) < int(size[1])


def test_kubernetes_has_the_same_alerts() -> None:
    assert read_yaml(BASE / "prometheusrule.yaml")["spec"]["groups"] == read_yaml(ALERTS)["groups"]


def test_the_job_has_one_name_everywhere() -> None:
    (scrape,) = read_yaml(DOCKER / "prometheus" / "prometheus.yml")["scrape_configs"]
    label = read_yaml(BASE / "servicemonitor.yaml")["spec"]["jobLabel"]
    (labels,) = read_yaml(BASE / "kustomization.yaml")["labels"]
    assert scrape["job_name"] == labels["pairs"][label] == "pith"
    assert 'job="pith"' in next(rule["expr"] for rule in rules())


def test_the_autoscaler_asks_for_the_metric_that_the_adapter_makes() -> None:
    (rule,) = read_yaml(ADAPTER)["rules"]["custom"]
    files = [BASE / "horizontalpodautoscaler.yaml", *OVERLAYS.glob("*/horizontalpodautoscaler.yaml")]
    for file in files:
        (metric,) = read_yaml(file)["spec"]["metrics"]
        assert metric["pods"]["metric"]["name"] == rule["name"]["as"]
