-- Calibration pairs as a person sees them: no verdict, no arm, no stratum. The order is that of the hashes.
select calibration_pairs.pair_id,
       calibration_pairs.purpose,
       calibration_pairs.claim,
       calibration_pairs.claim_kind,
       calibration_pairs.claim_window,
       calibration_pairs.window_from,
       calibration_pairs.window_to,
       calibration_pairs.question,
       calibration_pairs.text_kind,
       judged_texts.text,
       calibration_pairs.language
from calibration_pairs
join judged_texts using (text_sha256)
where calibration_pairs.channel = :channel
  and (cast(:purpose as text) is null or calibration_pairs.purpose = :purpose)
  and (cast(:language as text) is null or calibration_pairs.language = :language)
  and (cast(:person as text) is null or not exists (
      select 1 from labels where labels.pair_id = calibration_pairs.pair_id and labels.person = :person))
order by calibration_pairs.pair_id
