-- Three threads.
select channel || ': ' || topic || ', ' || videos || ' videos, ' || first_date || ' to ' || last_date
from threads
order by md5(thread_id)
limit 3
