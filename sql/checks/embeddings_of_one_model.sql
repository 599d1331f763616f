select channel || '/' || model as unit, count(*) || ' vectors beside those of another model' as problem
from embeddings
where channel = :channel and kind = 'chunk'
group by channel, model
having count(*) < (select count(*) from embeddings where channel = :channel and kind = 'chunk')
order by 1
