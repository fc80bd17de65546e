/** Finds products and operators that contain every word of the query. Reads all of them, in a Worker. */
import type { Db } from '../../db/open.ts';
import { folded } from '../../validation/text.ts';
import { NO_COMPANY, companyIdOf } from '../list-query.ts';
import { parsed } from '../member-record.ts';
import { maskOf, signedProducts, signedStretches } from '../signed-list-query.ts';
import { KEYS_OF_COMPANY, keysOf, numberInCompany } from '../versioned/model.ts';
import {
  OPERATOR_CODES,
  foldedCode,
  hasWord,
  operatorHasWord,
  searchWords,
  unchangedWords,
} from '../word-list-query.ts';
import type { SearchRead } from './model.ts';

interface Ranked {
  readonly rank: number;
  readonly name: string;
  readonly id: number;
}

/** `total`: the number of all matches, also of those beyond the limit. */
interface ProductRow extends Ranked {
  readonly denominacao: string;
  readonly situacao: string;
  readonly ncm: string | null;
  readonly codigosInterno: string | null;
  readonly total: number;
}

interface OperatorRow extends Ranked {
  readonly codigo: string;
  readonly nome: string;
  readonly codigoPais: string;
  readonly situacao: string;
  readonly total: number;
}

interface SearchedCompany {
  readonly cpfCnpjRaiz: string;
  readonly nome: string;
}

