"""What `kustomize build` makes of an overlay, as far as these files need it."""

from pathlib import Path
from typing import Any

from tests.docker.files import read_yaml


def merge(base: Any, patch: Any) -> Any:
    """A strategic merge: maps key by key, lists of named things by name, all else replaced."""
    if isinstance(base, dict) and isinstance(patch, dict):
        return base | {key: merge(base.get(key), value) for key, value in patch.items()}
    if is_named(base) and is_named(patch):
        by_name = {entry["name"]: entry for entry in base}
        merged = {entry["name"]: merge(by_name.get(entry["name"]), entry) for entry in patch}
        return list((by_name | merged).values())
    return patch


def is_named(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(entry, dict) and "name" in entry for entry in value)


def objects(folder: Path) -> list[dict[str, Any]]:
    """The objects of a kustomization: its resources, then its patches and images applied to them."""
    kustomization = read_yaml(folder / "kustomization.yaml")
    found: list[dict[str, Any]] = []
    for resource in kustomization["resources"]:
        path = folder / resource
        found += objects(path) if path.is_dir() else [read_yaml(path)]
    for entry in kustomization.get("patches", []):
        patch = read_yaml(folder / entry["path"])
        at = [identity(thing) for thing in found].index(identity(patch))
        found[at] = merge(found[at], patch)
    for image in kustomization.get("images", []):
        set_image(found, image)
    return found


def identity(thing: dict[str, Any]) -> tuple[str, str, str]:
    return thing["apiVersion"], thing["kind"], thing["metadata"]["name"]


def set_image(found: list[dict[str, Any]], image: dict[str, str]) -> None:
    for thing in found:
        if thing["kind"] == "Deployment":
            for container in thing["spec"]["template"]["spec"]["containers"]:
                if container["image"] == image["name"]:
                    container["image"] = f"{image['newName']}:{image['newTag']}"
