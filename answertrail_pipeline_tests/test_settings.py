from pathlib import Path

import pytest

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.settings import find_config, load_settings


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "answertrail.toml"
    path.write_text(text)
    return path


def test_paths_are_absolute_against_the_file(tmp_path: Path) -> None:
    path = write(tmp_path, '[channels.talks]\nsource = {kind = "folder", path = "captions"}\n')
    settings = load_settings(path, {})
    assert settings.data_dir == tmp_path / ".answertrail"
    assert settings.channel("talks").source.path == tmp_path / "captions"  # type: ignore[union-attr]
    assert settings.database_url is None


@pytest.mark.parametrize(
    ("text", "named", "nearest"),
    [
        ("repetitons = 3", "repetitons", "repetitions"),
        ("[models.judge]\ntemprature = 0", "models.judge.temprature", "temperature"),
        ('[channels.talks]\nlanguge = "en"\nsource = {path = "x", kind = "folder"}', "languge", "language"),
        ('[channels.talks]\nsource = {kind = "folder", pth = "x", path = "y"}', "pth", "path"),
        ("[arms.a.retriever]\nflor = 1", "arms.a.retriever.flor", "floor"),
    ],
)
def test_an_unknown_key_is_named_with_the_nearest_valid_one(
    tmp_path: Path, text: str, named: str, nearest: str
) -> None:
    with pytest.raises(UserError) as caught:
        load_settings(write(tmp_path, text), {})
    assert named in str(caught.value)
    assert f"`{nearest}`" in str(caught.value)


def test_a_wrong_value_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"`repetitions` = 0"):
        load_settings(write(tmp_path, "repetitions = 0"), {})


def test_a_file_that_is_no_toml_is_named_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="line 2"):
        load_settings(write(tmp_path, "a = 1\n= 2"), {})


def test_the_nearest_file_above_is_used(tmp_path: Path) -> None:
    path = write(tmp_path, "")
    (tmp_path / "a" / "b").mkdir(parents=True)
    assert find_config(tmp_path / "a" / "b", {}) == path
    assert find_config(tmp_path, {"ANSWERTRAIL_CONFIG": "/x/y.toml"}) == Path("/x/y.toml")
    with pytest.raises(UserError, match="answertrail init"):
        find_config(Path("/"), {})


def test_an_unknown_channel_names_the_known_ones(tmp_path: Path) -> None:
    settings = load_settings(write(tmp_path, '[channels.talks]\nsource = {kind = "folder", path = "c"}'), {})
    with pytest.raises(UserError, match="Known channels: talks"):
        settings.channel("talk")
