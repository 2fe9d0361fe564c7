"""The Kubernetes objects are valid, agree with each other and the image, and lose no request in a rolling update."""

import re
from pathlib import Path
from typing import Any

import pytest

from pith.connection import Connection
from tests.docker.files import BASE, DOCKER, OVERLAYS, PORTS, ROOT, read_yaml
from tests.docker.merge import merge, objects

TARGETS = ("cpu", "gpu")
# The oldest and the newest release that the guide promises.
RELEASES = ("1.30", "1.37")
# Kinds of the Prometheus operator, whose schemas are not part of Kubernetes.
FOREIGN = {"ServiceMonitor", "PrometheusRule"}


def one(kind: str, target: str) -> dict[str, Any]:
    (found,) = (thing for thing in objects(OVERLAYS / target) if thing["kind"] == kind)
    return found


def pod(target: str) -> dict[str, Any]:
    spec: dict[str, Any] = one("Deployment", target)["spec"]["template"]["spec"]
    return spec


def container(target: str) -> dict[str, Any]:
    (found,) = pod(target)["containers"]
    assert isinstance(found, dict)
    return found


def environment(target: str) -> dict[str, str]:
    return {entry["name"]: entry["value"] for entry in container(target)["env"]}


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("target", TARGETS)
def test_objects_match_the_schemas_of_kubernetes(target: str, release: str) -> None:
    validator = pytest.importorskip("kubernetes_validate", reason="kubernetes-validate is not installed")
    for thing in objects(OVERLAYS / target):
        if thing["kind"] not in FOREIGN:
            assert validator.validate(thing, release, strict=True) == release


@pytest.mark.parametrize("folder", [BASE, *(OVERLAYS / target for target in TARGETS)], ids=lambda f: f.name)
def test_every_file_of_a_folder_is_used(folder: Path) -> None:
    kustomization = read_yaml(folder / "kustomization.yaml")
    named = [name for name in kustomization["resources"] if name.endswith(".yaml")]
    named += [patch["path"] for patch in kustomization.get("patches", [])]
    assert sorted(named) == sorted(p.name for p in folder.glob("*.yaml") if p.name != "kustomization.yaml")


@pytest.mark.parametrize("target", TARGETS)
def test_the_image_is_the_one_that_compose_builds(target: str) -> None:
    service = read_yaml(DOCKER / "compose.yaml")["services"][f"server-{target}"]
    assert container(target)["image"] == service["image"]
    assert environment(target)["PITH_TARGET"] == target


@pytest.mark.parametrize("target", TARGETS)
def test_selectors_find_the_pods(target: str) -> None:
    labels = one("Deployment", target)["spec"]["template"]["metadata"]["labels"]
    wanted = [
        one("Deployment", target)["spec"]["selector"]["matchLabels"],
        one("Service", target)["spec"]["selector"],
        one("PodDisruptionBudget", target)["spec"]["selector"]["matchLabels"],
        one("NetworkPolicy", target)["spec"]["podSelector"]["matchLabels"],
        *(entry["labelSelector"]["matchLabels"] for entry in pod(target)["topologySpreadConstraints"]),
    ]
    for selector in wanted:
        assert selector
        assert selector.items() <= labels.items()
    assert one("HorizontalPodAutoscaler", target)["spec"]["scaleTargetRef"]["name"] == "pith"


def test_labels_are_not_added_to_what_callers_must_carry() -> None:
    (labels,) = read_yaml(BASE / "kustomization.yaml")["labels"]
    assert "includeSelectors" not in labels


def test_the_service_monitor_finds_the_service() -> None:
    (labels,) = read_yaml(BASE / "kustomization.yaml")["labels"]
    monitor = read_yaml(BASE / "servicemonitor.yaml")["spec"]
    assert monitor["selector"]["matchLabels"].items() <= labels["pairs"].items()
    ports = {port["name"] for port in read_yaml(BASE / "service.yaml")["spec"]["ports"]}
    assert {endpoint["port"] for endpoint in monitor["endpoints"]} <= ports


def test_clients_see_every_server_by_name() -> None:
    service = read_yaml(BASE / "service.yaml")
    assert service["metadata"]["name"] == "pith-headless"
    assert service["spec"]["clusterIP"] == "None"
    assert "publishNotReadyAddresses" not in service["spec"]


