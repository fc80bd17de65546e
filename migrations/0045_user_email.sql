-- The address of a person, for messages (contract section 27). Case does not tell two addresses apart.
ALTER TABLE user ADD COLUMN email TEXT;
CREATE UNIQUE INDEX user_by_email ON user (lower(email)) WHERE email IS NOT NULL;
