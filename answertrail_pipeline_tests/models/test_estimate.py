from decimal import Decimal

from answertrail_pipeline.models.estimate import agent_cost_range
from answertrail_pipeline.models.pricing import Prices
from answertrail_pipeline.models.provider import Provider
from answertrail_pipeline.settings import ModelRole, PriceSettings

PRICE = PriceSettings(input_per_million=Decimal(10), output_per_million=Decimal(20))


def provider(prices: dict[str, PriceSettings]) -> Provider:
    made: list[Provider] = []
    made.append(Provider(Prices(prices, lambda: made[0].litellm)))
    return made[0]


def test_an_agent_costs_between_one_call_a_question_and_all_that_it_can_make() -> None:
    role = ModelRole(model="openai/m", max_output_tokens=100)
    found = agent_cost_range(provider({"openai/m": PRICE}), role, 2, least=130, prompts=(130, 1000))
    # Low: 130 / 1.3 = 100 tokens; 2 x 100 x $10/M = $0.002.
    assert found.low_usd == Decimal("0.002")
    # High: 130 x 1.3 + 1 = 170 and 1000 x 1.3 + 1 = 1301 tokens; 2 x 1471 x $10/M = $0.02942
    # and 2 x 2 x 100 tokens of output x $20/M = $0.008.
    assert found.high_usd == Decimal("0.02942") + Decimal("0.008")


def test_a_prompt_is_no_longer_than_the_model_reads_and_long_ones_have_their_own_price() -> None:
    role = ModelRole(model="gpt-5.4", max_output_tokens=1000)
    found = agent_cost_range(provider({}), role, 1, least=1, prompts=(10_000_000,))
    # LiteLLM's list: 1,050,000 tokens at most; above 272,000 the prompt is $5/M and the output $22.5/M.
    assert found.high_usd == Decimal("5.25") + Decimal("0.0225")


def test_an_unknown_price_stays_unknown() -> None:
    found = agent_cost_range(provider({}), ModelRole(model="openai/nobody-knows"), 1, 1, (1,))
    assert (found.low_usd, found.high_usd) == (None, None)


def test_litellm_knows_public_prices() -> None:
    price = provider({}).prices.price_of("gpt-5.4")
    assert price == PriceSettings(
        input_per_million=Decimal("2.5"),
        output_per_million=Decimal(15),
        cached_input_per_million=Decimal("0.25"),
    )
