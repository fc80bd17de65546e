-- Words for an NCM (contract section 20): the public nomenclature that was loaded last. Its number counts the loadings.
CREATE TABLE nomenclature (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  sha256 TEXT NOT NULL,
  updated TEXT NOT NULL,
  act TEXT NOT NULL,
  "rows" INTEGER NOT NULL,
  ncms INTEGER NOT NULL,
  loaded_at INTEGER NOT NULL,
  -- Compressed: the JSON byte for byte as it came, and the rows that were read of it.
  file BLOB NOT NULL,
  content BLOB NOT NULL
) STRICT;
