update stage_run set reported_hash = :hash where stage = :stage and key = :key
