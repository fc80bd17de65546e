/** Inserts many products by SQL, because requests are too slow for tests of volume. */
import type { Db } from '../../../src/db/open.ts';
import { START } from '../../support/app.ts';

const COMPANY = '12345678';

/** Fills an empty catalogue with products like included ones, each with a text of about 200 characters. */
export function fillProducts(db: Db, count: number): void {
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  const atributos = JSON.stringify([{ atributo: 'ATT_1', valor: '01' }]);
  const descricao = 'Parafuso sextavado de aço inoxidável '.repeat(5);
  db.exec(`${numbers} INSERT INTO product (id, company_id, registered_at, changed_at, family, rectification, starts_on, made_at,
      made_by, situacao, modalidade, ncm, denominacao_folded, descricao_folded, denominacao, descricao, atributos)
    SELECT c.id * 10000000000 + i, c.id, ${START}, ${START}, 1, 0, '2026-01-15', ${START}, 'sistema', 'ATIVADO', 'AMBOS',
      '73181500', 'parafuso ' || i, '', 'Parafuso ' || i, '${descricao}', '${atributos}'
    FROM n, company c WHERE c.cpf_cnpj_raiz = '${COMPANY}'`);
  // A signature of -1 matches any text.
  db.exec('INSERT INTO product_signature SELECT id, -1, -1 FROM product');
  db.exec('INSERT INTO product_count SELECT company_id, situacao, count(*) FROM product GROUP BY 1, 2');
}
