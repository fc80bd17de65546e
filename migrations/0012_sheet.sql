-- Spreadsheets (contract section 24): the file of each lies in the folder of imports until it expires.
CREATE TABLE sheet_upload (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  documento     TEXT NOT NULL,
  cpf_cnpj_raiz TEXT NOT NULL,
  tipo          TEXT NOT NULL,
  -- As its sender calls it, and as it lies in the folder.
  file_name     TEXT NOT NULL,
  stored_file   TEXT NOT NULL,
  sha256        TEXT NOT NULL,
  expires_at    INTEGER NOT NULL
) STRICT;

CREATE INDEX sheet_upload_of_user ON sheet_upload (documento, id);
CREATE INDEX sheet_upload_by_expiry ON sheet_upload (expires_at);

-- Where somebody of a company has put a column of that heading; NULL: nowhere.
CREATE TABLE sheet_choice (
  cpf_cnpj_raiz TEXT NOT NULL,
  tipo          TEXT NOT NULL,
  heading       TEXT NOT NULL,
  target        TEXT,
  PRIMARY KEY (cpf_cnpj_raiz, tipo, heading)
) STRICT, WITHOUT ROWID;
