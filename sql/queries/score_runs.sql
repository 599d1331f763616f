-- Every run of a channel, the newest gold version last.
select runs.run_key,
       runs.channel,
       runs.arm,
       runs.arm_hash,
       runs.arm_config,
       runs.gold_version,
       runs.corpus_id,
       corpora.number as corpus_number,
       runs.repetition,
       runs.epoch
from runs
left join corpora on corpora.channel = runs.channel and corpora.corpus_id = runs.corpus_id
left join gold_versions
  on gold_versions.channel = runs.channel and gold_versions.gold_version = runs.gold_version
where runs.channel = :channel
order by gold_versions.frozen_at, runs.run_key
