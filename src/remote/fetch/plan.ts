/**
 * Plans a run that fetches: one step for each record that the comparison found changed in the remote
 * (contract section 18, Fetch).
 */
import { operatorCodigo } from '../../catalogue/foreign-operator/codigo.ts';
import { CODIGO_MAX } from '../../catalogue/product/model.ts';
import type { Db } from '../../db/open.ts';
import { COMPARED_OPERATORS } from '../compare/operator.ts';
import { keyOfLink, linkOfKey } from '../compare/link.ts';
import type { LastCodes, PairedKind, Side } from '../compare/model.ts';
import type { PairStore } from '../compare/pair-store.ts';
import { COMPARED_PRODUCTS } from '../compare/product.ts';
import type { StoredRecordComparison } from '../model.ts';
import { type PlannedStep, type Run, type Step, type StepOperation } from '../run/model.ts';
import { CHANGED_LOCALLY, currentRecord } from '../run/plan.ts';
import type { FetchSteps } from '../run/planner.ts';
import { codeOfKey, keyOfCode } from '../forms.ts';
import type { StepStore } from '../run/step-store.ts';
import type { RemoteStore } from '../store.ts';

const NO_CODE = 'não há mais códigos livres para ele aqui';

export class FetchPlan implements FetchSteps {
  readonly #db: Db;
  readonly #steps: StepStore;
  readonly #remotes: RemoteStore;
  readonly #pairs: PairStore;

  constructor(db: Db, steps: StepStore, remotes: RemoteStore, pairs: PairStore) {
    this.#db = db;
    this.#steps = steps;
    this.#remotes = remotes;
    this.#pairs = pairs;
  }

  /** Returns the higher of the last codes of both sides. */
  lastCodes({ comparisonId, cpfCnpjRaiz }: Run): LastCodes {
    const local = this.#steps.lastCodes(cpfCnpjRaiz);
    const remote = this.#remotes.findKept(comparisonId)?.last ?? local;
    return {
      operador: Math.max(local.operador, remote.operador),
      produto: Math.max(local.produto, remote.produto),
    };
  }

  stepOf(run: Run, record: StoredRecordComparison, last: LastCodes): PlannedStep {
    const { kind, remoteKey, name, localVersao, localFingerprint, remoteFingerprint } = record;
    const operation = operationOf(record);
    const localKey = record.localKey ?? this.#localKeyFor(run, kind, remoteKey ?? '', last);
    const step = {
      kind,
      operation,
      localKey: localKey ?? remoteKey ?? '',
      remoteKey,
      name,
      localVersao,
      localFingerprint,
      remoteFingerprint,
      lookupsBefore: 0,
    };
    const problem = localKey === undefined ? NO_CODE : this.isUnchanged(run, step) ? null : CHANGED_LOCALLY;
    return { ...step, outcome: problem === null ? 'pending' : 'skipped', message: problem };
  }

  /** Returns true when the local record and its pair are still as the comparison saw them. */
  isUnchanged(
    run: Run,
    step: Pick<Step, 'kind' | 'operation' | 'localKey' | 'remoteKey' | 'localFingerprint'>,
  ): boolean {
    const { remoteId, cpfCnpjRaiz } = run;
    const { kind, operation, localKey, remoteKey, localFingerprint } = step;
    if (operation === 'unlink') return currentRecord(this.#db, cpfCnpjRaiz, kind, localKey) !== undefined;
    if (operation === 'link' || kind === 'vinculo') return true; // an existing local link is adopted
    const current = currentSide(this.#db, cpfCnpjRaiz, kind, localKey);
    if (operation === 'include')
      return (
        current === undefined &&
        this.#pairs.localKeyOf(remoteId, cpfCnpjRaiz, kind, remoteKey ?? '') === undefined
      );
    const pairedKey = this.#pairs.remoteKeyOf(remoteId, cpfCnpjRaiz, kind, localKey);
    return current !== undefined && current.fingerprint === localFingerprint && pairedKey === remoteKey;
  }

  /** Returns the local key for a record that exists only in the remote. `undefined`: no code is left. */
  #localKeyFor(
    run: Run,
    kind: StoredRecordComparison['kind'],
    remoteKey: string,
    last: LastCodes,
  ): string | undefined {
    if (kind === 'vinculo') return this.#linkOf(run, remoteKey);
    if (currentSide(this.#db, run.cpfCnpjRaiz, kind, remoteKey) === undefined) return remoteKey;
    const next = last[kind] + 1;
    if (kind === 'operador') return operatorCodigo(next);
    return next > CODIGO_MAX ? undefined : keyOfCode(kind, String(next));
  }

  /**
   * Returns the link with the local codes of its product and operator, as far as they are known or planned.
   */
  #linkOf(run: Run, remoteKey: string): string {
    return localLinkKey(
      remoteKey,
      (kind, key) =>
        this.#pairs.localKeyOf(run.remoteId, run.cpfCnpjRaiz, kind, key) ??
        this.#steps.findByRemoteKey(run.id, kind, key)?.localKey ??
        key,
    );
  }
}

function operationOf({ kind, state }: StoredRecordComparison): StepOperation {
  if (kind === 'vinculo') return state === 'desativadoLa' ? 'unlink' : 'link';
  if (state === 'desativadoLa') return 'deactivate';
  return state === 'soLa' ? 'include' : 'newVersion';
}

/** Returns the current local record in its compared form. `undefined`: it does not exist. */
export function currentSide(db: Db, cpfCnpjRaiz: string, kind: PairedKind, key: string): Side | undefined {
  const comparable = kind === 'produto' ? COMPARED_PRODUCTS : COMPARED_OPERATORS;
  for (const side of comparable.readLocal(db, cpfCnpjRaiz, key)) if (side !== undefined) return side;
  return undefined;
}

/** Returns the local key of a remote link. */
export function localLinkKey(
  remoteKey: string,
  localKeyOf: (kind: PairedKind, key: string) => string,
): string {
  const link = linkOfKey(remoteKey);
  const { codigoProduto, codigoOperadorEstrangeiro: operator } = link;
  const product = localKeyOf('produto', keyOfCode('produto', String(codigoProduto)));
  return keyOfLink({
    ...link,
    codigoProduto: Number(codeOfKey('produto', product)),
    codigoOperadorEstrangeiro: operator === null ? null : localKeyOf('operador', operator),
  });
}
