-- The chunks that state each claim.
select claim_id, chunk_ids
from claims
where channel = :channel and claim_id = any(cast(:claim_ids as text[]));
