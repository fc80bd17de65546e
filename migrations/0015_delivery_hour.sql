-- Attempts are counted by the hour in which they began: a summary of a month reads some rows, however many were made.
CREATE TABLE delivery_hour (
  -- Whole hours since 1970.
  hour            INTEGER NOT NULL,
  -- Subscriptions are never removed.
  subscription_id INTEGER NOT NULL,
  -- '' where the event is of no company.
  company         TEXT NOT NULL,
  delivered       INTEGER NOT NULL,
  failed          INTEGER NOT NULL,
  PRIMARY KEY (hour, subscription_id, company)
) STRICT, WITHOUT ROWID;

-- The company that an event is of; NULL where it goes to a person or a public body.
ALTER TABLE event ADD COLUMN company TEXT;
UPDATE event SET company = CASE destinatario_tipo
  WHEN 'CNPJ' THEN substr(destinatario_id, 1, 8)
  WHEN 'CPF' THEN (SELECT c.cpf_cnpj_raiz FROM company c WHERE c.cpf_cnpj_raiz = destinatario_id)
END;

INSERT INTO delivery_hour (hour, subscription_id, company, delivered, failed)
SELECT a.at / 3600000, d.subscription_id, coalesce(e.company, ''), sum(a.outcome = 'delivered'), sum(a.outcome <> 'delivered')
FROM delivery_attempt a JOIN delivery d ON d.id = a.delivery_id JOIN event e ON e.id = d.event_id
GROUP BY 1, 2, 3;
