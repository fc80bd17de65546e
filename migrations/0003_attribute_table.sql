-- Attribute tables by version (contract section 8).

CREATE TABLE attribute_table (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  versao     TEXT NOT NULL UNIQUE,
  sha256     TEXT NOT NULL,
  ncms       INTEGER NOT NULL,
  attributes INTEGER NOT NULL,
  -- The file as received, deflated.
  file       BLOB NOT NULL,
  loaded_at  INTEGER NOT NULL
) STRICT;

CREATE TABLE attribute_table_ncm (
  table_id INTEGER NOT NULL REFERENCES attribute_table,
  ncm      TEXT NOT NULL,
  pairs    TEXT NOT NULL,
  PRIMARY KEY (table_id, ncm)
) STRICT, WITHOUT ROWID;

CREATE TABLE attribute_table_detail (
  table_id INTEGER NOT NULL REFERENCES attribute_table,
  codigo   TEXT NOT NULL,
  detail   TEXT NOT NULL,
  PRIMARY KEY (table_id, codigo)
) STRICT, WITHOUT ROWID;

-- Which table is in force from which day on; the newest row that has begun counts. swept_on: the last day whose checks ran.
CREATE TABLE attribute_activation (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  table_id     INTEGER NOT NULL REFERENCES attribute_table,
  on_day       TEXT NOT NULL,
  requested_at INTEGER NOT NULL,
  requested_by TEXT NOT NULL,
  -- NULL until every product has been checked against it.
  begun_at     INTEGER,
  finished_at  INTEGER,
  -- Where the check of the products stands, so that a crash resumes it.
  checked_upto INTEGER NOT NULL DEFAULT 0,
  deactivated  INTEGER NOT NULL DEFAULT 0,
  events       INTEGER NOT NULL DEFAULT 0
) STRICT;
