/** Many products, put there by SQL: a test of volume has no time for requests. */
import type { Db } from '../../../src/db/open.ts';
import { START } from '../../support/app.ts';

const COMPANY = '12345678';

/** Fills an empty catalogue with products as inclusion makes them, each with a text of some length. */
export function fillProducts(db: Db, count: number): void {
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  const lists = JSON.stringify({
    atributos: [{ atributo: 'ATT_1', valor: '01' }],
    atributosMultivalorados: [],
    atributosCompostos: [],
    atributosCompostosMultivalorados: [],
    codigosInterno: [],
  });
  const descricao = 'Parafuso sextavado de aço inoxidável '.repeat(5);
  db.transaction(() => {
    db.exec(`${numbers} INSERT INTO product (id, cpf_cnpj_raiz, codigo, registered_at, changed_at, current_version, situacao,
        modalidade, ncm, denominacao_folded, descricao_folded, content_hash)
      SELECT i, '${COMPANY}', i, ${START}, ${START}, i, 'ATIVADO', 'AMBOS', '73181500', 'parafuso ' || i, '', i FROM n`);
    db.exec(`${numbers} INSERT INTO product_version (id, product_id, family, rectification, starts_on, made_at, denominacao,
        descricao, modalidade, ncm, lists)
      SELECT i, i, 1, 0, '2026-01-15', ${START}, 'Parafuso ' || i, '${descricao}', 'AMBOS', '73181500', '${lists}' FROM n`);
    db.exec(`${numbers} INSERT INTO product_validity SELECT i, '2026-01-15', '9999-12-31', i FROM n`);
  })();
}
