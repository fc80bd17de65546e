-- Remotes (contract section 18): other servers of this interface. A removed one keeps its row until all that hangs on it is gone.
CREATE TABLE remote (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  name      TEXT NOT NULL,
  rules     TEXT NOT NULL CHECK (rules IN ('portal', 'especificacao')),
  -- The roots of its companies, as JSON.
  companies TEXT NOT NULL,
  gone      INTEGER NOT NULL DEFAULT 0 CHECK (gone IN (0, 1))
) STRICT;

CREATE UNIQUE INDEX remote_by_name ON remote (name) WHERE gone = 0;
CREATE INDEX remote_gone ON remote (id) WHERE gone = 1;

-- Which record there is which of ours.
CREATE TABLE remote_pair (
  remote_id     INTEGER NOT NULL REFERENCES remote (id),
  cpf_cnpj_raiz TEXT NOT NULL,
  kind          TEXT NOT NULL CHECK (kind IN ('produto', 'operador', 'vinculo')),
  here          TEXT NOT NULL,
  -- NULL: somebody said that it is new there.
  there         TEXT,
  -- As both were when they agreed last: our version, and the fingerprints of both sides. NULL: they never did.
  base_versao   TEXT,
  base_here     INTEGER,
  base_there    INTEGER,
  PRIMARY KEY (remote_id, cpf_cnpj_raiz, kind, here)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX remote_pair_there ON remote_pair (remote_id, cpf_cnpj_raiz, kind, there) WHERE there IS NOT NULL;

CREATE TABLE remote_comparison (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  remote_id     INTEGER NOT NULL REFERENCES remote (id),
  cpf_cnpj_raiz TEXT NOT NULL,
  -- Who asked for it.
  documento     TEXT NOT NULL,
  state         TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed')),
  forced        INTEGER NOT NULL CHECK (forced IN (0, 1)),
  -- The files in the folder of imports, as JSON; NULL where it has ended, or a command has them.
  files         TEXT,
  error         TEXT,
  counts        TEXT,
  at            INTEGER NOT NULL
) STRICT;

CREATE INDEX remote_comparison_of_company ON remote_comparison (cpf_cnpj_raiz, id);
CREATE INDEX remote_comparison_of_remote ON remote_comparison (remote_id);
CREATE INDEX remote_comparison_unfinished ON remote_comparison (id) WHERE state IN ('queued', 'running');
CREATE INDEX remote_comparison_by_age ON remote_comparison (at);

-- What a comparison found, in the order in which it would be sent.
CREATE TABLE remote_record (
  comparison_id INTEGER NOT NULL REFERENCES remote_comparison (id),
  n             INTEGER NOT NULL,
  kind          TEXT NOT NULL,
  here          TEXT,
  there         TEXT,
  here_versao   TEXT,
  there_versao  TEXT,
  here_whole    INTEGER,
  there_whole   INTEGER,
  name          TEXT NOT NULL,
  state         TEXT NOT NULL,
  reason        TEXT,
  differences   TEXT,
  candidates    TEXT,
  PRIMARY KEY (comparison_id, n)
) STRICT, WITHOUT ROWID;

CREATE INDEX remote_record_by_state ON remote_record (comparison_id, state, n);
CREATE INDEX remote_record_of_here ON remote_record (comparison_id, kind, here);
CREATE INDEX remote_record_of_there ON remote_record (comparison_id, kind, there);
