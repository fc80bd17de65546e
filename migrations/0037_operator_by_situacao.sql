-- Counting a company's active operators reads an index of the few that are not, as for products.
CREATE INDEX foreign_operator_by_situacao ON foreign_operator (company_id, situacao) WHERE situacao <> 'ATIVADO';
