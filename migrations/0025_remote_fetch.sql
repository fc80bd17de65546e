-- What is fetched from a remote (contract section 18, Fetch): it comes in as imports, whose numbers stand with their run, as JSON.
ALTER TABLE remote_run ADD COLUMN imports TEXT NOT NULL DEFAULT '[]';

-- A record of an export is looked for among the steps of its run.
CREATE INDEX remote_step_of_there ON remote_step (run_id, kind, there) WHERE there IS NOT NULL;

-- The exports that a comparison was made of, while something of them may be fetched, and the last codes there, as JSON.
ALTER TABLE remote_comparison ADD COLUMN kept TEXT;
CREATE INDEX remote_comparison_kept ON remote_comparison (remote_id, cpf_cnpj_raiz) WHERE kept IS NOT NULL;

-- Made by the job, which tells the company what is new.
ALTER TABLE remote_comparison ADD COLUMN by_job INTEGER NOT NULL DEFAULT 0 CHECK (by_job IN (0, 1));
