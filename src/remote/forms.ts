/** Response form of the records of a comparison. */
import { momentText } from '../validation/calendar.ts';
import { linkOfKey } from './compare/link.ts';
import type { RemoteKind } from './compare/model.ts';
import type { ComparedRecord, Comparison, ComparisonForm, StoredRecordComparison } from './model.ts';

/** Returns the code in a comparison key. For a link, the code of its product. */
export function codeOfKey(kind: RemoteKind, key: string): string {
  if (kind === 'operador') return key;
  return String(kind === 'produto' ? Number(key) : linkOfKey(key).codigoProduto);
}

const CODIGO_DIGITS = 10;

/** Returns the comparison key of a code. */
export const keyOfCode = (kind: 'produto' | 'operador', codigo: string): string =>
  kind === 'operador' ? codigo : codigo.replace(/^0+/, '').padStart(CODIGO_DIGITS, '0');

/**
 * Returns the first and the last key that have a code. Many links have the code of one product. `undefined`: the
 * text is no code of this kind.
 */
export function keysOfCode(
  kind: RemoteKind,
  codigo: string,
): readonly [first: string, last: string] | undefined {
  if (kind !== 'operador' && String(Number(codigo)) !== codigo) return undefined;
  if (kind === 'vinculo') return [`[${codigo},`, `[${codigo}-`];
  const key = keyOfCode(kind, codigo);
  return [key, key];
}

export function recordOf(record: StoredRecordComparison): ComparedRecord {
  const { kind, localKey, remoteKey, remoteVersao, name, state, reason, differences, candidates } = record;
  return {
    kind,
    codigo: localKey === null ? null : codeOfKey(kind, localKey),
    remoteCodigo: remoteKey === null ? null : codeOfKey(kind, remoteKey),
    remoteVersao,
    name,
    state,
    differences: differences.map((difference) => ({ ...difference })),
    reason,
    candidates: (state === 'ambiguo' ? candidates : []).map((candidate) => ({
      remoteCodigo: codeOfKey(kind, candidate.there),
      name: candidate.name,
      situacao: candidate.situacao,
    })),
  };
}

export function comparisonOf({
  id,
  remote,
  cpfCnpjRaiz,
  state,
  at,
  error,
  counts,
}: Comparison): ComparisonForm {
  const countsByKind = counts && {
    produto: counts.produto,
    operador: counts.operador,
    vinculo: counts.vinculo,
  };
  return { id, remote, cpfCnpjRaiz, state, at: momentText(at), error, counts: countsByKind };
}
