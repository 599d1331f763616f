import pytest

from answertrail_pipeline.models.families import are_kin, family_of
from answertrail_pipeline.settings import ModelRole

ELSEWHERE = "http://127.0.0.1:1/v1"


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("gpt-5.4", "openai"),
        ("openai/o3-mini", "openai"),
        ("ft:gpt-4o:acme::1", "openai"),
        ("azure/judge-eu", "openai"),
        ("azure_ai/Llama-3.3-70B-Instruct", "meta"),
        ("openrouter/openai/gpt-5.4-mini", "openai"),
        ("openrouter/anthropic/claude-sonnet-4.5", "anthropic"),
        ("bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0", "anthropic"),
        ("bedrock/converse/amazon.nova-pro-v1:0", "amazon"),
        ("vertex_ai/claude-opus-4-1", "anthropic"),
        ("vertex_ai/gemini-2.5-pro", "google"),
        ("gemini/gemini-3-pro", "google"),
        ("ollama/llama3.3", "meta"),
        ("ollama/gemma3:27b", "google"),
        ("ollama_chat/qwen3:8b", "alibaba"),
        ("groq/moonshotai/kimi-k2-instruct", "moonshot"),
        ("fireworks_ai/accounts/fireworks/models/glm-4p5", "zhipu"),
        ("together_ai/mistralai/Mixtral-8x7B-Instruct-v0.1", "mistral"),
        ("xai/grok-4", "xai"),
        ("deepseek/deepseek-reasoner", "deepseek"),
        ("mistral/open-large", "mistral"),
        ("openrouter/deepseek/deepseek-r1-distill-llama-70b", "deepseek+meta"),
        ("openrouter/nvidia/llama-3.1-nemotron-70b-instruct", "meta+nvidia"),
        ("openrouter/acme/secret-model", "unknown"),
        ("bedrock/arn:aws:bedrock:eu-west-1:1:application-inference-profile/abc", "unknown"),
        ("hosted_vllm/my-tune", "unknown"),
        ("baseline", None),
    ],
)
def test_the_maker_is_read_through_routers(model: str, family: str | None) -> None:
    assert family_of(ModelRole(model=model)) == family


def test_a_server_that_only_speaks_openai_tells_nothing_of_the_maker() -> None:
    assert family_of(ModelRole(model="openai/my-alias", api_base=ELSEWHERE)) == "unknown"
    assert family_of(ModelRole(model="openai/qwen3-32b", api_base=ELSEWHERE)) == "alibaba"
    assert family_of(ModelRole(model="openai/my-alias")) == "openai"


def test_a_declared_family_wins() -> None:
    assert family_of(ModelRole(model="openai/my-alias", api_base=ELSEWHERE, family="Meta")) == "meta"


@pytest.mark.parametrize(
    ("first", "second", "kin"),
    [
        ("gpt-5.4", "azure/judge-eu", True),
        ("gpt-5.4", "claude-opus-4-1", False),
        ("deepseek/deepseek-chat", "groq/deepseek-r1-distill-llama-70b", True),
        ("ollama/llama3.3", "groq/deepseek-r1-distill-llama-70b", True),
        ("hosted_vllm/my-tune", "hosted_vllm/my-tune", True),
        ("hosted_vllm/my-tune", "hosted_vllm/other", False),
        ("baseline", "baseline", False),
        ("baseline", "gpt-5.4", False),
    ],
)
def test_kin_share_a_maker(first: str, second: str, kin: bool) -> None:
    assert are_kin(ModelRole(model=first), ModelRole(model=second)) is kin
    assert are_kin(ModelRole(model=second), ModelRole(model=first)) is kin
