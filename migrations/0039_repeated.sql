-- Active products with the same name, and operators with the same TIN apart from blanks, signs and case, are found by an index.
CREATE INDEX product_by_name ON product (company_id, denominacao_folded) WHERE situacao = 'ATIVADO';
CREATE INDEX foreign_operator_by_tin_key ON foreign_operator (company_id,
  upper(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(tin, ' ', ''), '-', ''), '.', ''), '/', ''), ',', ''), '_', ''), ':', ''), ';', ''), '(', ''), ')', ''), '#', ''), '*', ''), '+', ''), '\', ''), char(9), ''), char(160), '')))
  WHERE tin IS NOT NULL AND situacao = 'ATIVADO';
