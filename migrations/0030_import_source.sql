-- An import names its kind, and the import that it carries out, corrects or takes back (contract sections 16, 24, 25).
ALTER TABLE import_job ADD COLUMN kind TEXT NOT NULL DEFAULT 'arquivo'
  CHECK (kind IN ('arquivo', 'planilha', 'alteracao', 'correcao', 'desfazer', 'remoto', 'registro'));
ALTER TABLE import_job ADD COLUMN source INTEGER;
-- The first import of a chain of sources: all of them have the rows of one sheet. NULL of the first itself.
ALTER TABLE import_job ADD COLUMN root INTEGER;
-- Of a file with items of several companies, those that its sender represented when it was read: a JSON list.
ALTER TABLE import_job ADD COLUMN companies TEXT;
-- Notices of the whole import: a JSON list of texts.
ALTER TABLE import_job ADD COLUMN notices TEXT;

CREATE INDEX import_job_by_source ON import_job (source, id) WHERE source IS NOT NULL;
CREATE INDEX import_job_by_root ON import_job (root, id) WHERE root IS NOT NULL;

UPDATE import_job SET kind = CASE
  WHEN pedido LIKE '{"sheet":%' THEN 'planilha'
  WHEN pedido LIKE '{"undo":%' THEN 'desfazer'
  WHEN pedido LIKE '{"fetch":%' THEN 'remoto'
  ELSE 'alteracao' END WHERE pedido IS NOT NULL;
UPDATE import_job SET source = json_extract(pedido, '$.undo') WHERE kind = 'desfazer';

-- The companies of files with several, as far as their rows name them.
UPDATE import_job SET companies = (
  SELECT json_group_array(DISTINCT substr(d.value ->> 'key', 1, instr((d.value ->> 'key') || '/', '/') - 1))
  FROM import_result r, json_each(r.did) d WHERE r.job_id = import_job.id AND r.did IS NOT NULL)
  WHERE company IS NULL AND documento <> '';
UPDATE import_job SET companies = NULL WHERE companies = '[]';

-- What the undo of an import needs once its rows were forgotten.
CREATE TABLE import_done (
  job_id INTEGER NOT NULL REFERENCES import_job ON DELETE CASCADE,
  idx    INTEGER NOT NULL,
  line   INTEGER NOT NULL,
  codigo TEXT,
  did    TEXT NOT NULL,
  PRIMARY KEY (job_id, idx)
) STRICT, WITHOUT ROWID;
