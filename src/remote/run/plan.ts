/**
 * Plans a run that sends: one step for each record that the comparison found changed locally, in the order
 * of sending.
 */
import { iterateLinks } from '../../catalogue/manufacturer-link/list-query.ts';
import type { Db } from '../../db/open.ts';
import { iterateOperators } from '../../catalogue/foreign-operator/list-query.ts';
import { iterateProducts } from '../../catalogue/product/list-query.ts';
import { contentOf } from '../../catalogue/product/record.ts';
import { type VersionNumber, parseVersion, versionText } from '../../catalogue/version.ts';
import { keyOfLink, linkOfKey } from '../compare/link.ts';
import type { RemoteKind, RemoteState } from '../compare/model.ts';
import type { StoredRecordComparison } from '../model.ts';
import { codeOfKey } from '../forms.ts';
import type { RunFilter, PlannedStep, StepOperation } from './model.ts';

/** A local record as it is now. */
interface CurrentRecord {
  readonly versao: string | null;
  readonly situacao: string;
  /** The number of internal codes. Each is searched in the remote before a product is included. */
  readonly codes: number;
}

/**
 * Returns a local record as it is now. `undefined`: it does not exist, or the link is not in force.
 */
export function currentRecord(
  db: Db,
  cpfCnpjRaiz: string,
  kind: RemoteKind,
  localKey: string,
): CurrentRecord | undefined {
  if (kind === 'produto') {
    for (const row of iterateProducts(db, { cpfCnpjRaiz, codigo: Number(localKey) }))
      if (row !== undefined) return toCurrentRecord(row, contentOf(row).codigosInterno.length);
    return undefined;
  }
  if (kind === 'operador')
    for (const row of iterateOperators(db, { cpfCnpjRaiz, codigo: localKey, withoutDeactivated: false }))
      return toCurrentRecord(row, 0);
  const { codigoProduto } = linkOfKey(localKey);
  for (const link of iterateLinks(db, { cpfCnpjRaiz, codigoProduto }))
    if (keyOfLink(link) === localKey) return { versao: null, situacao: 'ATIVADO', codes: 0 };
  return undefined;
}

const toCurrentRecord = (
  row: VersionNumber & { readonly situacao: string },
  codes: number,
): CurrentRecord => ({
  versao: versionText(row),
  situacao: row.situacao,
  codes,
});

/** Returns the operation for a record of a comparison. `now`: the current local record. */
function operationOf(record: StoredRecordComparison, now: CurrentRecord | undefined): StepOperation {
  const { kind, remoteKey } = record;
  const isGone = stateOf(record) === 'desativadoAqui' || now === undefined || now.situacao === 'DESATIVADO';
  if (kind === 'vinculo') return isGone ? 'unlink' : 'link';
  if (remoteKey === null) return 'include';
  return isGone ? 'deactivate' : 'newVersion';
}

export const CHANGED_LOCALLY = 'mudou aqui depois da comparação; compare de novo';

/** Returns the state without the step that a run left open, because its operation is the same. */
const stateOf = ({ state, otherwise }: StoredRecordComparison): RemoteState => otherwise ?? state;

/** Returns true when the local record is still as the comparison saw it. */
function isUnchanged(record: StoredRecordComparison, now: CurrentRecord | undefined): boolean {
  const { kind, localVersao } = record;
  const state = stateOf(record);
  if (kind === 'vinculo') return state === 'desativadoAqui' ? now === undefined : now !== undefined;
  const isGone = now?.situacao === 'DESATIVADO';
  return now?.versao === localVersao && (state === 'desativadoAqui') === isGone;
}

/** Returns the step of a record. `pairedKey`: the remote key of its current pair. */
export function stepOf(
  record: StoredRecordComparison,
  now: CurrentRecord | undefined,
  pairedKey: string | undefined,
): PlannedStep {
  const { kind, remoteKey, name, localVersao, localFingerprint, remoteFingerprint } = record;
  const isSame = isUnchanged(record, now) && isPairUnchanged(record, pairedKey);
  const operation = operationOf(record, now);
  return {
    kind,
    operation,
    localKey: record.localKey ?? '',
    remoteKey,
    name,
    localVersao,
    localFingerprint,
    remoteFingerprint,
    outcome: isSame ? 'pending' : 'skipped',
    message: isSame ? null : CHANGED_LOCALLY,
    lookupsBefore: lookupsBefore(kind, operation, now),
  };
}

function lookupsBefore(kind: RemoteKind, operation: StepOperation, now: CurrentRecord | undefined): number {
  if (kind === 'vinculo') return 0;
  return operation === 'include' ? (now?.codes ?? 0) : 1;
}

/**
 * Returns true when the mapping is still as the comparison saw it. A run or a person may have changed it.
 */
const isPairUnchanged = (
  { kind, remoteKey }: StoredRecordComparison,
  pairedKey: string | undefined,
): boolean => kind === 'vinculo' || (pairedKey ?? null) === remoteKey;

/** Returns true when a record is among the requested ones. */
export function isRequested(
  { codigos }: RunFilter,
  { kind, localKey, remoteKey }: StoredRecordComparison,
): boolean {
  const key = localKey ?? remoteKey;
  return key !== null && (codigos === undefined || codigos.includes(codeOfKey(kind, key)));
}

/** Returns the number of versions before the current one, for a record that is included. */
export const pastVersions = (localVersao: string | null): number =>
  Math.max(0, (parseVersion(localVersao ?? '')?.family ?? 1) - 1);

export const statesOf = (filter: RunFilter, all: readonly RemoteState[]): readonly RemoteState[] =>
  filter.states ?? all;
