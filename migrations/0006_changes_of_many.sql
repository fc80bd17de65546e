-- Changes of many products at once (contract section 25) are imports whose items only name the products.

-- What is to become of each item: JSON; null of a file, whose items say it themselves.
ALTER TABLE import_job ADD COLUMN pedido TEXT;
ALTER TABLE import_job ADD COLUMN deactivated INTEGER NOT NULL DEFAULT 0;

CREATE TABLE import_result_new (
  job_id  INTEGER NOT NULL REFERENCES import_job ON DELETE CASCADE,
  idx     INTEGER NOT NULL,
  seq     INTEGER,
  codigo  TEXT,
  versao  TEXT,
  outcome TEXT NOT NULL CHECK (outcome IN ('created', 'newVersion', 'deactivated', 'unchanged', 'failed')),
  -- How people know the item, and where it begins in the file.
  name    TEXT,
  member  INTEGER NOT NULL,
  line    INTEGER NOT NULL,
  -- Why it was refused: JSON, and a message on what was not kept of it.
  problems TEXT,
  further  TEXT,
  -- What it changed, member by member: JSON.
  changes  TEXT,
  PRIMARY KEY (job_id, idx)
) STRICT, WITHOUT ROWID;

INSERT INTO import_result_new (job_id, idx, seq, codigo, versao, outcome, name, member, line, problems, further)
  SELECT job_id, idx, seq, codigo, versao, outcome, name, member, line, problems, further FROM import_result;
DROP TABLE import_result;
ALTER TABLE import_result_new RENAME TO import_result;

CREATE INDEX import_result_by_outcome ON import_result (job_id, outcome, idx);
