-- The company that a failure record tells of: whoever no longer represents it does not see it (contract section 16). NULL: none.
ALTER TABLE delivery_failure ADD COLUMN company TEXT;
-- Those that were there: bodies of the catalogue name their company.
UPDATE delivery_failure SET company = json_extract(conteudo, '$.cpfCnpjRaiz')
  WHERE evento LIKE 'catp-%' AND json_valid(conteudo) AND json_type(conteudo, '$.cpfCnpjRaiz') = 'text';
