-- The kind of a notice that is sent at once: further ones join its message until it is due. NULL: another message.
ALTER TABLE email ADD COLUMN notice TEXT;
CREATE INDEX email_open ON email (documento, notice) WHERE state = 'pending' AND notice IS NOT NULL;
