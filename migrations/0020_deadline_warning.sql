-- What a company has been warned of: of a day, an attribute and a modality, with how many days left at last. While its events are
-- written, how far they tell; what a crash interrupts goes on from there.
CREATE TABLE deadline_warning (
  company_id INTEGER NOT NULL REFERENCES company (id) ON DELETE CASCADE,
  on_day TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('announced', 'certain')),
  codigo TEXT NOT NULL,
  modalidade TEXT NOT NULL,
  days INTEGER NOT NULL,
  after_ncm TEXT NOT NULL,
  after_codigo INTEGER NOT NULL,
  is_told INTEGER NOT NULL CHECK (is_told IN (0, 1)),
  PRIMARY KEY (company_id, on_day, kind, codigo, modalidade)
) STRICT, WITHOUT ROWID;
