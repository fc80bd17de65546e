-- What somebody took off the list of what asks for attention, until its count grows (contract section 25).
CREATE TABLE attention_dismissal (
  cpf_cnpj_raiz TEXT NOT NULL,
  kind          TEXT NOT NULL,
  -- The import, subscription or remote; '' of a kind that has one item.
  item          TEXT NOT NULL,
  count         INTEGER NOT NULL,
  PRIMARY KEY (cpf_cnpj_raiz, kind, item)
) STRICT, WITHOUT ROWID;

-- Imports that wrote and have failures: the few among all that are kept.
CREATE INDEX import_job_failures ON import_job (company, id)
  WHERE simular = 0 AND forgotten = 0 AND (state = 'failed' OR failed > 0);
