insert into gates (stage, key, gate, channel, passed, blocking, description, numbers)
values (:stage, :key, :gate, :channel, :passed, :blocking, :description, cast(:numbers as jsonb))
