-- An import that changes products by an order, as a change of many does, names no row of a sheet: a correction may be of either.
ALTER TABLE import_job ADD COLUMN changes_many INTEGER NOT NULL DEFAULT 0 CHECK (changes_many IN (0, 1));
UPDATE import_job SET changes_many = 1 WHERE kind = 'alteracao';
