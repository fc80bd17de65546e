-- How far an attempt to deliver got. Of those that were made before it is read once out of what was written of them.
ALTER TABLE delivery_attempt ADD COLUMN phase TEXT NOT NULL DEFAULT 'answer';
UPDATE delivery_attempt SET phase = CASE
  WHEN outcome = 'delivered' THEN 'body'
  WHEN outcome IN ('request', 'name') THEN outcome
  WHEN outcome = 'forbidden-address' THEN 'connection'
  WHEN outcome IN ('tls', 'certificate') THEN 'tls'
  WHEN outcome = 'answer' AND description NOT LIKE '%(HPE\_%' ESCAPE '\' THEN 'body'
  WHEN outcome = 'connection' AND (description LIKE '%(ECONNREFUSED)%' OR description LIKE '%(EHOSTUNREACH)%'
    OR description LIKE '%(ENETUNREACH)%' OR description LIKE '%(EADDRNOTAVAIL)%'
    OR description LIKE '%(ETIMEDOUT)%') THEN 'connection'
  WHEN outcome = 'timeout' AND description LIKE '%na consulta do nome%' THEN 'name'
  WHEN outcome = 'timeout' AND description LIKE '%na conexão%' THEN 'connection'
  WHEN outcome = 'timeout' AND description LIKE '%na negociação TLS%' THEN 'tls'
  WHEN outcome = 'timeout' AND description LIKE '%na leitura do corpo%' THEN 'body'
  ELSE 'answer'
END;
