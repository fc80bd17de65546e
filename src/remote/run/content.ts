/** Reads a local record as it is sent: its current content, and the values that find it in the remote. */
import { iterateOperators } from '../../catalogue/foreign-operator/list-query.ts';
import { contentOf as operatorOf } from '../../catalogue/foreign-operator/record.ts';
import { iterateProducts } from '../../catalogue/product/list-query.ts';
import { contentOf as productOf } from '../../catalogue/product/record.ts';
import type { Db } from '../../db/open.ts';
import type { Side } from '../compare/model.ts';

export interface Content {
  readonly body: object;
  readonly codigoPais: string;
  readonly codes: readonly string[];
}

const NOTHING: Content = { body: {}, codigoPais: '', codes: [] };

export function currentContent(
  db: Db,
  cpfCnpjRaiz: string,
  kind: 'produto' | 'operador',
  localKey: string,
): Content {
  if (kind === 'produto') {
    for (const row of iterateProducts(db, { cpfCnpjRaiz, codigo: Number(localKey) })) {
      if (row === undefined) continue;
      const body = productOf(row);
      return { ...NOTHING, body, codes: body.codigosInterno };
    }
    return NOTHING;
  }
  for (const row of iterateOperators(db, { cpfCnpjRaiz, codigo: localKey, withoutDeactivated: false }))
    return { ...NOTHING, body: operatorOf(row), codigoPais: row.codigoPais };
  return NOTHING;
}

/**
 * Returns the list filter that finds the record made from `text`, which is the text of `Side`. `days`: the
 * days of its creation.
 */
export function filterOf(
  kind: 'produto' | 'operador',
  text: string,
  [from, to]: readonly [string, string],
): Readonly<Record<string, string>> {
  if (kind === 'operador') {
    const { tin, codigoInterno, nome } = JSON.parse(text) as Record<string, string | null>;
    if (tin) return { tin };
    return codigoInterno ? { codigoInterno } : { nome: nome ?? '' };
  }
  const { content } = JSON.parse(text) as { content: { ncm: string; codigosInterno: string[] } };
  const [codigoInterno] = content.codigosInterno;
  return codigoInterno === undefined
    ? { ncm: content.ncm, periodoRegistroInicio: from, periodoRegistroFim: to }
    : { codigoInterno };
}

/** Returns the country of a remote record, which is needed to deactivate it. */
export const countryOf = ({ text }: Side): string =>
  (JSON.parse(text) as { readonly codigoPais?: string }).codigoPais ?? '';
