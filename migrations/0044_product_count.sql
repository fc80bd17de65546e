-- The number of products of a company by situation: a page tells its total without counting a million rows.
CREATE TABLE product_count (
  company_id INTEGER NOT NULL,
  situacao   TEXT NOT NULL,
  count      INTEGER NOT NULL,
  PRIMARY KEY (company_id, situacao)
) STRICT, WITHOUT ROWID;

INSERT INTO product_count SELECT company_id, situacao, count(*) FROM product GROUP BY company_id, situacao;

-- Triggers keep it true under every statement that writes products.
CREATE TRIGGER product_count_insert AFTER INSERT ON product BEGIN
  INSERT INTO product_count VALUES (NEW.company_id, NEW.situacao, 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER product_count_update AFTER UPDATE OF situacao ON product WHEN NEW.situacao <> OLD.situacao BEGIN
  UPDATE product_count SET count = count - 1 WHERE company_id = OLD.company_id AND situacao = OLD.situacao;
  INSERT INTO product_count VALUES (NEW.company_id, NEW.situacao, 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER product_count_delete AFTER DELETE ON product BEGIN
  UPDATE product_count SET count = count - 1 WHERE company_id = OLD.company_id AND situacao = OLD.situacao;
END;
