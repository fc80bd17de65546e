-- Who changed what (contract section 16, "Audit"): a chain that begins here, with whatever is changed from now on.

-- One row for all changes of a transaction, and nothing beside it: an entry costs an inclusion some bytes of text, and a
-- commit one page of the database.
CREATE TABLE audit_page (
  first_seq INTEGER PRIMARY KEY,
  last_seq  INTEGER NOT NULL,
  at        INTEGER NOT NULL,
  -- The changes from first_seq to last_seq: JSON, shortened (src/audit/encoding.ts).
  entries   TEXT NOT NULL,
  -- Of this page and the hash of the one before.
  hash      BLOB NOT NULL,
  -- Before which entry the end was first found not to be ours; each later page has it too.
  broken_at INTEGER,
  -- Made with the keys of the folder, and only on the last page: without them nobody can have the chain end elsewhere.
  seal      BLOB
) STRICT;
