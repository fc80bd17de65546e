/**
 * Reads the public attribute-by-NCM file (contract section 8): bytes in, a plain value or precise faults
 * out. Pure, so that it can run in a Worker. The value can be cloned, and stored in one row per NCM and one
 * per attribute.
 */
import type { Problem } from '../../../errors.ts';
import { formatValue } from '../../../validation/format-value.ts';
import { TABLE_CODES } from '../words/codes.ts';
import { cycleFaults } from './cycle.ts';
import { parseJson } from '../../../files/json-file.ts';
import type { AttributeDetail, AttributeTable, NcmPairs, Pair, PairModalidade } from '../words/model.ts';
import { ATTRIBUTE_CODE_MAX, type Link, readDetail } from './detail.ts';
import { type Members, TableReader } from './reader.ts';

export type ReadTable =
  | { readonly ok: true; readonly table: AttributeTable; readonly original: OriginalTable }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Original items of the file, one for each item of the parsed table, with all their members. */
export interface OriginalTable {
  readonly listaNcm: readonly { readonly listaAtributos?: unknown }[];
  readonly detalhesAtributos: readonly unknown[];
}

/**
 * Maximum nesting of objects and lists in a file [ours]. A condition with the most terms, in attributes
 * nested as deep as allowed, takes some 1100; members that are not read may be deeper.
 */
export const TABLE_MAX_DEPTH = 2000;

const TOO_DEEP = `mais de ${TABLE_MAX_DEPTH} níveis de objetos e listas; simplifique o arquivo.`;

/** Returns a table from the file's bytes or text, or at most the first 20 faults of a refused file. */
export function readTable(file: Uint8Array | string): ReadTable {
  const parsed = parseJson(file, TABLE_MAX_DEPTH);
  if (!parsed.ok) return { ok: false, problems: [notJson(parsed.reason)] };
  // Repeated members are refused: the intended one is unknown (contract section 3).
  if (parsed.repeated.length > 0) return { ok: false, problems: parsed.repeated.map(repeatedInTable) };
  const reader = new TableReader();
  const links: Link[] = [];
  const table = readRoot(reader, parsed.value, links);
  if (parsed.isTooDeep && reader.faults.length === 0) reader.fault(TABLE_CODES.layout, TOO_DEEP);
  const problems = reader.faults.length > 0 ? reader.faults : cycleFaults(links);
  if (problems.length > 0 || table === undefined) return { ok: false, problems };
  // The reader has checked both lists, and every item of them.
  return { ok: true, table, original: parsed.value as OriginalTable };
}

export const notJson = (reason: string): Problem => ({
  code: TABLE_CODES.notJson.code,
  message: `Tabela de atributos: ${reason}`,
  field: null,
  path: null,
});

const repeatedInTable = (repeated: Problem): Problem => ({ ...repeated, code: TABLE_CODES.layout.code });

const VERSION_MAX = 50;

function readRoot(reader: TableReader, value: unknown, links: Link[]): AttributeTable | undefined {
  const root = reader.object(value);
  if (root === undefined) return undefined;
  const versao = reader.requiredText(root, 'versao', VERSION_MAX);
  const details = new Set<string>();
  const detalhesAtributos = reader.each(
    root,
    'detalhesAtributos',
    (item) => readTopDetail(reader, item, details, links),
    true,
  );
  const ncms = new Set<string>();
  const listaNcm = reader.each(root, 'listaNcm', (item) => readNcm(reader, item, ncms, details), true);
  return { versao, listaNcm, detalhesAtributos };
}

function readTopDetail(
  reader: TableReader,
  item: unknown,
  codes: Set<string>,
  links: Link[],
): AttributeDetail | undefined {
  const detail = readDetail(reader, item, links);
  if (detail === undefined) return undefined;
  if (codes.has(detail.codigo))
    reader.fault(
      TABLE_CODES.duplicate,
      `o atributo ${formatValue(detail.codigo)} já foi descrito antes.`,
      'codigo',
    );
  codes.add(detail.codigo);
  return detail;
}

const NCM = /^(?:\d{8}|\d{4}\.\d{2}\.\d{2})$/;
const NCM_MAX = 10;

function readNcm(
  reader: TableReader,
  item: unknown,
  ncms: Set<string>,
  details: ReadonlySet<string>,
): NcmPairs | undefined {
  const members = reader.object(item);
  if (members === undefined) return undefined;
  const codigoText = reader.requiredText(members, 'codigoNcm', NCM_MAX);
  if (codigoText !== '' && !NCM.test(codigoText))
    reader.fault(
      TABLE_CODES.layout,
      `recebido ${formatValue(codigoText)}; aceita 8 dígitos, "0504.00.11" ou "05040011".`,
      'codigoNcm',
    );
  const codigoNcm = codigoText.replaceAll('.', '');
  if (ncms.has(codigoNcm))
    reader.fault(TABLE_CODES.duplicate, `a NCM ${formatValue(codigoText)} já apareceu antes.`, 'codigoNcm');
  ncms.add(codigoNcm);
  const pairs = new Set<string>();
  const listaAtributos = reader.each(members, 'listaAtributos', (pair) =>
    readPair(reader, pair, pairs, details),
  );
  return { codigoNcm, listaAtributos };
}

const MODALIDADES = ['Importação', 'Exportação', 'IMPORTACAO', 'EXPORTACAO'] as const;

function readPair(
  reader: TableReader,
  item: unknown,
  keys: Set<string>,
  details: ReadonlySet<string>,
): Pair | undefined {
  const members = reader.object(item);
  if (members === undefined) return undefined;
  const codigo = reader.requiredText(members, 'codigo', ATTRIBUTE_CODE_MAX);
  const modalidade = readModalidade(reader, members);
  const validity = reader.validity(members);
  if (codigo !== '' && !details.has(codigo))
    reader.fault(
      TABLE_CODES.unknownAttribute,
      `o atributo ${formatValue(codigo)} não está descrito em detalhesAtributos.`,
      'codigo',
    );
  // An attribute may repeat when it changes on a day (optional until then, required from then).
  const key = `${codigo} ${modalidade} ${validity.dataInicioVigencia}`;
  if (keys.has(key))
    reader.fault(
      TABLE_CODES.duplicate,
      `o atributo ${formatValue(codigo)} já está nesta NCM, com a mesma modalidade e o mesmo início de vigência.`,
      'codigo',
    );
  keys.add(key);
  return {
    codigo,
    modalidade,
    obrigatorio: reader.flag(members, 'obrigatorio'),
    multivalorado: reader.flag(members, 'multivalorado'),
    dataInicioVigencia: validity.dataInicioVigencia,
    dataFimVigencia: validity.dataFimVigencia,
  };
}

function readModalidade(reader: TableReader, members: Members): PairModalidade {
  const codigoText = reader.oneOf(members, 'modalidade', MODALIDADES);
  return codigoText === 'Exportação' || codigoText === 'EXPORTACAO' ? 'Exportação' : 'Importação';
}
