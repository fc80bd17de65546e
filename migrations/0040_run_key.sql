-- By which key or certificate a run was ordered: what it fetches leaves it in the audit (contract section 16). NULL: the
-- command line ordered it, or an older version of catp wrote the row.
ALTER TABLE remote_run ADD COLUMN session_key TEXT;
