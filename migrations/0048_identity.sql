-- Identities of a provider that an administrator bound to a user (contract section 27).
CREATE TABLE identity (
  issuer    TEXT NOT NULL,
  sub       TEXT NOT NULL,
  documento TEXT NOT NULL REFERENCES user ON DELETE CASCADE,
  PRIMARY KEY (issuer, sub)
) STRICT, WITHOUT ROWID;
CREATE INDEX identity_by_user ON identity (documento);
