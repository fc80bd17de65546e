-- Imports of companies take turns, keep a limited number of refused rows, and can be made to forget them.

-- The one company that all its items name; NULL while its file was not read, and where there are several.
ALTER TABLE import_job ADD COLUMN company TEXT;
-- Refused items beyond those whose rows are kept.
ALTER TABLE import_job ADD COLUMN failed_not_kept INTEGER NOT NULL DEFAULT 0;
-- Whether its results were asked to be forgotten: 0 no, 1 they are being removed, 2 they are gone.
ALTER TABLE import_job ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0 CHECK (forgotten IN (0, 1, 2));

CREATE INDEX import_job_of_company ON import_job (company, id) WHERE company IS NOT NULL;
CREATE INDEX import_job_forgetting ON import_job (id) WHERE forgotten = 1;
DROP INDEX IF EXISTS import_job_by_content;
CREATE INDEX import_job_of_content ON import_job (sha256, id);

-- What was left out of an item that was taken all the same: JSON.
ALTER TABLE import_result ADD COLUMN notices TEXT;