/** The first matches in order, and the number of all matches. */
class Hits<Row extends Ranked & { readonly total: number }> {
  total = 0;
  rows: readonly (Row & { readonly company: SearchedCompany })[] = [];
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adds the rows of one stretch. Returns their total. */
  add(company: SearchedCompany, rows: readonly Row[]): number {
    const total = rows[0]?.total ?? 0;
    this.total += total;
    if (total > 0)
      this.rows = [...this.rows, ...rows.map((row) => ({ ...row, company }))]
        .sort(byRank)
        .slice(0, this.#limit);
    return total;
  }
}

/** Yields the text of the response; an empty one lets other reads run. `all`: the companies that exist. */
export function* searchTexts(
  db: Db,
  { companies, isOfAll, text, limit, ncms }: SearchRead,
  all: readonly SearchedCompany[],
): Generator<string> {
  const terms = searchParametersOf(text);
  const mask = maskOf(unchangedWords(terms.words));
  const productStatement = db.prepare<[object], ProductRow>(
    productSql(terms.words.length, mask === undefined ? ALL : SIGNED),
  );
  const operatorStatement = db.prepare<[object], OperatorRow>(operatorSql(terms.words.length));
  const values = { ...terms.values, ...mask, limit };
  const [products, operators] = [new Hits<ProductRow>(limit), new Hits<OperatorRow>(limit)];
  const searchedCompanies =
    companies === undefined
      ? all
      : all.filter((searchedCompany) => companies.includes(searchedCompany.cpfCnpjRaiz));
  const perCompany = [];
  for (const company of searchedCompanies) {
    const companyId = companyIdOf(db, company.cpfCnpjRaiz) ?? NO_COMPANY;
    let productCount = 0;
    for (const { after, upTo } of signedStretches(db, keysOf(companyId))) {
      productCount += products.add(company, productStatement.all({ ...values, from: after, until: upTo }));
      yield '';
    }
    const operatorCount = operators.add(company, operatorStatement.all({ ...values, companyId }));
    if (productCount + operatorCount > 0)
      perCompany.push({ ...companyMembers(company), products: productCount, operators: operatorCount });
  }
  yield JSON.stringify({
    products: products.rows.map(({ company, id, denominacao, situacao, ncm, codigosInterno }) => ({
      ...(isOfAll && companyMembers(company)),
      codigo: numberInCompany(id),
      denominacao,
      situacao,
      ncm,
      codigosInterno: parsed<string>(codigosInterno),
    })),
    operators: operators.rows.map(({ company, codigo, nome, codigoPais, situacao }) => ({
      ...(isOfAll && companyMembers(company)),
      codigo,
      nome,
      codigoPais,
      situacao,
    })),
    ncms,
    ...(isOfAll && {
      companies: companiesBy(text, searchedCompanies).slice(0, limit),
      total: { products: products.total, operators: operators.total },
      perCompany: perCompany.toSorted((a, b) => a.empresa.localeCompare(b.empresa, 'pt-BR')),
    }),
  });
}

const companyMembers = ({ cpfCnpjRaiz, nome }: SearchedCompany) => ({ cpfCnpjRaiz, empresa: nome });

/** Punctuation in a CNPJ. */
const CNPJ_PUNCTUATION = /[./-]/g;
/** Minimum digits of a search by CNPJ: fewer digits begin too many of them. */
const ROOT_MIN_DIGITS = 3;
const ROOT_MAX_DIGITS = 8;

/** Finds companies whose name has every word, or whose CNPJ begins with the text. */
function companiesBy(text: string, companies: readonly SearchedCompany[]): readonly SearchedCompany[] {
  const words = folded(text).split(/\s+/).filter(Boolean);
  const root = text.trim().replaceAll(CNPJ_PUNCTUATION, '').toUpperCase().slice(0, ROOT_MAX_DIGITS);
  if (words.length === 0) return [];
  return companies
    .filter(
      ({ cpfCnpjRaiz, nome }) =>
        words.every((word) => folded(nome).includes(word)) ||
        (root.length >= ROOT_MIN_DIGITS && cpfCnpjRaiz.startsWith(root)),
    )
    .map(({ cpfCnpjRaiz, nome }) => ({ cpfCnpjRaiz, nome }))
    .toSorted((a, b) => a.nome.localeCompare(b.nome, 'pt-BR'));
}

const byRank = (a: Ranked, b: Ranked): number =>
  a.rank - b.rank || (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id);

/** Returns the words, and the parameters of the statements: `w0`, `c0` and `n0` belong to the first word. */
function searchParametersOf(text: string) {
  const words = searchWords(text);
  const values: Record<string, string> = {
    whole: folded(text).trim(),
    quoted: JSON.stringify(folded(text).trim()),
  };
  for (const [index, { word, code, digits }] of words.entries()) {
    values[`w${index}`] = word;
    values[`c${index}`] = code;
    values[`n${index}`] = digits;
  }
  return { words, values };
}

/** Returns the SQL condition that every word matches. A query without words matches nothing. */
const everyWord = (words: number, conditionOf: (index: number) => string): string =>
  words === 0
    ? ' AND FALSE'
    : Array.from({ length: words }, (_, index) => ` AND (${conditionOf(index)})`).join('');

const CODIGO = `CAST(p.id % ${KEYS_OF_COMPANY} AS TEXT)`;
const INTERNAL_CODES = foldedCode('p.codigos_interno');

/** Selects products in a stretch of keys, and those of them whose signature has the bits of the words. */
const ALL = 'product p WHERE p.id > @from AND p.id <= @until';
const SIGNED = signedProducts({ from: '@from', until: '@until', low: '@low', high: '@high' });

/** Counts all matches, but reads all columns only of the first ones. */
const productSql = (words: number, source: string): string =>
  `SELECT p.id, p.denominacao, p.situacao, p.ncm, p.codigos_interno AS codigosInterno, m.name, m.rank, m.total
   FROM (SELECT p.id, p.denominacao_folded AS name, count(*) OVER () AS total,
     CASE WHEN ${CODIGO} = @whole OR instr(${INTERNAL_CODES}, @quoted) > 0 THEN 0
       WHEN p.situacao = 'ATIVADO' THEN 1 ELSE 2 END AS rank
   FROM ${source}${everyWord(words, (index) =>
     hasWord(
       'p',
       { name: 'p.denominacao_folded', codigo: CODIGO },
       { word: `@w${index}`, code: `@c${index}`, digits: `@n${index}` },
     ),
   )}
   ORDER BY rank, name, p.id LIMIT @limit) m CROSS JOIN product p ON p.id = m.id ORDER BY m.rank, m.name, m.id`;

const operatorSql = (words: number): string =>
  `SELECT o.id, o.codigo, o.nome, o.codigo_pais AS codigoPais, o.situacao, o.nome_folded AS name,
     count(*) OVER () AS total, CASE WHEN ${OPERATOR_CODES.map((code) => `${code} = @whole`).join(' OR ')} THEN 0
       WHEN o.situacao = 'ATIVADO' THEN 1 ELSE 2 END AS rank
   FROM foreign_operator o WHERE o.company_id = @companyId${everyWord(words, (index) => operatorHasWord(`@w${index}`))}
   ORDER BY rank, name, o.id LIMIT @limit`;
