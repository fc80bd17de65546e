-- The password of a person, as argon2id (contract section 27). What a password or a provider opened until `set_at` has
-- ended, but for the session that set the password (NULL: an invitation did).
CREATE TABLE password (
  documento TEXT PRIMARY KEY REFERENCES user ON DELETE CASCADE,
  hash      TEXT NOT NULL,
  set_at    INTEGER NOT NULL,
  set_in    TEXT
) STRICT, WITHOUT ROWID;

-- The one invitation of a person that is good: a newer one takes its place, and its use ends it.
CREATE TABLE invitation (
  documento  TEXT PRIMARY KEY REFERENCES user ON DELETE CASCADE,
  token_hash TEXT NOT NULL UNIQUE,
  until      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
