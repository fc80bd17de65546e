-- The lines of the nomenclature lie where they are asked and searched (contract section 20): a start reads nothing of them. Of a
-- code that is listed more than once each row counts from one day to the one before another does; the first one from ''.
CREATE TABLE nomenclature_row (
  nomenclature_id INTEGER NOT NULL,
  codigo TEXT NOT NULL,
  from_day TEXT NOT NULL,
  before_day TEXT NOT NULL,
  descricao TEXT NOT NULL,
  starts_on TEXT NOT NULL,
  -- '' is open.
  ends_on TEXT NOT NULL,
  -- Of the description, folded, each behind a space.
  words TEXT NOT NULL,
  PRIMARY KEY (nomenclature_id, codigo, from_day)
) STRICT, WITHOUT ROWID;

-- What was read of the file, compressed. A nomenclature loaded before is read once more at the next start.
ALTER TABLE nomenclature DROP COLUMN content;
