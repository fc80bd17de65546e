-- The rows of spreadsheets that lie in the folder of imports as long as their results: what they take (contract section 24).
CREATE TABLE import_cells (
  job_id     INTEGER PRIMARY KEY REFERENCES import_job ON DELETE CASCADE,
  company    TEXT NOT NULL,
  -- Of the file; NULL of one that an older version has left, until the next start measures it.
  bytes      INTEGER,
  -- When it gave way to newer ones of its company.
  dropped_at INTEGER
) STRICT;

CREATE INDEX import_cells_kept ON import_cells (company, job_id) WHERE dropped_at IS NULL;
CREATE INDEX import_cells_unmeasured ON import_cells (job_id) WHERE bytes IS NULL;

INSERT INTO import_cells (job_id, company)
  SELECT id, company FROM import_job WHERE kind IN ('planilha', 'correcao') AND forgotten = 0 AND company IS NOT NULL;
