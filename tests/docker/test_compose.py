"""The compose file starts only what is there, pinned, reachable from this machine alone."""

import re
from typing import Any

import pytest

from tests.docker.files import DOCKER, PORTS, ROOT, read_json, read_yaml

COMPOSE = read_yaml(DOCKER / "compose.yaml")
SERVICES: dict[str, Any] = COMPOSE["services"]
SERVERS = ("server-cpu", "server-gpu")


@pytest.mark.parametrize("name", SERVICES)
def test_images_are_pinned(name: str) -> None:
    assert re.search(r":v?\d+\.\d+\.\d+(-\w+)?$", SERVICES[name]["image"])


@pytest.mark.parametrize("name", SERVICES)
def test_mounted_files_and_volumes_exist(name: str) -> None:
    for volume in SERVICES[name].get("volumes", []):
        source = volume.split(":")[0]
        if source.startswith("."):
            assert (DOCKER / source).exists()
        else:
            assert source in COMPOSE["volumes"]


@pytest.mark.parametrize("name", SERVICES)
def test_ports_are_open_on_this_machine_alone(name: str) -> None:
    for port in SERVICES[name]["ports"]:
        assert re.fullmatch(r"127\.0\.0\.1:(\d+):\1", port)


@pytest.mark.parametrize("name", SERVERS)
def test_each_server_is_built_for_its_profile(name: str) -> None:
    server = SERVICES[name]
    (target,) = server["profiles"]
    assert name == f"server-{target}"
    assert server["build"]["args"] == {"TARGET": target}
    assert server["environment"] == {"PITH_TARGET": target}
    assert server["image"].endswith(f"-{target}")
    context = (DOCKER / server["build"]["context"]).resolve()
    assert context == ROOT
    assert (context / server["build"]["dockerfile"]).is_file()


@pytest.mark.parametrize("name", SERVERS)
def test_servers_open_the_ports_of_the_image(name: str) -> None:
    assert sorted(int(port.rsplit(":")[-1]) for port in SERVICES[name]["ports"]) == sorted(PORTS.values())


@pytest.mark.parametrize("name", SERVERS)
def test_servers_have_shared_memory_and_time_to_finish(name: str) -> None:
    server = SERVICES[name]
    assert server["shm_size"] == "1gb"
    assert int(server["stop_grace_period"].removesuffix("s")) > exit_timeout()


@pytest.mark.parametrize("name", SERVERS)
def test_servers_can_write_only_to_their_volumes(name: str) -> None:
    server = SERVICES[name]
    assert server["read_only"] is True
    assert server["cap_drop"] == ["ALL"]
    assert [volume.split(":")[1] for volume in server["volumes"]] == ["/models"]


def test_monitoring_comes_with_either_server() -> None:
    for name in ("prometheus", "grafana"):
        assert {"cpu", "gpu"} <= set(SERVICES[name]["profiles"])


def test_prometheus_reads_the_metrics_of_whichever_server_runs() -> None:
    (scrape,) = read_yaml(DOCKER / "prometheus" / "prometheus.yml")["scrape_configs"]
    (target,) = scrape["static_configs"][0]["targets"]
    host, port = target.split(":")
    assert int(port) == PORTS["metrics"]
    for name in SERVERS:
        assert SERVICES[name]["networks"]["default"]["aliases"] == [host]


def test_prometheus_loads_the_alerts_from_where_they_are_mounted() -> None:
    rules = read_yaml(DOCKER / "prometheus" / "prometheus.yml")["rule_files"]
    mounted = [volume.split(":")[1] for volume in SERVICES["prometheus"]["volumes"]]
    assert set(rules) <= set(mounted)


def test_grafana_finds_prometheus_and_the_dashboard() -> None:
    provisioning = DOCKER / "grafana" / "provisioning"
    (source,) = read_yaml(provisioning / "datasources" / "prometheus.yaml")["datasources"]
    assert source["url"] == "http://prometheus:9090"
    (provider,) = read_yaml(provisioning / "dashboards" / "pith.yaml")["providers"]
    mounted = {volume.split(":")[1]: volume.split(":")[0] for volume in SERVICES["grafana"]["volumes"]}
    dashboards = DOCKER / mounted[provider["options"]["path"]]
    home = SERVICES["grafana"]["environment"]["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"]
    assert home.startswith(provider["options"]["path"])
    assert read_json(dashboards / home.rsplit("/")[-1])["uid"] == "pith"


def exit_timeout() -> int:
    """Seconds that the entrypoint gives requests in flight."""
    text = (DOCKER / "entrypoint.sh").read_text(encoding="utf-8")
    found = re.search(r"PITH_EXIT_TIMEOUT:-(\d+)", text)
    assert found is not None
    return int(found[1])
