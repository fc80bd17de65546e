/**
 * Finds existing records, so that an example works when it is sent: the first row of the list that belongs to
 * the operation.
 */
import type { Document, ListedOperation } from './openapi.ts';
import type { Known } from './request.ts';

export interface Source {
  /** Path of a list of the API. */
  readonly path: string;
  /** Parameter or body member → member of the first row. */
  readonly members: Readonly<Record<string, string>>;
}

const PRODUCT: Source = {
  path: '/appliance/api/products',
  members: { codigo: 'codigo', versao: 'versao', codigoProduto: 'codigo' },
};
const OPERATOR: Source = {
  path: '/appliance/api/foreign-operators',
  members: { codigo: 'codigo', versao: 'versao', codigoPais: 'codigoPais' },
};
const NCM: Source = { path: '/appliance/api/ncms', members: { codigoNcm: 'ncm', ncm: 'ncm' } };

/** Returns the source of an operation's example, or `undefined` when any value works. */
export function sourceOf(document: Document, { path, body }: ListedOperation): Source | undefined {
  const has = (name: string): boolean => path.includes(`{${name}}`);
  if (has('codigoNcm') || has('ncm')) return NCM;
  if (has('codigo')) return /operador|operators/.test(path) ? OPERATOR : PRODUCT;
  if (has('id')) {
    const list = path.slice(0, path.indexOf('/{id}'));
    return document.paths[list]?.['get'] === undefined ? undefined : { path: list, members: { id: 'id' } };
  }
  return JSON.stringify(body?.content?.['application/json']?.example ?? '').includes('"codigoProduto"')
    ? PRODUCT
    : undefined;
}

/** Returns true when the list belongs to a company. */
export const isOfCompany = ({ path }: Source): boolean => [PRODUCT.path, OPERATOR.path].includes(path);

/** Reads the values from a list response of either form. */
export function knownOf({ members }: Source, answer: unknown): Known {
  const rows = Array.isArray(answer) ? answer : ((answer as { items?: unknown[] } | undefined)?.items ?? []);
  const first = (rows[0] ?? {}) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(members)
      .filter(([, member]) => first[member] != null)
      .map(([name, member]) => [name, String(first[member])]),
  );
}

/** Returns the path of the current record, because a change starts best from the existing content. */
export function recordPathOf({ method, path, body }: ListedOperation, known: Known): string | undefined {
  const { cpfCnpjRaiz, codigo, versao, codigoPais } = known;
  const isChange = method === 'PUT' && path.includes('{codigo}') && body !== undefined;
  if (!isChange || cpfCnpjRaiz === undefined || codigo === undefined || versao === undefined)
    return undefined;
  const [kind, country] = path.includes('/operador-estrangeiro/')
    ? ['operador-estrangeiro', codigoPais]
    : ['produto', undefined];
  const steps = [cpfCnpjRaiz, country, codigo, versao].flatMap((step) => step ?? []);
  return `/catp/api/ext/${[kind, ...steps.map(encodeURIComponent)].join('/')}`;
}
