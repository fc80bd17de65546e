/**
 * Applies fetched records step by step as the items of an import. Each item and its pair are written in one
 * part of a transaction.
 */
import type { AppliedItem, ItemApplier, ItemReading } from '../../catalogue/batch.ts';
import { CATALOGUE_CODES, violated } from '../../catalogue/codes.ts';
import { callerTransaction } from '../../catalogue/actor-transaction.ts';
import type { FetchOrder } from '../../catalogue/import/model.ts';
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
import { codeOfKey } from '../shown.ts';
import type { FetchItem } from './items.ts';
import { type FetchPlan, linkHere, sideNow } from './plan.ts';

/** Operations that apply the records of a kind. */
export interface Taking extends Arrivals {
  /** Deactivates a record that is inactive in the remote. */
  deactivate(tx: Transaction, caller: Caller, cpfCnpjRaiz: string, codigo: string): AppliedItem;
}

export interface FetchApplierParts {
  readonly db: Db;
  readonly runs: RunStore;
  readonly steps: StepStore;
  readonly pairs: PairStore;
  readonly plan: FetchPlan;
  readonly records: Readonly<Record<PairedKind, Taking>>;
  readonly links: LinkChanges;
}

/** The data of one applied item. */
interface Taken {
  readonly tx: Transaction;
  readonly caller: Caller;
  readonly run: Run;
  readonly step: Step;
}

const NO_BASE = { versao: null, here: null, there: null } as const;

export function fetchApplier(parts: FetchApplierParts, { fetch }: FetchOrder): ItemApplier {
  const { runs, steps, plan } = parts;
  return {
    apply(tx, caller, received, _mode, reading): AppliedItem {
      const { seq } = received as FetchItem; // written by `fetchedTexts`
      const [run, step] = [runs.find(fetch), steps.find(fetch, seq)];
      if (run === undefined || step?.outcome !== 'pending') throw changedSince('o passo já foi feito');
      requireRepresentation(caller, run.cpfCnpjRaiz);
      if (!plan.isAsSeen(run, step)) throw changedSince('mudou aqui depois da comparação');
      const item = { tx, caller, run, step };
      return step.kind === 'vinculo'
        ? takeLink(parts, item)
        : takeRecord(parts, item, step.kind, received as FetchItem, reading);
    },
  };
}

function takeRecord(
  { db, steps, pairs, records }: FetchApplierParts,
  { tx, caller, run, step }: Taken,
  kind: PairedKind,
  item: FetchItem,
  reading: ItemReading,
): AppliedItem {
  const { remoteId, cpfCnpjRaiz } = run;
  const { here: localKey, there: remoteKey, operation, thereWhole } = step;
  const hand = records[kind];
  const applied =
    item.gone === true
      ? hand.deactivate(tx, caller, cpfCnpjRaiz, codeOfKey(kind, localKey))
      : hand.apply(tx, caller, { received: item, isNew: operation === 'include' }, reading);
  if (item.gone !== true) {
    const now = sideNow(db, cpfCnpjRaiz, kind, localKey);
    const base = { versao: applied.versao, here: now?.whole ?? null, there: thereWhole };
    pairs.put(remoteId, cpfCnpjRaiz, { kind, here: localKey, there: remoteKey, base });
  }
  steps.endFetched(run, { ...step, outcome: 'sent', hereVersao: applied.versao }, tx.now);
  return applied;
}

function takeLink({ steps, pairs, links }: FetchApplierParts, { tx, caller, run, step }: Taken): AppliedItem {
  const { remoteId, cpfCnpjRaiz } = run;
  const { there: remoteKey, operation } = step;
  const actorTx = callerTransaction(tx, caller);
  if (operation === 'unlink') {
    const link = linkOfKey(step.here);
    links.unlink(actorTx, cpfCnpjRaiz, link);
    pairs.delete(remoteId, cpfCnpjRaiz, step);
    steps.endFetched(run, { ...step, outcome: 'sent' }, tx.now);
    const codigo = String(link.codigoProduto);
    return { codigo, versao: null, outcome: 'newVersion', changes: [linkChange(link, false)] };
  }
  const localKey = linkHere(
    remoteKey ?? '',
    (kind, key) => pairs.localKeyOf(remoteId, cpfCnpjRaiz, kind, key) ?? refuseNotHere(kind, key),
  );
  const link = linkOfKey(localKey);
  const isHere = links.isLinked(cpfCnpjRaiz, link);
  // A remote link is applied whatever the state of its product and operator.
  if (!isHere) links.link(actorTx, cpfCnpjRaiz, link, { mayBeInactive: true });
  pairs.put(remoteId, cpfCnpjRaiz, { kind: 'vinculo', here: localKey, there: remoteKey, base: NO_BASE });
  steps.endFetched(run, { ...step, here: localKey, outcome: isHere ? 'adopted' : 'sent' }, tx.now);
  return {
    codigo: String(link.codigoProduto),
    versao: null,
    outcome: isHere ? 'unchanged' : 'created',
    changes: isHere ? [] : [linkChange(link, true)],
  };
}

const changedSince = (why: string) =>
  unprocessable([violated('changedSince', null, `mudouDepois: ${why}; compare de novo.`)]);

const NAMES = {
  produto: ['codigoProduto', 'o produto'],
  operador: ['codigoOperadorEstrangeiro', 'o operador'],
} as const;

/** Throws 422. */
function refuseNotHere(kind: PairedKind, key: string): never {
  const [field, called] = NAMES[kind];
  const message = `${called} ${codeOfKey(kind, key)} de lá não está aqui; traga-o antes, compare de novo, e traga o vínculo.`;
  return refuseRemote('notHere', `/${field}`, message);
}

/** Returns true when a row was skipped, not refused. */
export const isLeftOut = (code: string | null): boolean => code === CATALOGUE_CODES.changedSince.code;
