-- What a table changed is kept to the last level from now on (contract section 8): what can still be worked out is, anew.
DELETE FROM attribute_table_change
WHERE table_id IN (SELECT id FROM attribute_table WHERE state = 'loaded' AND body = 'whole')
  AND (since_id = 0 OR since_id IN (SELECT id FROM attribute_table WHERE state = 'loaded' AND body = 'whole'));
