-- The judged texts.
select text_sha256, text
from judged_texts
where text_sha256 in (
    select verdicts.text_sha256
    from run_verdicts
    join verdicts using (verdict_id)
    where run_verdicts.run_key = any(:run_keys)
)
order by text_sha256
