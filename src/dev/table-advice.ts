/** Suggestions from the attribute table in force for a refused request. */
import { ATTRIBUTE_CODES } from '../catalogue/attribute/words/codes.ts';
import type { TableAdvice } from './journal/advice.ts';

/** The methods of the attribute table service that this file uses. */
interface TableSource {
  nearestNcm(ncm: string): string | undefined;
  ofNcm(
    ncm: string,
    filter: object,
  ): {
    readonly listaAtributos: readonly unknown[];
    readonly detalhesAtributos: readonly unknown[];
  };
}

interface Detail {
  readonly codigo: string;
  readonly formaPreenchimento: string;
  readonly dominio?: readonly { readonly codigo: string }[];
  readonly listaSubatributos?: readonly (Detail & { readonly obrigatorio?: boolean })[];
  readonly condicionados?: readonly { readonly atributo: Detail; readonly multivalorado?: boolean }[];
}

export const tableAdvice = (source: TableSource): TableAdvice => ({
  unknownNcm: ATTRIBUTE_CODES.unknownNcm.code,
  missing: new Set([ATTRIBUTE_CODES.requiredMissing.code, ATTRIBUTE_CODES.conditionalMissing.code]),
  nearestNcm: (ncm) => source.nearestNcm(ncm),
  sampleOf(ncm, codigo) {
    const { listaAtributos, detalhesAtributos } = source.ofNcm(ncm, {});
    const pair = (listaAtributos as { codigo: string; multivalorado?: boolean }[]).find(
      (one) => one.codigo === codigo,
    );
    const attribute = findDetail(detalhesAtributos as readonly Detail[], codigo);
    if (attribute === undefined) return undefined;
    const value = valueOf(attribute.detail);
    if (value === undefined) return undefined;
    return (pair?.multivalorado ?? attribute.isMany)
      ? { atributo: codigo, valores: [value] }
      : { atributo: codigo, ...(Array.isArray(value) ? { valores: value } : { valor: value }) };
  },
});

/** Finds an attribute by code, also below the attribute that conditions it. */
function findDetail(
  details: readonly Detail[],
  codigo: string,
): { readonly detail: Detail; readonly isMany: boolean } | undefined {
  for (const detail of details) {
    if (detail.codigo === codigo) return { detail, isMany: false };
    for (const { atributo, multivalorado = false } of detail.condicionados ?? []) {
      if (atributo.codigo === codigo) return { detail: atributo, isMany: multivalorado };
      const deeper = findDetail([atributo], codigo);
      if (deeper !== undefined) return deeper;
    }
  }
  return undefined;
}

const SAMPLES: Readonly<Record<string, string>> = {
  // A conditioning boolean mostly has the condition `true`, so `false` adds no attributes.
  BOOLEANO: 'false',
  DATA: '2026-01-15',
  DATA_HORA: '2026-01-15T09:00:00',
  NUMERO_INTEIRO: '1',
  NUMERO_REAL: '1',
  TEXTO: 'texto',
};

/** Returns a valid value. A compound gets values for its required parts, or for its first part. */
function valueOf({ formaPreenchimento, dominio = [], listaSubatributos = [] }: Detail): unknown {
  if (formaPreenchimento !== 'COMPOSTO') return dominio[0]?.codigo ?? SAMPLES[formaPreenchimento];
  const required = listaSubatributos.filter(({ obrigatorio }) => obrigatorio === true);
  return (required.length > 0 ? required : listaSubatributos.slice(0, 1)).map((sub) => ({
    atributo: sub.codigo,
    valor: valueOf(sub),
  }));
}
