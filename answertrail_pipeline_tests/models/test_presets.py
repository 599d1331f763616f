import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from answertrail_pipeline.cli.init import app
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.models.families import are_kin
from answertrail_pipeline.models.presets import PRESETS, find_preset, preset_toml
from answertrail_pipeline.settings import FileSettings, load_settings


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_written_to_the_file_is_the_preset(name: str) -> None:
    preset = PRESETS[name]
    read = FileSettings.model_validate(tomllib.loads(preset_toml(name)))
    assert read.models == preset.models
    assert read.arms == {preset.arm_name: preset.arm}
    assert read.repetitions == preset.repetitions == 3


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_keeps_to_the_published_set_up(name: str) -> None:
    preset = PRESETS[name]
    models, arm = preset.models, preset.arm
    assert not are_kin(models.judge, models.agent)
    assert models.agent.reasoning_effort == "low"
    assert models.extract.reasoning_effort is None
    assert models.compose.reasoning_effort is not None
    retriever = arm.retriever
    assert (retriever.k, retriever.max_k, retriever.rrf_k, arm.max_steps) == (10, 20, 60, 15)


def test_an_unknown_preset_is_named_with_the_known_ones() -> None:
    with pytest.raises(UserError, match="published-react-dense"):
        find_preset("published-rect-dense")


@pytest.mark.parametrize("name", PRESETS)
def test_init_writes_a_preset_into_the_configuration(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "talks").mkdir()
    (tmp_path / "talks" / "v1.en.vtt").write_text("WEBVTT\n")
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["init", "talks", "--preset", name, "--language", "fr"])
    assert done.exit_code == 0
    read, preset = load_settings(tmp_path / "answertrail.toml", {}), PRESETS[name]
    assert (read.models, read.repetitions) == (preset.models, preset.repetitions)
    assert read.arms == {preset.arm_name: preset.arm}
    assert read.channel("talks").language == "fr"


def test_presets_are_listed_and_a_wrong_one_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "talks").mkdir()
    (tmp_path / "talks" / "v1.en.vtt").write_text("WEBVTT\n")
    monkeypatch.chdir(tmp_path)
    listed = CliRunner().invoke(app, ["presets"])
    assert [name for name in PRESETS if name in listed.output] == list(PRESETS)
    done = CliRunner().invoke(app, ["init", "talks", "--preset", "published"])
    assert isinstance(done.exception, UserError)
    assert not (tmp_path / "answertrail.toml").exists()
