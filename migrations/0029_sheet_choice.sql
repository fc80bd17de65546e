-- The table before held guesses beside choices of people, and nothing tells them apart (contract section 24): all are forgotten.
DROP TABLE sheet_choice;

-- What a person of a company put into an order for a column of that heading, newest last.
CREATE TABLE sheet_choice (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  cpf_cnpj_raiz TEXT NOT NULL,
  tipo          TEXT NOT NULL,
  heading       TEXT NOT NULL,
  -- 1: the column was mapped; a NULL target leaves it out.
  is_mapped     INTEGER NOT NULL,
  target        TEXT,
  -- What received values mean for a target, JSON {target, values}; NULL: nothing was said.
  meanings      TEXT
) STRICT;

CREATE UNIQUE INDEX sheet_choice_of_heading ON sheet_choice (cpf_cnpj_raiz, tipo, heading);
CREATE INDEX sheet_choice_by_age ON sheet_choice (cpf_cnpj_raiz, tipo, id);
