/** Finds products and operators that contain every word of the query. Reads all of them, in a Worker. */
import type { Db } from '../../db/open.ts';
import { folded } from '../../validation/text.ts';
import { NO_COMPANY, companyIdOf } from '../list-query.ts';
import { parsed } from '../member-record.ts';
import { maskOf, signedProducts, signedStretches } from '../signed-list-query.ts';
import { KEYS_OF_COMPANY, keysOf, numberInCompany } from '../versioned/model.ts';
import { searchWords, foldedCode, hasWord, unchangedWords } from '../word-list-query.ts';
import type { SearchRead } from './model.ts';

interface Ranked {
  readonly rank: number;
  readonly name: string;
  readonly id: number;
}

interface ProductRow extends Ranked {
  readonly denominacao: string;
  readonly situacao: string;
  readonly ncm: string | null;
  readonly codigosInterno: string | null;
}

interface OperatorRow extends Ranked {
  readonly codigo: string;
  readonly nome: string;
  readonly codigoPais: string;
  readonly situacao: string;
}

/** Yields the text of the response; an empty one lets other reads run. */
export function* searchTexts(db: Db, { cpfCnpjRaiz, text, limit, ncms }: SearchRead): Generator<string> {
  const companyId = companyIdOf(db, cpfCnpjRaiz) ?? NO_COMPANY;
  const terms = askedOf(text);
  let products: ProductRow[] = [];
  const mask = maskOf(unchangedWords(terms.words));
  const finding = db.prepare<[object], ProductRow>(
    productSql(terms.words.length, mask === undefined ? ALL : SIGNED),
  );
  const values = { ...terms.values, ...mask, limit };
  for (const { after, upTo } of signedStretches(db, keysOf(companyId))) {
    products = [...products, ...finding.all({ ...values, from: after, until: upTo })]
      .sort(byRank)
      .slice(0, limit);
    yield '';
  }
  const operators = db
    .prepare<[object], OperatorRow>(operatorSql(terms.words.length))
    .all({ ...terms.values, companyId, limit });
  yield JSON.stringify({
    products: products.map(({ id, denominacao, situacao, ncm, codigosInterno }) => ({
      codigo: numberInCompany(id),
      denominacao,
      situacao,
      ncm,
      codigosInterno: parsed<string>(codigosInterno),
    })),
    operators: operators.map(({ codigo, nome, codigoPais, situacao }) => ({
      codigo,
      nome,
      codigoPais,
      situacao,
    })),
    ncms,
  });
}

const byRank = (a: Ranked, b: Ranked): number =>
  a.rank - b.rank || (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id);

/** `w0`, `c0` and `n0` are the first word, its code and its digits. */
function askedOf(text: string) {
  const words = searchWords(text);
  const values: Record<string, string> = {
    whole: folded(text).trim(),
    quoted: JSON.stringify(folded(text).trim()),
  };
  for (const [at, { word, code, digits }] of words.entries()) {
    values[`w${at}`] = word;
    values[`c${at}`] = code;
    values[`n${at}`] = digits;
  }
  return { words, values };
}

/** A query without words matches nothing. */
const everyWord = (words: number, of: (at: number) => string): string =>
  words === 0 ? ' AND FALSE' : Array.from({ length: words }, (_, at) => ` AND (${of(at)})`).join('');

const CODIGO = `CAST(p.id % ${KEYS_OF_COMPANY} AS TEXT)`;
const INTERNAL_CODES = foldedCode('p.codigos_interno');
const OPERATOR_CODES = ['codigo', 'tin', 'codigo_interno'].map((column) => foldedCode(`o.${column}`));

/** Selects products in a stretch of keys, and those of them whose signature has the bits of the words. */
const ALL = 'product p WHERE p.id > @from AND p.id <= @until';
const SIGNED = signedProducts({ from: '@from', until: '@until', low: '@low', high: '@high' });

const productSql = (words: number, source: string): string =>
  `SELECT p.id, p.denominacao, p.situacao, p.ncm, p.codigos_interno AS codigosInterno, p.denominacao_folded AS name,
     CASE WHEN ${CODIGO} = @whole OR instr(${INTERNAL_CODES}, @quoted) > 0 THEN 0
       WHEN p.situacao = 'ATIVADO' THEN 1 ELSE 2 END AS rank
   FROM ${source}${everyWord(words, (at) =>
     hasWord(
       'p',
       { name: 'p.denominacao_folded', codigo: CODIGO },
       { word: `@w${at}`, code: `@c${at}`, digits: `@n${at}` },
     ),
   )}
   ORDER BY rank, name, p.id LIMIT @limit`;

const operatorSql = (words: number): string =>
  `SELECT o.id, o.codigo, o.nome, o.codigo_pais AS codigoPais, o.situacao, o.nome_folded AS name,
     CASE WHEN ${OPERATOR_CODES.map((code) => `${code} = @whole`).join(' OR ')} THEN 0
       WHEN o.situacao = 'ATIVADO' THEN 1 ELSE 2 END AS rank
   FROM foreign_operator o WHERE o.company_id = @companyId${everyWord(words, (at) =>
     ['o.nome_folded', ...OPERATOR_CODES].map((text) => `instr(${text}, @w${at}) > 0`).join(' OR '),
   )}
   ORDER BY rank, name, o.id LIMIT @limit`;
