/**
 * Counts the items of one table that another one lacks. A table that lacks many is truncated or another list, and
 * is not put in force automatically.
 */
import { withCount } from '../../../validation/text.ts';
import type { Pair } from '../words/model.ts';
import type { Db } from '../../../db/open.ts';
import { AttributeTableStore } from './store.ts';

/** Number of items of the table in force that the other one lacks, and of all items. */
interface Loss {
  missing: number;
  total: number;
}

export interface TableLoss {
  readonly ncms: Loss;
  /** Attribute of an NCM in a modality, on any days. */
  readonly pairs: Loss;
  /** Pairs that are mandatory on some day. */
  readonly required: Loss;
}

/** Share of items above which a table is held back (contract section 19). */
const MAX_LOST_SHARE = 0.1;

/** Message to the reading Worker. */
export interface TableLossRead {
  readonly kind: 'tableLoss';
  readonly fromId: number;
  readonly toId: number;
}

export function* lossTexts(db: Db, { fromId, toId }: TableLossRead): Generator<string> {
  yield JSON.stringify(tableLoss(new AttributeTableStore(db), fromId, toId));
}

function tableLoss(store: AttributeTableStore, fromId: number, toId: number): TableLoss {
  const loss = { ncms: noLoss(), pairs: noLoss(), required: noLoss() };
  const [before, after] = [store.fingerprints(fromId), store.fingerprints(toId)];
  for (const { codigoNcm, listaAtributos } of store.iteratePairs(fromId)) {
    const isSame = before.get(codigoNcm) === after.get(codigoNcm);
    const currentPairs = isSame ? listaAtributos : store.findPairs(toId, codigoNcm)?.listaAtributos;
    count(loss.ncms, [codigoNcm], new Set(currentPairs === undefined ? [] : [codigoNcm]));
    count(loss.pairs, keysOf(listaAtributos), keysOf(currentPairs ?? []));
    count(
      loss.required,
      keysOf(listaAtributos.filter(isRequired)),
      keysOf((currentPairs ?? []).filter(isRequired)),
    );
  }
  return loss;
}

const noLoss = (): Loss => ({ missing: 0, total: 0 });
const isRequired = ({ obrigatorio }: Pair): boolean => obrigatorio;
const keysOf = (pairs: readonly Pair[]): Set<string> =>
  new Set(pairs.map(({ codigo, modalidade }) => `${codigo} ${modalidade}`));

function count(loss: Loss, before: Iterable<string>, after: ReadonlySet<string>): void {
  for (const key of before) {
    loss.total += 1;
    if (!after.has(key)) loss.missing += 1;
  }
}

/**
 * Returns the reason for not putting the table in force automatically, as the end of a sentence. `undefined`:
 * the loss is below the limit.
 */
export function holdReason({ ncms, pairs, required }: TableLoss): string | undefined {
  const [worst] = (
    [
      [ncms, 'NCM', 'NCMs'],
      [pairs, 'par de NCM e atributo', 'pares de NCM e atributo'],
      [required, 'par obrigatório', 'pares obrigatórios'],
    ] as const
  ).filter(([{ missing, total }]) => missing > total * MAX_LOST_SHARE);
  if (worst === undefined) return undefined;
  const [{ missing, total }, singular, plural] = worst;
  return `perdeu ${missing} de ${withCount(total, singular, plural)} da tabela em vigor, mais de 10 %`;
}
