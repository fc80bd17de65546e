-- Of what the last run left uncertain or refused: how the record would stand without it (contract section 18, States).
ALTER TABLE remote_record ADD COLUMN otherwise TEXT;

-- How often the list there is asked before a step leaves: what a run will take is told from it.
ALTER TABLE remote_step ADD COLUMN looks_before INTEGER NOT NULL DEFAULT 0;
