-- Less work for each new product, event, delivery and result of an import.

-- Lists of products that repeat a name read all names instead (src/catalogue/product/repeated-list-query.ts).
DROP INDEX product_by_name;

-- The store counts (src/catalogue/product/store.ts): with a trigger, SQLite copies each page before it changes it.
DROP TRIGGER product_count_insert;
DROP TRIGGER product_count_update;
DROP TRIGGER product_count_delete;

-- For IN with more than two values, SQLite fills a temporary table for each row. The rules stay the same. SQLite has no
-- statement that replaces a CHECK; this is the way of its documentation (ALTER TABLE, section 8).
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql,
  'CHECK (situacao IN (''ATIVADO'', ''DESATIVADO'', ''RASCUNHO''))',
  'CHECK (situacao = ''ATIVADO'' OR situacao = ''DESATIVADO'' OR situacao = ''RASCUNHO'')')
  WHERE type = 'table' AND name = 'product';
UPDATE sqlite_schema SET sql = replace(sql,
  'CHECK (destinatario_tipo IN (''CPF'', ''CNPJ'', ''ORGAO''))',
  'CHECK (destinatario_tipo = ''CPF'' OR destinatario_tipo = ''CNPJ'' OR destinatario_tipo = ''ORGAO'')')
  WHERE type = 'table' AND name = 'event';
UPDATE sqlite_schema SET sql = replace(sql,
  'CHECK (state IN (''pending'', ''delivered'', ''failed'', ''cancelled''))',
  'CHECK (state = ''pending'' OR state = ''delivered'' OR state = ''failed'' OR state = ''cancelled'')')
  WHERE type = 'table' AND name = 'delivery';
UPDATE sqlite_schema SET sql = replace(sql,
  'CHECK (outcome IN (''created'', ''newVersion'', ''deactivated'', ''unchanged'', ''failed''))',
  'CHECK (outcome = ''created'' OR outcome = ''newVersion'' OR outcome = ''deactivated'' OR outcome = ''unchanged'' OR outcome = ''failed'')')
  WHERE type = 'table' AND name = 'import_result';
PRAGMA writable_schema = RESET;
