-- Who is who (contract section 2).

CREATE TABLE user (
  documento     TEXT PRIMARY KEY,
  nome          TEXT NOT NULL,
  tipo          TEXT NOT NULL CHECK (tipo IN ('PRIV', 'PUBL')),
  orgao         TEXT,
  administrador INTEGER NOT NULL CHECK (administrador IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE TABLE company (
  -- A part of the keys of records (see product): beyond this a key would not be exact in JavaScript.
  id                INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 900000),
  cpf_cnpj_raiz     TEXT NOT NULL UNIQUE,
  nome              TEXT NOT NULL,
  cnpj              TEXT,
  -- New products are numbered on behind the last one below it; NULL: behind the last one of all.
  product_ceiling   INTEGER,
  -- The last number given to a code OPE_n; never given twice.
  operator_sequence INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE representation (
  documento     TEXT NOT NULL REFERENCES user ON DELETE CASCADE,
  perfil        TEXT NOT NULL,
  cpf_cnpj_raiz TEXT NOT NULL REFERENCES company (cpf_cnpj_raiz),
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

-- Products (contract sections 4 to 6). Days are 'yyyy-MM-dd' in America/Sao_Paulo, moments are epoch milliseconds; who did
-- something is the documento of a caller, 'sistema', or 'linha de comando'.
--
-- The row of a record is its current version, whole: lists, filters and most look-ups read it and nothing else. Columns are
-- in the order in which filters need them, the long texts at the end.

CREATE TABLE product (
  -- company_id * 10 000 000 000 + codigo: the key is the place in the list, and a company's products are a range of keys.
  id                 INTEGER PRIMARY KEY,
  company_id         INTEGER NOT NULL REFERENCES company,
  registered_at      INTEGER NOT NULL,
  changed_at         INTEGER NOT NULL,
  -- Version text "n" is family n, rectification 0; "n.m" is rectification m of family n.
  family             INTEGER NOT NULL,
  rectification      INTEGER NOT NULL,
  -- The current version is in force from here on, without an end.
  starts_on          TEXT NOT NULL,
  made_at            INTEGER NOT NULL,
  made_by            TEXT NOT NULL,
  -- Until which moment it was a draft: NULL for a version that never was one, 253402300799000 while it still is.
  draft_until        INTEGER,
  deactivated_at     INTEGER,
  deactivated_by     TEXT,
  situacao           TEXT NOT NULL CHECK (situacao IN ('ATIVADO', 'DESATIVADO', 'RASCUNHO')),
  modalidade         TEXT,
  ncm                TEXT,
  -- Fingerprint of the content, to find an identical product; NULL where nobody looks for one.
  content_hash       INTEGER,
  denominacao_folded TEXT NOT NULL,
  descricao_folded   TEXT,
  denominacao        TEXT NOT NULL,
  descricao          TEXT,
  -- Each list as JSON, NULL when it is empty.
  atributos                           TEXT,
  atributos_multivalorados            TEXT,
  atributos_compostos                 TEXT,
  atributos_compostos_multivalorados  TEXT,
  codigos_interno                     TEXT
) STRICT;

-- An index that many rows of an inclusion would touch costs each of them; so those of rare values are partial, and what
-- tells little (modalidade, ATIVADO) is looked for in the company's range of keys.
CREATE INDEX product_by_ncm ON product (company_id, ncm);
CREATE INDEX product_by_registration ON product (company_id, registered_at);
CREATE INDEX product_by_change ON product (company_id, changed_at) WHERE changed_at <> registered_at;
CREATE INDEX product_by_situacao ON product (company_id, situacao) WHERE situacao <> 'ATIVADO';
CREATE INDEX product_by_content ON product (company_id, content_hash) WHERE content_hash IS NOT NULL;

-- The versions of a product that are not the current one: superseded, rectified, or retroactive behind it.
CREATE TABLE product_version (
  id             INTEGER PRIMARY KEY,
  record_id      INTEGER NOT NULL REFERENCES product,
  family         INTEGER NOT NULL,
  rectification  INTEGER NOT NULL,
  starts_on      TEXT NOT NULL,
  -- In force at the end of every day with starts_on <= day < until_day; NULL: at the end of no day.
  until_day      TEXT,
  made_at        INTEGER NOT NULL,
  made_by        TEXT NOT NULL,
  draft_until    INTEGER,
  deactivated_at INTEGER,
  deactivated_by TEXT,
  modalidade     TEXT,
  ncm            TEXT,
  denominacao    TEXT NOT NULL,
  descricao      TEXT,
  atributos                           TEXT,
  atributos_multivalorados            TEXT,
  atributos_compostos                 TEXT,
  atributos_compostos_multivalorados  TEXT,
  codigos_interno                     TEXT
) STRICT;

CREATE UNIQUE INDEX product_version_by_number ON product_version (record_id, family, rectification);
CREATE INDEX product_version_in_force ON product_version (record_id, until_day) WHERE until_day IS NOT NULL;

-- Internal codes of the current version, to find it by them.
CREATE TABLE product_internal_code (
  company_id     INTEGER NOT NULL,
  codigo_interno TEXT NOT NULL,
  product_id     INTEGER NOT NULL,
  PRIMARY KEY (company_id, codigo_interno, product_id)
) STRICT, WITHOUT ROWID;

-- Foreign operators: the same shape.

CREATE TABLE foreign_operator (
  -- company_id * 10 000 000 000 + the how-manieth of the company.
  id                 INTEGER PRIMARY KEY,
  company_id         INTEGER NOT NULL REFERENCES company,
  registered_at      INTEGER NOT NULL,
  changed_at         INTEGER NOT NULL,
  codigo             TEXT NOT NULL,
  -- The number in the code (0 where it has none): the order of lists.
  numero             INTEGER NOT NULL,
  codigo_pais        TEXT NOT NULL,
  family             INTEGER NOT NULL,
  rectification      INTEGER NOT NULL,
  starts_on          TEXT NOT NULL,
  made_at            INTEGER NOT NULL,
  made_by            TEXT NOT NULL,
  -- An operator is never a draft.
  draft_until        INTEGER CHECK (draft_until IS NULL),
  deactivated_at     INTEGER,
  deactivated_by     TEXT,
  situacao           TEXT NOT NULL CHECK (situacao IN ('ATIVADO', 'DESATIVADO')),
  nome_folded        TEXT NOT NULL,
  tin                TEXT,
  nome               TEXT NOT NULL,
  logradouro         TEXT NOT NULL,
  nome_cidade        TEXT NOT NULL,
  codigo_subdivisao_pais TEXT,
  cep                TEXT,
  codigo_interno     TEXT,
  email              TEXT,
  identificacoes_adicionais TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX foreign_operator_by_codigo ON foreign_operator (company_id, codigo);
CREATE INDEX foreign_operator_by_numero ON foreign_operator (company_id, numero, codigo);
CREATE INDEX foreign_operator_by_country ON foreign_operator (company_id, codigo_pais, numero, codigo);
CREATE INDEX foreign_operator_by_tin ON foreign_operator (company_id, tin) WHERE tin IS NOT NULL;
CREATE INDEX foreign_operator_by_internal_code ON foreign_operator (company_id, codigo_interno)
  WHERE codigo_interno IS NOT NULL;

CREATE TABLE foreign_operator_version (
  id             INTEGER PRIMARY KEY,
  record_id      INTEGER NOT NULL REFERENCES foreign_operator,
  family         INTEGER NOT NULL,
  rectification  INTEGER NOT NULL,
  starts_on      TEXT NOT NULL,
  until_day      TEXT,
  made_at        INTEGER NOT NULL,
  made_by        TEXT NOT NULL,
  draft_until    INTEGER CHECK (draft_until IS NULL),
  deactivated_at INTEGER,
  deactivated_by TEXT,
  tin            TEXT,
  nome           TEXT NOT NULL,
  logradouro     TEXT NOT NULL,
  nome_cidade    TEXT NOT NULL,
  codigo_subdivisao_pais TEXT,
  cep            TEXT,
  codigo_interno TEXT,
  email          TEXT,
  identificacoes_adicionais TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX foreign_operator_version_by_number
  ON foreign_operator_version (record_id, family, rectification);
CREATE INDEX foreign_operator_version_in_force ON foreign_operator_version (record_id, until_day)
  WHERE until_day IS NOT NULL;

-- Links between products and manufacturers or producers. The key of the product tells the company. ends_on is the first day
-- without the link.

CREATE TABLE manufacturer_link (
  id                  INTEGER PRIMARY KEY,
  product_id          INTEGER NOT NULL REFERENCES product,
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
  (product_id, conhecido, codigo_pais, ifnull(codigo_operador, ''), ifnull(cpf_cnpj_fabricante, ''))
  WHERE unlinked_at IS NULL;
CREATE INDEX manufacturer_link_of_product ON manufacturer_link (product_id);
CREATE INDEX manufacturer_link_by_country ON manufacturer_link (codigo_pais, product_id);
CREATE INDEX manufacturer_link_by_manufacturer ON manufacturer_link (cpf_cnpj_fabricante, product_id)
  WHERE cpf_cnpj_fabricante IS NOT NULL;
CREATE INDEX manufacturer_link_by_operator ON manufacturer_link (codigo_operador, product_id)
  WHERE codigo_operador IS NOT NULL;

CREATE TABLE concession_act (
  product_id  INTEGER NOT NULL REFERENCES product,
  numero_ato  TEXT NOT NULL,
  numero_item TEXT NOT NULL,
  included_at INTEGER NOT NULL,
  PRIMARY KEY (product_id, numero_ato, numero_item)
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
  -- Of its bytes, hex: whether the same file was imported before.
  sha256      TEXT NOT NULL,
  state       TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
  error       TEXT,
  total       INTEGER,
  processed   INTEGER NOT NULL DEFAULT 0,
  created     INTEGER NOT NULL DEFAULT 0,
  new_version INTEGER NOT NULL DEFAULT 0,
  unchanged   INTEGER NOT NULL DEFAULT 0,
  failed      INTEGER NOT NULL DEFAULT 0,
  -- Where the last item that was applied ends, so that the file is read on from there: in which JSON text of it, as the
  -- how-manieth from 0, before which byte, in which line.
  applied_member INTEGER NOT NULL DEFAULT 0,
  applied_index  INTEGER NOT NULL DEFAULT -1,
  applied_end    INTEGER NOT NULL DEFAULT 0,
  applied_line   INTEGER NOT NULL DEFAULT 1,
  created_at  INTEGER NOT NULL,
  finished_at INTEGER
) STRICT;

CREATE INDEX import_job_unfinished ON import_job (state) WHERE state IN ('queued', 'running');
CREATE INDEX import_job_of_user ON import_job (documento, id);
CREATE INDEX import_job_by_content ON import_job (documento, sha256, id);
CREATE INDEX import_job_finished ON import_job (finished_at) WHERE finished_at IS NOT NULL;

-- What the JSON texts of an uploaded file are called; `member` 0 is the file itself where it is no zip.
CREATE TABLE import_file (
  job_id  INTEGER NOT NULL REFERENCES import_job ON DELETE CASCADE,
  member  INTEGER NOT NULL,
  name    TEXT NOT NULL,
  PRIMARY KEY (job_id, member)
) STRICT, WITHOUT ROWID;

CREATE TABLE import_result (
  job_id  INTEGER NOT NULL REFERENCES import_job ON DELETE CASCADE,
  idx     INTEGER NOT NULL,
  seq     INTEGER,
  codigo  TEXT,
  versao  TEXT,
  outcome TEXT NOT NULL CHECK (outcome IN ('created', 'newVersion', 'unchanged', 'failed')),
  -- How people know the item, and where it begins in the file.
  name    TEXT,
  member  INTEGER NOT NULL,
  line    INTEGER NOT NULL,
  -- Why it was refused: JSON, and a message on what was not kept of it.
  problems TEXT,
  further  TEXT,
  PRIMARY KEY (job_id, idx)
) STRICT, WITHOUT ROWID;

CREATE INDEX import_result_by_outcome ON import_result (job_id, outcome, idx);

-- Facts about this data folder: which environment it belongs to, whether `dev` made it.
CREATE TABLE folder_mark (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
