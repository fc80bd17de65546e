-- A comparison that was cancelled: its state on disk is 'failed', which ends it for older statements too.
ALTER TABLE remote_comparison ADD COLUMN cancelled INTEGER NOT NULL DEFAULT 0 CHECK (cancelled IN (0, 1));

-- Orders with an Idempotency-Key (contract section 16): what the first one of a key answered, for 24 hours.
CREATE TABLE idempotent_order (
  documento   TEXT NOT NULL,
  key         TEXT NOT NULL,
  -- SHA-256 of the operation and of what was asked, hex.
  fingerprint TEXT NOT NULL,
  answer      INTEGER NOT NULL,
  at          INTEGER NOT NULL,
  PRIMARY KEY (documento, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotent_order_by_age ON idempotent_order (at);
