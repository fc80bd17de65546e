-- What the item of a result did to which records, so that an import can be taken back: JSON.
ALTER TABLE import_result ADD COLUMN did TEXT;
