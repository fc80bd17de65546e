-- The beginning of what a receiver answered, without the secrets of the subscription. It goes with its attempt.
ALTER TABLE delivery_attempt ADD COLUMN answer TEXT;
