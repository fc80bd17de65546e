-- When the provider last confirmed what groups give: messages and events go to their people for some time after it only
-- (contract section 27). What stands there before counts from the migration on.
ALTER TABLE group_right ADD COLUMN given_at INTEGER NOT NULL DEFAULT 0;
UPDATE group_right SET given_at = unixepoch() * 1000;
