-- Until when a key is good (NULL: for ever), and the hour in which it was last used (contract section 2).
ALTER TABLE access_key ADD COLUMN expires_at INTEGER;
ALTER TABLE access_key ADD COLUMN last_used_at INTEGER;
