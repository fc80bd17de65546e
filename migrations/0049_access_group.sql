-- Access by groups of a provider (contract section 27). A claim may name several groups, and a group may have several rows.
CREATE TABLE access_group (
  id    INTEGER PRIMARY KEY AUTOINCREMENT,
  name  TEXT NOT NULL,
  -- All companies that exist at each sign-in.
  todas INTEGER NOT NULL CHECK (todas IN (0, 1)),
  papel TEXT NOT NULL CHECK (papel IN ('leitura', 'preenchimento', 'aprovacao'))
) STRICT;
CREATE INDEX access_group_by_name ON access_group (name);

CREATE TABLE access_group_company (
  group_id      INTEGER NOT NULL REFERENCES access_group ON DELETE CASCADE,
  cpf_cnpj_raiz TEXT NOT NULL REFERENCES company (cpf_cnpj_raiz) ON DELETE CASCADE,
  PRIMARY KEY (group_id, cpf_cnpj_raiz)
) STRICT, WITHOUT ROWID;
CREATE INDEX access_group_company_by_company ON access_group_company (cpf_cnpj_raiz);

-- What the groups of a person gave at the last sign-in by the provider. It ends with its group.
CREATE TABLE group_right (
  documento     TEXT NOT NULL REFERENCES user ON DELETE CASCADE,
  group_id      INTEGER NOT NULL REFERENCES access_group ON DELETE CASCADE,
  cpf_cnpj_raiz TEXT NOT NULL REFERENCES company (cpf_cnpj_raiz) ON DELETE CASCADE,
  PRIMARY KEY (documento, group_id, cpf_cnpj_raiz)
) STRICT, WITHOUT ROWID;
CREATE INDEX group_right_by_group ON group_right (group_id);
CREATE INDEX group_right_by_company ON group_right (cpf_cnpj_raiz);
