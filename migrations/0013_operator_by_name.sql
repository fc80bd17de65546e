-- A row of a sheet may name an operator instead of giving its code (contract section 24).
CREATE INDEX foreign_operator_by_name ON foreign_operator (company_id, nome_folded);
