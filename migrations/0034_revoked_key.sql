-- The access keys that are gone, so that a refused sign-in can name its reason (contract section 2).
CREATE TABLE revoked_key (
  client_id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- Of the time before, from the trail: an access key is `clientId/documento` there, and one without a row was revoked.
INSERT OR IGNORE INTO revoked_key (client_id)
  SELECT substr(subject, 1, instr(subject, '/') - 1)
  FROM (
    SELECT json_extract(entry.value, '$[0]') AS subject
    FROM audit_page, json_each(CASE WHEN json_valid(audit_page.entries) THEN audit_page.entries ELSE '[]' END) AS entry
    WHERE entry.type = 'array'
  )
  WHERE instr(subject, '/') > 1
    AND length(substr(subject, instr(subject, '/') + 1)) IN (11, 14)
    AND substr(subject, instr(subject, '/') + 1) NOT GLOB '*[^0-9]*'
    AND NOT EXISTS (SELECT 1 FROM access_key WHERE client_id = substr(subject, 1, instr(subject, '/') - 1));
