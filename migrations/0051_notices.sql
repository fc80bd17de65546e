-- The notices by e-mail that a person has chosen: kind → when; a kind that is not named has its default (contract section 27).
ALTER TABLE user ADD COLUMN avisos TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(avisos));

-- What asked for attention when the daily message of a person was last decided on.
CREATE TABLE email_daily (
  documento TEXT PRIMARY KEY REFERENCES user (documento) ON DELETE CASCADE,
  day       TEXT NOT NULL,
  items     TEXT NOT NULL CHECK (json_valid(items))
) STRICT, WITHOUT ROWID;
