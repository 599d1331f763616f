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


def test_an_agent_costs_between_one_call_a_question_and_all_its_steps() -> None:
    role = ModelRole(model="openai/m", max_output_tokens=100)
    found = agent_cost_range(
        provider({"openai/m": PRICE}), role, questions=2, steps=3, first_prompt_tokens=50, tokens_a_step=400
    )
    # Low: 2 x 50 tokens x $10/M = $0.001.
    assert found.low_usd == Decimal("0.001")
    # High: prompts of 50, 550, 1050 = 1650; x 2 = 3300; x 1.3 + 1 = 4291 x $10/M = $0.04291
    # and 2 x 3 x 100 tokens of output x $20/M = $0.012.
    assert found.high_usd == Decimal("0.04291") + Decimal("0.012")


def test_an_unknown_price_stays_unknown() -> None:
    found = agent_cost_range(provider({}), ModelRole(model="openai/nobody-knows"), 1, 1, 1, 1)
    assert (found.low_usd, found.high_usd) == (None, None)


def test_litellm_knows_public_prices() -> None:
    price = provider({}).prices.price_of("gpt-5.4")
    assert price == PriceSettings(
        input_per_million=Decimal("2.5"),
        output_per_million=Decimal(15),
        cached_input_per_million=Decimal("0.25"),
    )
