/** Selects the products of a company from a catp database and concatenates them, in the form of catp's own list. */
import Database from 'better-sqlite3';
import { serve } from './serve.ts';

type Row = Readonly<Record<string, string | number | null>>;

const [file = ''] = process.argv.slice(2);
const db = new Database(file, { readonly: true });
const COMPANY_ID = '(SELECT c.id FROM company c WHERE c.cpf_cnpj_raiz = ?)';
const select = db.prepare<[string, string], Row>(
  `SELECT id % 10000000000 AS codigo, situacao, family, denominacao, descricao, modalidade, ncm, atributos,
     atributos_multivalorados, atributos_compostos, atributos_compostos_multivalorados, codigos_interno
   FROM product WHERE id > ${COMPANY_ID} * 10000000000 AND id < (${COMPANY_ID} + 1) * 10000000000 ORDER BY id`,
);

serve((request) => {
  const company = new URL(request.url).searchParams.get('cpfCnpjRaiz') ?? '';
  let text = '';
  let seq = 0;
  for (const row of select.iterate(company, company)) {
    seq += 1;
    text +=
      `${seq === 1 ? '[' : ','}{"seq":${seq},"codigo":${row.codigo},"descricao":${JSON.stringify(row.descricao)},` +
      `"denominacao":${JSON.stringify(row.denominacao)},"cpfCnpjRaiz":"${company}","situacao":"${row.situacao}",` +
      `"modalidade":"${row.modalidade}","ncm":"${row.ncm}","versao":"${row.family}",` +
      `"atributos":${row.atributos ?? '[]'},"atributosMultivalorados":${row.atributos_multivalorados ?? '[]'},` +
      `"atributosCompostos":${row.atributos_compostos ?? '[]'},` +
      `"atributosCompostosMultivalorados":${row.atributos_compostos_multivalorados ?? '[]'},` +
      `"codigosInterno":${row.codigos_interno ?? '[]'}}`;
  }
  return new Response(`${text}]`, { headers: { 'Content-Type': 'application/json' } });
});
