-- What the audit tells of who acted: whose hand made an access key, and by which key or certificate an import was sent
-- (contract section 16). NULL: an older version of catp wrote the row.
ALTER TABLE access_key ADD COLUMN made_by TEXT;
ALTER TABLE import_job ADD COLUMN session_key TEXT;
