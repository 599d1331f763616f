-- Scores of a pool's runs on the pool and on the frozen base.
select r.arm, s.question_id, s.pool_id, s.scope, s.level, s.tp, s.fp, s.fn, s.detail
from biography_scores s join runs r on r.run_key = s.run_key
where s.run_key = any(:runs) and s.pool_id in (:pool_id, '')
order by r.arm, s.run_key, s.question_id, s.pool_id, s.scope, s.level
