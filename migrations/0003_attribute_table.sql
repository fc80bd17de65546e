-- Attribute tables by version (contract section 8).

CREATE TABLE attribute_table (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  versao     TEXT NOT NULL,
  -- Of the content as it was read: the same table in another file, or in a zip, has the same.
  sha256     TEXT NOT NULL,
  ncms       INTEGER NOT NULL,
  attributes INTEGER NOT NULL,
  -- Of the JSON of the file: a zip of it is its deflated bytes with these in the headers.
  json_bytes     INTEGER NOT NULL,
  json_crc32     INTEGER NOT NULL,
  deflated_bytes INTEGER NOT NULL,
  -- JSON array of the days, in order, on which anything of the table starts, or is over for the first time.
  boundaries TEXT NOT NULL,
  -- Its rows come in many small transactions, and it is a table only once it is loaded; what a crash leaves is abandoned.
  state      TEXT NOT NULL CHECK (state IN ('loading', 'loaded', 'abandoned')),
  loaded_at  INTEGER
) STRICT;

CREATE UNIQUE INDEX attribute_table_by_versao ON attribute_table (versao) WHERE state = 'loaded';

-- The JSON of the file as it came, deflated, in parts.
CREATE TABLE attribute_table_file (
  table_id INTEGER NOT NULL REFERENCES attribute_table,
  part     INTEGER NOT NULL,
  bytes    BLOB NOT NULL,
  PRIMARY KEY (table_id, part)
) STRICT;

CREATE TABLE attribute_table_ncm (
  table_id    INTEGER NOT NULL REFERENCES attribute_table,
  ncm         TEXT NOT NULL,
  pairs       TEXT NOT NULL,
  -- Of the pairs and of all that they name: NCMs with the same one have the same rules, whatever the table.
  fingerprint TEXT NOT NULL,
  PRIMARY KEY (table_id, ncm)
) STRICT, WITHOUT ROWID;

CREATE TABLE attribute_table_detail (
  table_id INTEGER NOT NULL REFERENCES attribute_table,
  codigo   TEXT NOT NULL,
  detail   TEXT NOT NULL,
  PRIMARY KEY (table_id, codigo)
) STRICT;

-- Which table is in force from which day on: of the days that have come the latest, of that day the newest row.
-- One that was cancelled before its day is as if it were not there.
CREATE TABLE attribute_activation (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  table_id     INTEGER NOT NULL REFERENCES attribute_table,
  on_day       TEXT NOT NULL,
  requested_at INTEGER NOT NULL,
  requested_by TEXT NOT NULL,
  cancelled_at INTEGER
) STRICT;

CREATE INDEX attribute_activation_of_table ON attribute_activation (table_id);
CREATE INDEX attribute_activation_by_day ON attribute_activation (on_day, id);

-- Checks of all active products against the table in force as of a day, in the order of company, NCM and code.
CREATE TABLE attribute_sweep (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  activation_id  INTEGER NOT NULL REFERENCES attribute_activation,
  day            TEXT NOT NULL,
  -- NCMs with the same fingerprint in this table need no check; NULL: all are checked.
  since_table_id INTEGER REFERENCES attribute_table,
  -- Counts what was written, so that two processes at the same sweep notice each other.
  step           INTEGER NOT NULL DEFAULT 0,
  -- The last product that is done, so that a crash resumes after it.
  after_raiz     TEXT NOT NULL DEFAULT '',
  after_ncm      TEXT NOT NULL DEFAULT '',
  after_codigo   INTEGER NOT NULL DEFAULT 0,
  -- JSON array: what was deactivated of the company and NCM of that product, and is not in an event yet.
  unpublished    TEXT NOT NULL DEFAULT '[]',
  deactivated    INTEGER NOT NULL DEFAULT 0,
  events         INTEGER NOT NULL DEFAULT 0,
  begun_at       INTEGER NOT NULL,
  -- 'superseded': ended early, since another one took its place.
  outcome        TEXT CHECK (outcome IN ('complete', 'superseded')),
  finished_at    INTEGER
) STRICT;

CREATE INDEX attribute_sweep_of_activation ON attribute_sweep (activation_id, id);
CREATE INDEX attribute_sweep_since_table ON attribute_sweep (since_table_id) WHERE since_table_id IS NOT NULL;
CREATE INDEX attribute_sweep_unfinished ON attribute_sweep (id) WHERE outcome IS NULL;
