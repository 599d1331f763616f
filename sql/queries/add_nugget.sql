insert into nuggets (
    channel, question_id, nugget_id, kind, text, window_text, window_from, window_to, claim_ids, chunk_ids, detail,
    written_by
)
values (
    :channel, :question_id, :nugget_id, :kind, :text, :window_text, :window_from, :window_to, :claim_ids, :chunk_ids,
    jsonb_build_object('added_by', cast(:written_by as text)), :written_by
)
