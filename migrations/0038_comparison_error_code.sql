-- A failed comparison has the code of its cause. Those that failed before have the general one.
ALTER TABLE remote_comparison ADD COLUMN error_code TEXT;
UPDATE remote_comparison SET error_code = iif(cancelled = 1, 'CATP-ER1531', 'CATP-ER1534') WHERE error IS NOT NULL;
