select *
from adjudications
where channel = :channel
  and item_kind = :kind
  and item_id = :item_id
order by adjudication_id
