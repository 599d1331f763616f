insert into videos (channel, video_id, kind, title, published_at, published_precision, published_source,
                    date_conflict, language, url, duration_seconds, track, content_sha256, state)
values (:channel, :video_id, :kind, :title, :published_at, :published_precision, :published_source,
        :date_conflict, :language, :url, :duration_seconds, :track, :content_sha256, 'active')
on conflict (channel, video_id) do update set
    kind = excluded.kind,
    title = excluded.title,
    published_at = excluded.published_at,
    published_precision = excluded.published_precision,
    published_source = excluded.published_source,
    date_conflict = excluded.date_conflict,
    language = excluded.language,
    url = excluded.url,
    duration_seconds = excluded.duration_seconds,
    track = excluded.track,
    content_sha256 = excluded.content_sha256,
    state = 'active'
