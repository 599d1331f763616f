-- A judge's word on a calibration pair; asked again only where it was unscored.
insert into pair_verdicts (pair_id, judge_id, verdict_id)
values (:pair_id, :judge_id, :verdict_id)
on conflict (pair_id, judge_id) do update set verdict_id = excluded.verdict_id
