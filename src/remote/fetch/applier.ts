/**
 * Applies fetched records step by step as the items of an import. Each item and its pair are written in one
 * part of a transaction.
 */
import type { AppliedItem, ItemApplier, ItemReading } from '../../catalogue/batch.ts';
import { CATALOGUE_CODES, violated } from '../../catalogue/codes.ts';
import { callerTransaction } from '../../catalogue/actor-transaction.ts';
import type { FetchInstructions } from '../../catalogue/import/model.ts';
import type { LinkChanges } from '../../catalogue/manufacturer-link/changes.ts';
import { linkChange } from '../../catalogue/manufacturer-link/model.ts';
import type { Arrivals } from '../../catalogue/versioned/arrivals.ts';
import type { Db } from '../../db/open.ts';
import type { Transaction } from '../../db/writer.ts';
import { unprocessable } from '../../errors.ts';
import { requireRepresentation } from '../../session/guard.ts';
import type { Caller } from '../../session/model.ts';
import { refuseRemote } from '../codes.ts';
import { linkOfKey } from '../compare/link.ts';
import type { PairedKind } from '../compare/model.ts';
import type { PairStore } from '../compare/pair-store.ts';
import type { Run, Step } from '../run/model.ts';
import type { StepStore } from '../run/step-store.ts';
import type { RunStore } from '../run/store.ts';
import { codeOfKey } from '../forms.ts';
import type { FetchItem } from './items.ts';
import { type FetchPlan, localLinkKey, currentSide } from './plan.ts';

/** Operations that apply the records of a kind. */
export interface FetchOperations extends Arrivals {
  /** Deactivates a record that is inactive in the remote. */
  deactivate(tx: Transaction, caller: Caller, cpfCnpjRaiz: string, codigo: string): AppliedItem;
}

export interface FetchApplierParts {
  readonly db: Db;
  readonly runs: RunStore;
  readonly steps: StepStore;
  readonly pairs: PairStore;
  readonly plan: FetchPlan;
  readonly records: Readonly<Record<PairedKind, FetchOperations>>;
  readonly links: LinkChanges;
}

/** The data of one applied item. */
interface FetchedItem {
  readonly tx: Transaction;
  readonly caller: Caller;
  readonly run: Run;
  readonly step: Step;
}

const NO_BASE = { versao: null, local: null, remote: null } as const;

export function fetchApplier(parts: FetchApplierParts, { fetch }: FetchInstructions): ItemApplier {
  const { runs, steps, plan } = parts;
  return {
    apply(tx, caller, received, _mode, reading): AppliedItem {
      const { seq } = received as FetchItem; // written by `fetchedTexts`
      const [run, step] = [runs.find(fetch), steps.find(fetch, seq)];
      if (run === undefined || step?.outcome !== 'pending') throw changedSince('o passo já foi feito');
      requireRepresentation(caller, run.cpfCnpjRaiz);
      if (!plan.isUnchanged(run, step)) throw changedSince('mudou aqui depois da comparação');
      const item = { tx, caller, run, step };
      return step.kind === 'vinculo'
        ? applyLink(parts, item)
        : applyRecord(parts, item, step.kind, received as FetchItem, reading);
    },
  };
}

function applyRecord(
  { db, steps, pairs, records }: FetchApplierParts,
  { tx, caller, run, step }: FetchedItem,
  kind: PairedKind,
  item: FetchItem,
  reading: ItemReading,
): AppliedItem {
  const { remoteId, cpfCnpjRaiz } = run;
  const { localKey, remoteKey, operation, remoteFingerprint } = step;
  const operations = records[kind];
  const applied =
    item.gone === true
      ? operations.deactivate(tx, caller, cpfCnpjRaiz, codeOfKey(kind, localKey))
      : operations.apply(tx, caller, { received: item, isNew: operation === 'include' }, reading);
  if (item.gone !== true) {
    const localSide = currentSide(db, cpfCnpjRaiz, kind, localKey);
    const base = { versao: applied.versao, local: localSide?.fingerprint ?? null, remote: remoteFingerprint };
    pairs.put(remoteId, cpfCnpjRaiz, { kind, localKey, remoteKey, base });
  }
  steps.endFetched(run, { ...step, outcome: 'sent', localVersao: applied.versao }, tx.now);
  return applied;
}

function applyLink(
  { steps, pairs, links }: FetchApplierParts,
  { tx, caller, run, step }: FetchedItem,
): AppliedItem {
  const { remoteId, cpfCnpjRaiz } = run;
  const { remoteKey, operation } = step;
  const actorTx = callerTransaction(tx, caller);
  if (operation === 'unlink') {
    const link = linkOfKey(step.localKey);
    links.unlink(actorTx, cpfCnpjRaiz, link);
    pairs.delete(remoteId, cpfCnpjRaiz, step);
    steps.endFetched(run, { ...step, outcome: 'sent' }, tx.now);
    const codigo = String(link.codigoProduto);
    return { codigo, versao: null, outcome: 'newVersion', changes: [linkChange(link, false)] };
  }
  const localKey = localLinkKey(
    remoteKey ?? '',
    (kind, key) => pairs.localKeyOf(remoteId, cpfCnpjRaiz, kind, key) ?? refuseMissing(kind, key),
  );
  const link = linkOfKey(localKey);
  const isLinked = links.isLinked(cpfCnpjRaiz, link);
  // A remote link is applied whatever the state of its product and operator.
  if (!isLinked) links.link(actorTx, cpfCnpjRaiz, link, { mayBeInactive: true });
  pairs.put(remoteId, cpfCnpjRaiz, { kind: 'vinculo', localKey, remoteKey, base: NO_BASE });
  steps.endFetched(run, { ...step, localKey, outcome: isLinked ? 'adopted' : 'sent' }, tx.now);
  return {
    codigo: String(link.codigoProduto),
    versao: null,
    outcome: isLinked ? 'unchanged' : 'created',
    changes: isLinked ? [] : [linkChange(link, true)],
  };
}

const changedSince = (reason: string) =>
  unprocessable([violated('changedSince', null, `mudouDepois: ${reason}; compare de novo.`)]);

const NAMES = {
  produto: ['codigoProduto', 'o produto'],
  operador: ['codigoOperadorEstrangeiro', 'o operador'],
} as const;

/** Throws 422. */
function refuseMissing(kind: PairedKind, key: string): never {
  const [field, noun] = NAMES[kind];
  const message = `${noun} ${codeOfKey(kind, key)} de lá não está aqui; traga-o antes, compare de novo, e traga o vínculo.`;
  return refuseRemote('notHere', `/${field}`, message);
}

/** Returns true when a row was skipped, not refused. */
export const wasSkipped = (code: string | null): boolean => code === CATALOGUE_CODES.changedSince.code;
