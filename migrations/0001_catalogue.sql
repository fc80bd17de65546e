-- Who is who (contract section 2).

CREATE TABLE user (
  documento     TEXT PRIMARY KEY,
  nome          TEXT NOT NULL,
  tipo          TEXT NOT NULL CHECK (tipo IN ('PRIV', 'PUBL')),
  orgao         TEXT,
  administrador INTEGER NOT NULL CHECK (administrador IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE TABLE company (
  cpf_cnpj_raiz     TEXT PRIMARY KEY,
  nome              TEXT NOT NULL,
  cnpj              TEXT,
  -- The last code given; codes are never given twice.
  product_sequence  INTEGER NOT NULL DEFAULT 0,
  operator_sequence INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE representation (
  documento     TEXT NOT NULL REFERENCES user ON DELETE CASCADE,
  perfil        TEXT NOT NULL,
  cpf_cnpj_raiz TEXT NOT NULL REFERENCES company,
  PRIMARY KEY (documento, perfil, cpf_cnpj_raiz)
) STRICT, WITHOUT ROWID;

CREATE INDEX representation_of_company ON representation (cpf_cnpj_raiz);

CREATE TABLE access_key (
  client_id   TEXT PRIMARY KEY,
  documento   TEXT NOT NULL REFERENCES user ON DELETE CASCADE,
  secret_hash TEXT NOT NULL,
  created_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX access_key_of_user ON access_key (documento);

-- Products (contract sections 4 to 6). Days are 'yyyy-MM-dd' in America/Sao_Paulo, moments are epoch milliseconds.

CREATE TABLE product (
  id                 INTEGER PRIMARY KEY,
  cpf_cnpj_raiz      TEXT NOT NULL REFERENCES company,
  codigo             INTEGER NOT NULL,
  registered_at      INTEGER NOT NULL,
  changed_at         INTEGER NOT NULL,
  -- The current version; what the filters of the list need of it is repeated here, so that each has an index.
  current_version    INTEGER NOT NULL,
  situacao           TEXT NOT NULL CHECK (situacao IN ('ATIVADO', 'DESATIVADO', 'RASCUNHO')),
  modalidade         TEXT,
  ncm                TEXT,
  denominacao_folded TEXT NOT NULL,
  descricao_folded   TEXT,
  -- Fingerprint of the content, to find an identical product.
  content_hash       INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX product_by_codigo ON product (cpf_cnpj_raiz, codigo);
CREATE INDEX product_by_ncm ON product (cpf_cnpj_raiz, ncm, codigo);
CREATE INDEX product_by_situacao ON product (cpf_cnpj_raiz, situacao, codigo);
CREATE INDEX product_by_modalidade ON product (cpf_cnpj_raiz, modalidade, codigo);
CREATE INDEX product_by_registration ON product (cpf_cnpj_raiz, registered_at);
CREATE INDEX product_by_content ON product (cpf_cnpj_raiz, content_hash);
CREATE INDEX product_by_change ON product (cpf_cnpj_raiz, changed_at);

CREATE TABLE product_version (
  id             INTEGER PRIMARY KEY,
  product_id     INTEGER NOT NULL REFERENCES product,
  -- Version text "n" is family n, rectification 0; "n.m" is rectification m of family n.
  family         INTEGER NOT NULL,
  rectification  INTEGER NOT NULL,
  starts_on      TEXT NOT NULL,
  made_at        INTEGER NOT NULL,
  -- Until which moment it was a draft: NULL for a version that never was one, 253402300799000 while it still is.
  draft_until    INTEGER,
  deactivated_at INTEGER,
  denominacao    TEXT NOT NULL,
  descricao      TEXT,
  modalidade     TEXT,
  ncm            TEXT,
  -- One JSON object: the four attribute lists and codigosInterno, in the order of output.
  lists          TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX product_version_by_number ON product_version (product_id, family, rectification);

-- Which version is in force at the end of which days: from_day <= day < until_day. Derived from product_version.
CREATE TABLE product_validity (
  product_id INTEGER NOT NULL REFERENCES product,
  from_day   TEXT NOT NULL,
  until_day  TEXT NOT NULL,
  version_id INTEGER NOT NULL REFERENCES product_version,
  PRIMARY KEY (product_id, from_day)
) STRICT, WITHOUT ROWID;

-- Internal codes of the current version.
CREATE TABLE product_internal_code (
  cpf_cnpj_raiz  TEXT NOT NULL,
  codigo_interno TEXT NOT NULL,
  product_id     INTEGER NOT NULL REFERENCES product,
  PRIMARY KEY (cpf_cnpj_raiz, codigo_interno, product_id)
) STRICT, WITHOUT ROWID;

-- Foreign operators.

CREATE TABLE foreign_operator (
  id              INTEGER PRIMARY KEY,
  cpf_cnpj_raiz   TEXT NOT NULL REFERENCES company,
  codigo          TEXT NOT NULL,
  -- The number in the code (0 where it has none): the order of lists.
  numero          INTEGER NOT NULL,
  codigo_pais     TEXT NOT NULL,
  registered_at   INTEGER NOT NULL,
  changed_at      INTEGER NOT NULL,
  current_version INTEGER NOT NULL,
  situacao        TEXT NOT NULL CHECK (situacao IN ('ATIVADO', 'DESATIVADO')),
  tin             TEXT,
  codigo_interno  TEXT,
  nome_folded     TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX foreign_operator_by_codigo ON foreign_operator (cpf_cnpj_raiz, codigo);
CREATE INDEX foreign_operator_by_numero ON foreign_operator (cpf_cnpj_raiz, numero, codigo);
CREATE INDEX foreign_operator_by_country ON foreign_operator (cpf_cnpj_raiz, codigo_pais, numero, codigo);
CREATE INDEX foreign_operator_by_tin ON foreign_operator (cpf_cnpj_raiz, tin) WHERE tin IS NOT NULL;
CREATE INDEX foreign_operator_by_internal_code ON foreign_operator (cpf_cnpj_raiz, codigo_interno)
  WHERE codigo_interno IS NOT NULL;

CREATE TABLE foreign_operator_version (
  id                        INTEGER PRIMARY KEY,
  operator_id               INTEGER NOT NULL REFERENCES foreign_operator,
  family                    INTEGER NOT NULL,
  rectification             INTEGER NOT NULL,
  starts_on                 TEXT NOT NULL,
  made_at                   INTEGER NOT NULL,
  deactivated_at            INTEGER,
  tin                       TEXT,
  nome                      TEXT NOT NULL,
  logradouro                TEXT NOT NULL,
  nome_cidade               TEXT NOT NULL,
  codigo_subdivisao_pais    TEXT,
  cep                       TEXT,
  codigo_interno            TEXT,
  email                     TEXT,
  identificacoes_adicionais TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX foreign_operator_version_by_number
  ON foreign_operator_version (operator_id, family, rectification);

CREATE TABLE foreign_operator_validity (
  operator_id INTEGER NOT NULL REFERENCES foreign_operator,
  from_day    TEXT NOT NULL,
  until_day   TEXT NOT NULL,
  version_id  INTEGER NOT NULL REFERENCES foreign_operator_version,
  PRIMARY KEY (operator_id, from_day)
) STRICT, WITHOUT ROWID;

-- Links between products and manufacturers or producers. ends_on is the first day without the link.

CREATE TABLE manufacturer_link (
  id                  INTEGER PRIMARY KEY,
  cpf_cnpj_raiz       TEXT NOT NULL REFERENCES company,
  product_id          INTEGER NOT NULL REFERENCES product,
  codigo_produto      INTEGER NOT NULL,
  conhecido           INTEGER NOT NULL CHECK (conhecido IN (0, 1)),
  codigo_pais         TEXT NOT NULL,
  codigo_operador     TEXT,
  cpf_cnpj_fabricante TEXT,
  starts_on           TEXT NOT NULL,
  linked_at           INTEGER NOT NULL,
  ends_on             TEXT,
  unlinked_at         INTEGER
) STRICT;

CREATE UNIQUE INDEX manufacturer_link_once ON manufacturer_link
  (cpf_cnpj_raiz, codigo_produto, conhecido, codigo_pais, ifnull(codigo_operador, ''), ifnull(cpf_cnpj_fabricante, ''))
  WHERE unlinked_at IS NULL;
CREATE INDEX manufacturer_link_of_product ON manufacturer_link (product_id);
CREATE INDEX manufacturer_link_by_country ON manufacturer_link (cpf_cnpj_raiz, codigo_pais, product_id);
CREATE INDEX manufacturer_link_by_manufacturer ON manufacturer_link (cpf_cnpj_raiz, cpf_cnpj_fabricante, product_id)
  WHERE cpf_cnpj_fabricante IS NOT NULL;
CREATE INDEX manufacturer_link_by_operator ON manufacturer_link (cpf_cnpj_raiz, codigo_operador, product_id)
  WHERE codigo_operador IS NOT NULL;

CREATE TABLE concession_act (
  cpf_cnpj_raiz  TEXT NOT NULL REFERENCES company,
  codigo_produto INTEGER NOT NULL,
  numero_ato     TEXT NOT NULL,
  numero_item    TEXT NOT NULL,
  included_at    INTEGER NOT NULL,
  PRIMARY KEY (cpf_cnpj_raiz, codigo_produto, numero_ato, numero_item)
) STRICT, WITHOUT ROWID;

-- Imports of files (contract section 7). The uploaded file lies in the data folder until its job ends.

CREATE TABLE import_job (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  documento   TEXT NOT NULL,
  perfil      TEXT NOT NULL,
  tipo        TEXT NOT NULL,
  modo        TEXT NOT NULL CHECK (modo IN ('lote', 'espelho')),
  simular     INTEGER NOT NULL CHECK (simular IN (0, 1)),
  -- As its sender calls it, and as it lies in the folder of imports.
  file_name   TEXT NOT NULL,
  stored_file TEXT NOT NULL,
  state       TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
  error       TEXT,
  total       INTEGER,
  processed   INTEGER NOT NULL DEFAULT 0,
  created     INTEGER NOT NULL DEFAULT 0,
  new_version INTEGER NOT NULL DEFAULT 0,
  unchanged   INTEGER NOT NULL DEFAULT 0,
  failed      INTEGER NOT NULL DEFAULT 0,
  created_at  INTEGER NOT NULL,
  finished_at INTEGER
) STRICT;

CREATE INDEX import_job_unfinished ON import_job (state) WHERE state IN ('queued', 'running');
CREATE INDEX import_job_of_user ON import_job (documento, id);
CREATE INDEX import_job_finished ON import_job (finished_at) WHERE finished_at IS NOT NULL;

CREATE TABLE import_result (
  job_id  INTEGER NOT NULL REFERENCES import_job ON DELETE CASCADE,
  idx     INTEGER NOT NULL,
  seq     INTEGER,
  codigo  TEXT,
  versao  TEXT,
  outcome TEXT NOT NULL CHECK (outcome IN ('created', 'newVersion', 'unchanged', 'failed')),
  errors  TEXT NOT NULL,
  PRIMARY KEY (job_id, idx)
) STRICT, WITHOUT ROWID;

CREATE INDEX import_result_by_outcome ON import_result (job_id, outcome, idx);

-- Facts about this data folder: which environment it belongs to, whether `dev` made it.
CREATE TABLE folder_mark (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
