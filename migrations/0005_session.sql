-- Sessions that ended before their time (contract section 2); of use for as long as a session lasts.
CREATE TABLE ended_session (
  -- A session by its `jti`; a user by its documento: all of its sessions that began until then.
  subject  TEXT PRIMARY KEY,
  ended_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
