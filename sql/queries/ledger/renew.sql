-- A locked row is being settled or taken over at this moment: it needs no renewal, and who waits for it while
-- holding others may wait in a circle.
with mine as materialized (
    select call_key from model_calls
    where call_key = any(:keys) and owner = :owner and state = 'in_flight'
    for update skip locked
)
update model_calls as held
set lease_until = clock_timestamp() + make_interval(secs => :lease)
from mine
where held.call_key = mine.call_key
