update budgets as held
set spent_usd = held.spent_usd + given.spent,
    reserved_usd = held.reserved_usd + given.reserved
from unnest(cast(:budgets as text[]), cast(:spent as numeric[]), cast(:reserved as numeric[]))
    as given (budget, spent, reserved)
where held.budget = given.budget
