from hypothesis import given
from hypothesis import strategies as st

from answertrail_pipeline.store.keys import join_key, run_key, split_key, video_key

parts = st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), min_size=1, max_size=4)


@given(parts)
def test_what_is_joined_is_split_again(parts: list[str]) -> None:
    key = join_key(*parts)
    assert split_key(key) == tuple(parts)
    assert "..." not in key
    assert key.isascii()


def test_keys_stay_readable() -> None:
    assert video_key("talks", "-lRBpyPt79c") == "talks/-lRBpyPt79c"
    assert run_key("talks", "react-dense", "v1", 3, 2) == "talks/react-dense/v1/c3/r2"
    assert run_key("talks", "react-dense", "v1", 3, 2, epoch=2) == "talks/react-dense/v1/c3/r2e2"
