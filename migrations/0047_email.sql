-- Messages by e-mail (contract section 27). One is written in the transaction of its cause and sent afterwards.
CREATE TABLE email (
  id               INTEGER PRIMARY KEY,
  -- The first part of the Message-ID, the same in every attempt.
  key              TEXT NOT NULL UNIQUE,
  recipient        TEXT NOT NULL,
  -- The person and the companies that the message tells of: it is dropped when the person loses one of them. NULL: an address
  -- alone, whoever it belongs to.
  documento        TEXT,
  companies        TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(companies)),
  -- Sealed like secrets; NULL once the message has ended.
  content          BLOB,
  state            TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'sent', 'failed', 'dropped')),
  created_at       INTEGER NOT NULL,
  due_at           INTEGER NOT NULL,
  attempts         INTEGER NOT NULL DEFAULT 0,
  first_attempt_at INTEGER,
  ended_at         INTEGER,
  -- Why the last attempt failed.
  reason           TEXT
) STRICT;
CREATE INDEX email_due ON email (due_at, id) WHERE state = 'pending';
CREATE INDEX email_ended ON email (ended_at) WHERE ended_at IS NOT NULL;
