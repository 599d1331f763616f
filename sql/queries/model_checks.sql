-- What `answertrail check-model` found. Of a judge, only with the parameters that it judges with.
select model, task, prompt_hash, config, right_items as right, items, (detail ->> 'kappa')::double precision as kappa
from model_checks m
where task not in ('judge', 'judge_batch')
   or not exists (select from judges j where j.model = m.model and j.prompt_hash = m.prompt_hash)
   or exists (select from judges j where j.prompt_hash = m.prompt_hash and j.config = m.config)
order by model, task, prompt_hash
