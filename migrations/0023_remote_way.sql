-- The way to a remote (contract section 18). One without is compared by files alone.
CREATE TABLE remote_way (
  remote_id         INTEGER PRIMARY KEY REFERENCES remote (id),
  url               TEXT NOT NULL,
  perfil            TEXT NOT NULL,
  client_id         TEXT,
  -- The Client-Secret, or certificate and key as PEM, sealed; NULL: emptied with the keys of the folder.
  secret            BLOB,
  ca                TEXT,
  per_hour          INTEGER NOT NULL,
  downtime          TEXT,
  other_environment INTEGER NOT NULL CHECK (other_environment IN (0, 1)),
  -- By whatever process: nobody signs in twice within a minute.
  signed_in_at      INTEGER
) STRICT;

-- What was asked of it: how often in the last clock hour, and until when nothing is asked. '*' stands for all operations.
CREATE TABLE remote_use (
  remote_id   INTEGER NOT NULL REFERENCES remote (id),
  operation   TEXT NOT NULL,
  hour        INTEGER NOT NULL,
  count       INTEGER NOT NULL,
  rests_until INTEGER,
  reason      TEXT,
  PRIMARY KEY (remote_id, operation)
) STRICT, WITHOUT ROWID;
