select *
from adjudications
where channel = :channel
order by adjudication_id
