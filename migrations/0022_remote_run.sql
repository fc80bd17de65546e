-- Runs (contract section 18): what is sent to a remote, step by step, each step with the intent that is on the disk before it leaves.
CREATE TABLE remote_run (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  remote_id       INTEGER NOT NULL REFERENCES remote (id),
  cpf_cnpj_raiz   TEXT NOT NULL,
  -- It may be deleted before its run, which keeps its steps longer.
  comparison_id   INTEGER NOT NULL,
  direction       TEXT NOT NULL CHECK (direction IN ('send', 'fetch')),
  documento       TEXT NOT NULL,
  -- What of the comparison is asked for, as JSON.
  asked           TEXT NOT NULL,
  simulated       INTEGER NOT NULL CHECK (simulated IN (0, 1)),
  state           TEXT NOT NULL CHECK (state IN ('queued', 'running', 'resting', 'paused', 'done', 'failed', 'cancelled')),
  -- The steps are written; before that a start makes them anew.
  planned         INTEGER NOT NULL DEFAULT 0 CHECK (planned IN (0, 1)),
  -- What was refused has been tried once more.
  again           INTEGER NOT NULL DEFAULT 0 CHECK (again IN (0, 1)),
  refused_in_row  INTEGER NOT NULL DEFAULT 0,
  reason          TEXT,
  rests_until     INTEGER,
  rests_for       TEXT,
  -- What is not sent whatever is asked for, as JSON; NULL until planned.
  not_sent        TEXT,
  at              INTEGER NOT NULL,
  ended_at        INTEGER
) STRICT;

-- One at a time; what is only shown bars nobody.
CREATE UNIQUE INDEX remote_run_open ON remote_run (remote_id, cpf_cnpj_raiz)
  WHERE state IN ('queued', 'running', 'resting', 'paused') AND simulated = 0;
CREATE INDEX remote_run_unfinished ON remote_run (id) WHERE state IN ('queued', 'running', 'resting', 'paused');
CREATE INDEX remote_run_of_company ON remote_run (cpf_cnpj_raiz, id);
CREATE INDEX remote_run_of_remote ON remote_run (remote_id);
CREATE INDEX remote_run_of_comparison ON remote_run (comparison_id);
CREATE INDEX remote_run_by_age ON remote_run (at);

CREATE TABLE remote_step (
  run_id        INTEGER NOT NULL REFERENCES remote_run (id),
  n             INTEGER NOT NULL,
  kind          TEXT NOT NULL CHECK (kind IN ('operador', 'produto', 'vinculo')),
  operation     TEXT NOT NULL CHECK (operation IN ('include', 'newVersion', 'deactivate', 'link', 'unlink')),
  here          TEXT NOT NULL,
  there         TEXT,
  name          TEXT NOT NULL,
  -- As the comparison saw both sides.
  here_versao   TEXT,
  here_whole    INTEGER,
  there_whole   INTEGER,
  outcome       TEXT NOT NULL CHECK (outcome IN ('pending', 'intent', 'sent', 'adopted', 'refused', 'uncertain', 'skipped')),
  -- When something is done about it, or not before; NULL where it has ended.
  due           INTEGER,
  -- Of an uncertain one, how often the remote was asked in vain since it left last.
  looks         INTEGER NOT NULL DEFAULT 0,
  attempts      INTEGER NOT NULL DEFAULT 0,
  -- When it left last.
  left_at       INTEGER,
  there_versao  TEXT,
  status        INTEGER,
  code          TEXT,
  message       TEXT,
  candidates    TEXT,
  at            INTEGER,
  PRIMARY KEY (run_id, n)
) STRICT, WITHOUT ROWID;

CREATE INDEX remote_step_to_do ON remote_step (run_id, outcome, kind, operation, n);
CREATE INDEX remote_step_due ON remote_step (run_id, outcome, due) WHERE due IS NOT NULL;
CREATE INDEX remote_step_of_record ON remote_step (kind, here, run_id);

-- How many products and operators were active on both sides, as JSON.
ALTER TABLE remote_comparison ADD COLUMN active TEXT;
