-- Attribute tables that come by themselves, and what is kept of all of them (contract section 19).

-- When it was fetched; NULL: somebody brought the file, and it stays whole.
ALTER TABLE attribute_table ADD COLUMN fetched_at INTEGER;
-- Why a fetched one is not put in force by itself.
ALTER TABLE attribute_table ADD COLUMN kept_back TEXT;
-- Rows and file of an old fetched one go: 'going' while they do, 'gone' then; 'coming' while its file is loaded again.
ALTER TABLE attribute_table ADD COLUMN body TEXT NOT NULL DEFAULT 'whole'
  CHECK (body IN ('whole', 'going', 'gone', 'coming'));

CREATE INDEX attribute_table_not_whole ON attribute_table (body, id) WHERE body <> 'whole';

-- What a table changed: it outlives the rows of both.
CREATE TABLE attribute_table_change (
  table_id INTEGER NOT NULL REFERENCES attribute_table,
  -- The table before it; 0: none.
  since_id INTEGER NOT NULL,
  -- JSON: how many NCMs and attributes came, went, changed.
  counts   TEXT NOT NULL,
  -- JSON, compressed: which.
  changes  BLOB NOT NULL,
  PRIMARY KEY (table_id, since_id)
) STRICT;