@pytest.mark.parametrize("target", TARGETS)
def test_ports_are_those_of_the_image(target: str) -> None:
    assert {port["name"]: port["containerPort"] for port in container(target)["ports"]} == PORTS
    service = one("Service", target)["spec"]["ports"]
    assert {port["name"]: port["port"] for port in service} == PORTS
    assert all(port["targetPort"] == port["name"] for port in service)
    allowed = [
        port["port"] for rule in one("NetworkPolicy", target)["spec"]["ingress"] for port in rule["ports"]
    ]
    assert sorted(allowed) == sorted(PORTS)


@pytest.mark.parametrize("target", TARGETS)
def test_no_rolling_update_takes_a_server_away_first(target: str) -> None:
    strategy = one("Deployment", target)["spec"]["strategy"]
    assert strategy["rollingUpdate"] == {"maxUnavailable": 0, "maxSurge": 1}
    assert one("HorizontalPodAutoscaler", target)["spec"]["minReplicas"] >= 2
    assert "replicas" not in one("Deployment", target)["spec"]


@pytest.mark.parametrize("target", TARGETS)
def test_requests_in_flight_finish_before_a_server_is_killed(target: str) -> None:
    grace = pod(target)["terminationGracePeriodSeconds"]
    leaving = container(target)["lifecycle"]["preStop"]["sleep"]["seconds"]
    finishing = int(environment(target)["PITH_EXIT_TIMEOUT"])
    assert grace >= leaving + finishing + 10
    assert finishing > Connection(url="localhost:8001").timeout


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", ["startupProbe", "readinessProbe", "livenessProbe"])
def test_every_probe_is_an_inference_with_time_to_answer(target: str, name: str) -> None:
    probe = container(target)[name]
    program, script, deadline = probe["exec"]["command"]
    assert (program, script) == ("python3", "/opt/pith/health.py")
    assert int(deadline.removeprefix("--deadline=")) + 5 <= probe["timeoutSeconds"]


@pytest.mark.parametrize("target", TARGETS)
def test_an_engine_has_time_to_be_built(target: str) -> None:
    probe = container(target)["startupProbe"]
    seconds = probe["periodSeconds"] * probe["failureThreshold"]
    assert seconds >= 1200
    assert one("Deployment", target)["spec"]["progressDeadlineSeconds"] > seconds


@pytest.mark.parametrize("target", TARGETS)
def test_a_server_is_restarted_later_than_it_is_taken_out_of_service(target: str) -> None:
    ready, live = container(target)["readinessProbe"], container(target)["livenessProbe"]
    assert (
        live["periodSeconds"] * live["failureThreshold"] > ready["periodSeconds"] * ready["failureThreshold"]
    )


@pytest.mark.parametrize("target", TARGETS)
def test_the_server_has_no_rights_that_it_does_not_need(target: str) -> None:
    assert pod(target)["securityContext"]["runAsNonRoot"] is True
    assert pod(target)["automountServiceAccountToken"] is False
    security = container(target)["securityContext"]
    assert security["readOnlyRootFilesystem"] is True
    assert security["allowPrivilegeEscalation"] is False
    assert security["capabilities"] == {"drop": ["ALL"]}


@pytest.mark.parametrize("target", TARGETS)
def test_what_the_server_writes_to_is_a_volume(target: str) -> None:
    mounts = {mount["mountPath"]: mount["name"] for mount in container(target)["volumeMounts"]}
    assert set(mounts) == {"/tmp", "/dev/shm", "/models"}
    volumes = {volume["name"]: volume["emptyDir"] for volume in pod(target)["volumes"]}
    assert set(volumes) == set(mounts.values())
    assert volumes[mounts["/dev/shm"]] == {"medium": "Memory", "sizeLimit": "1Gi"}
    assert all("sizeLimit" in volume for volume in volumes.values())


def test_only_the_gpu_overlay_asks_for_a_gpu() -> None:
    assert container("gpu")["resources"]["limits"]["nvidia.com/gpu"] == "1"
    assert "nvidia.com/gpu" not in container("cpu")["resources"]["limits"]


def test_patches_add_to_the_environment_of_the_base() -> None:
    base: dict[str, Any] = {"env": [{"name": "A", "value": "1"}], "list": [1, 2]}
    patch: dict[str, Any] = {"env": [{"name": "B", "value": "2"}], "list": [3]}
    assert merge(base, patch) == {
        "env": [{"name": "A", "value": "1"}, {"name": "B", "value": "2"}],
        "list": [3],
    }


def test_the_guide_names_only_files_that_exist() -> None:
    guide = (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\b(?:docker|serving|tests|client|docs)/[\w./-]*\w", guide))
    assert named
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []
