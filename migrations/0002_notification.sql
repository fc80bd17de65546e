-- Events, subscriptions, deliveries and the failure log (contract sections 9 and 10).
-- An event and its deliveries are written in the transaction of the change that caused them.

CREATE TABLE event (
  id                INTEGER PRIMARY KEY AUTOINCREMENT,
  evento            TEXT NOT NULL,
  destinatario_tipo TEXT NOT NULL CHECK (destinatario_tipo IN ('CPF', 'CNPJ', 'ORGAO')),
  destinatario_id   TEXT NOT NULL,
  conteudo          TEXT NOT NULL,
  published_at      INTEGER NOT NULL
) STRICT;

CREATE INDEX event_by_publication ON event (published_at);
CREATE INDEX event_by_name ON event (evento, id);

CREATE TABLE subscription (
  id                   INTEGER PRIMARY KEY AUTOINCREMENT,
  documento            TEXT NOT NULL,
  evento               TEXT NOT NULL,
  endpoint             TEXT NOT NULL,
  -- Encrypted with the key beside the database.
  chave_secreta        BLOB,
  chave_autenticacao   BLOB,
  registered_at        INTEGER NOT NULL,
  deleted_at           INTEGER,
  motivo_exclusao      TEXT,
  last_success_at      INTEGER,
  -- The first failure since the last success, registration or change of endpoint; and the latest one.
  failing_since        INTEGER,
  last_failure_at      INTEGER,
  -- Deleted, and some of what it had not got may still have to be cancelled.
  cancelling           INTEGER NOT NULL DEFAULT 0 CHECK (cancelling IN (0, 1))
) STRICT;

CREATE UNIQUE INDEX subscription_once ON subscription (evento, documento) WHERE deleted_at IS NULL;
CREATE INDEX subscription_of_user ON subscription (documento, id);
CREATE INDEX subscription_cancelling ON subscription (id) WHERE cancelling = 1;
CREATE INDEX subscription_failing ON subscription (failing_since) WHERE deleted_at IS NULL AND failing_since IS NOT NULL;

CREATE TABLE delivery (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  event_id        INTEGER NOT NULL REFERENCES event,
  subscription_id INTEGER NOT NULL REFERENCES subscription,
  state           TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed', 'cancelled')),
  -- The first attempt and its repeats; replays are not counted.
  attempt_count   INTEGER NOT NULL DEFAULT 0,
  -- Due since; NULL when nothing more is to be tried.
  next_attempt_at INTEGER,
  -- A replay is one attempt that is not repeated; should it fail, the repeat that it came before goes on as planned.
  replay          INTEGER NOT NULL DEFAULT 0 CHECK (replay IN (0, 1)),
  resume_at       INTEGER,
  finished_at     INTEGER
) STRICT;

-- Repeats and replays alone: first attempts are always due, and far more of them come and go.
CREATE INDEX delivery_due ON delivery (next_attempt_at, id) WHERE next_attempt_at IS NOT NULL AND attempt_count > 0;
-- What the worker looks for. First attempts are always due, and read in the order of their ids: what ends together lies
-- together, while in an index by receiver each of them would have a page of its own. Repeats are asked for by receiver.
CREATE INDEX delivery_first ON delivery (id) WHERE state = 'pending' AND attempt_count = 0;
CREATE INDEX delivery_repeat ON delivery (subscription_id, next_attempt_at, id)
  WHERE state = 'pending' AND attempt_count > 0;
CREATE INDEX delivery_finished ON delivery (finished_at, id) WHERE finished_at IS NOT NULL;
CREATE INDEX delivery_of_subscription ON delivery (subscription_id, id);
CREATE INDEX delivery_by_state ON delivery (state, id);
CREATE INDEX delivery_of_event ON delivery (event_id);

CREATE TABLE delivery_attempt (
  id          INTEGER PRIMARY KEY,
  delivery_id INTEGER NOT NULL REFERENCES delivery ON DELETE CASCADE,
  at          INTEGER NOT NULL,
  outcome     TEXT NOT NULL,
  status      INTEGER,
  ms          INTEGER NOT NULL,
  description TEXT NOT NULL
) STRICT;

CREATE INDEX delivery_attempt_of_delivery ON delivery_attempt (delivery_id, id);

CREATE TABLE delivery_failure (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  subscription_id INTEGER NOT NULL REFERENCES subscription,
  documento       TEXT NOT NULL,
  failed_at       INTEGER NOT NULL,
  descricao       TEXT NOT NULL,
  evento          TEXT NOT NULL,
  conteudo        TEXT NOT NULL
) STRICT;

CREATE INDEX delivery_failure_of_user ON delivery_failure (documento, failed_at);
CREATE INDEX delivery_failure_by_age ON delivery_failure (failed_at);
CREATE INDEX delivery_failure_of_subscription ON delivery_failure (subscription_id, failed_at);

-- Whom an event for a public body reaches.
CREATE INDEX user_of_orgao ON user (orgao) WHERE orgao IS NOT NULL;
