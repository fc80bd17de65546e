-- The internal codes of an item stand with what became of it: by them an ERP finds its record (contract section 7).
ALTER TABLE import_result ADD COLUMN codes TEXT;
