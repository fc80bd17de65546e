-- A dry run that its author asks to have done, and the decision on it (contract section 27). Its rows are those of the import.
CREATE TABLE proposal (
  job_id      INTEGER PRIMARY KEY REFERENCES import_job ON DELETE CASCADE,
  company     TEXT NOT NULL,
  documento   TEXT NOT NULL,
  note        TEXT,
  proposed_at INTEGER NOT NULL,
  state       TEXT NOT NULL CHECK (state IN ('awaiting', 'approved', 'rejected', 'withdrawn')),
  decided_by  TEXT,
  decided_at  INTEGER,
  reason      TEXT
) STRICT;

CREATE INDEX proposal_of_company ON proposal (company, job_id);
CREATE INDEX proposal_awaiting ON proposal (company, proposed_at) WHERE state = 'awaiting';

-- Of an import that carries out a proposal: the import that was proposed, and who proposed it.
ALTER TABLE import_job ADD COLUMN proposal INTEGER;
ALTER TABLE import_job ADD COLUMN proposed_by TEXT;
CREATE INDEX import_job_of_proposal ON import_job (proposal) WHERE proposal IS NOT NULL;

-- Who proposed a version that an approval made.
ALTER TABLE product ADD COLUMN proposed_by TEXT;
ALTER TABLE product_version ADD COLUMN proposed_by TEXT;
ALTER TABLE foreign_operator ADD COLUMN proposed_by TEXT;
ALTER TABLE foreign_operator_version ADD COLUMN proposed_by TEXT;
