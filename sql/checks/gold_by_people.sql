select channel || '/' || gold_version as unit, 'was decided by policy auto' as problem
from (
    select channel, gold_version, policy from gold_versions where channel = :channel order by frozen_at desc limit 1
) newest
where policy = 'auto'
