"""The generated configuration: what it says, that Triton's message reads it back, that the committed files are it."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from export.profiles import read_buckets
from export.triton_config import EncoderConfig, default_configs, read_config, write_configs
from serving.find import MODEL_REPOSITORY

WINDOWS = MODEL_REPOSITORY / "tokenize/1/windows.json"
CONFIGS = sorted(MODEL_REPOSITORY.glob("*/config.pbtxt")) + sorted(MODEL_REPOSITORY.glob("*/configs/*.pbtxt"))


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: str(path.relative_to(MODEL_REPOSITORY)))
def test_every_committed_configuration_is_one_that_triton_reads(path: Path) -> None:
    assert read_config(path.read_text()).name in path.parts


def test_the_committed_configurations_of_the_encoder_are_the_generated_ones(tmp_path: Path) -> None:
    write_configs(tmp_path, *default_configs(read_buckets(WINDOWS)))
    for name in ("config.pbtxt", "configs/cpu.pbtxt"):
        assert (tmp_path / "encoder" / name).read_text() == (MODEL_REPOSITORY / "encoder" / name).read_text()


sizes = st.lists(st.integers(1, 128), max_size=5, unique=True).map(lambda sizes: tuple(sorted(sizes)))


@given(
    st.lists(st.sampled_from([64, 128, 256, 512, 1024]), min_size=1, unique=True).map(sorted),
    sizes,
    sizes,
    st.integers(1, 4),
)
def test_a_description_is_read_back_as_it_was_written(
    buckets: list[int], preferred: tuple[int, ...], graphs: tuple[int, ...], versions: int
) -> None:
    config = EncoderConfig("gpu", tuple(buckets), preferred=preferred, graphs=graphs, versions=versions)
    read = read_config(config.text())
    assert read == config.message()
    assert [sample.inputs["input_ids"].dims[0] for sample in read.model_warmup] == buckets
    assert list(read.instance_group[0].profile) == [str(n) for n in range(len(buckets))]
    assert read.version_policy.latest.num_versions == versions
    specs = [(spec.input["input_ids"].dim[0], spec.batch_size) for spec in read.optimization.cuda.graph_spec]
    assert specs == [(length, size) for length in buckets for size in graphs]


def test_each_batch_size_up_to_the_largest_graph_has_exactly_one() -> None:
    config = EncoderConfig("gpu", (64,), graphs=(1, 4, 16))
    taken = []
    for spec in config.message().optimization.cuda.graph_spec:
        least = spec.graph_lower_bound.batch_size or spec.batch_size
        taken += list(range(least, spec.batch_size + 1))
    assert taken == list(range(1, 17))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"target": "tpu"}, "not gpu or cpu"),
        ({"target": "cpu", "graphs": (1,)}, "need the target gpu"),
        ({"target": "gpu", "graphs": (256,)}, r"graphs holds \[256\]; a batch has 1 to 128 rows"),
        ({"target": "gpu", "preferred": (0,)}, r"preferred holds \[0\]"),
    ],
)
def test_a_description_that_cannot_work_is_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        EncoderConfig(**{"buckets": (64,)} | changes)  # type: ignore[arg-type]
