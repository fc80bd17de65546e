/** Selects the products of a company from a catp database and concatenates them, in the form of catp's own list. */
import Database from 'better-sqlite3';
import { serve } from './serve.ts';

interface Row {
  readonly codigo: number;
  readonly situacao: string;
  readonly family: number;
  readonly denominacao: string;
  readonly descricao: string | null;
  readonly modalidade: string;
  readonly ncm: string;
  readonly lists: string;
}

const [file = ''] = process.argv.slice(2);
const db = new Database(file, { readonly: true });
const select = db.prepare<[string], Row>(
  `SELECT p.codigo, p.situacao, v.family, v.denominacao, v.descricao, v.modalidade, v.ncm, v.lists
   FROM product p JOIN product_version v ON v.id = p.current_version WHERE p.cpf_cnpj_raiz = ? ORDER BY p.codigo`,
);

serve((request) => {
  const company = new URL(request.url).searchParams.get('cpfCnpjRaiz') ?? '';
  let text = '';
  let seq = 0;
  for (const row of select.iterate(company)) {
    seq += 1;
    text +=
      `${seq === 1 ? '[' : ','}{"seq":${seq},"codigo":${row.codigo},"descricao":${JSON.stringify(row.descricao)},` +
      `"denominacao":${JSON.stringify(row.denominacao)},"cpfCnpjRaiz":"${company}","situacao":"${row.situacao}",` +
      `"modalidade":"${row.modalidade}","ncm":"${row.ncm}","versao":"${row.family}",${row.lists.slice(1, -1)}}`;
  }
  return new Response(`${text}]`, { headers: { 'Content-Type': 'application/json' } });
});
