/**
 * Compares links by the pairs of records: a local link is searched in the remote under the remote codes of
 * its product and operator.
 */
import { iterateLinks } from '../../catalogue/manufacturer-link/list-query.ts';
import type { ManufacturerLink } from '../../catalogue/manufacturer-link/model.ts';
import type { Db } from '../../db/open.ts';
import type { Item } from './items.ts';
import { keyOfLink, linkIn, linkOfKey, nameOfLink } from './link.ts';
import type { Pair, RecordComparison, RemoteState } from './model.ts';
import type { Parts } from './parts.ts';
import { HERE, type Scratch, THERE } from './scratch-store.ts';

const LINKS_PER_TURN = 500;

export async function* layOutLinks(
  db: Db,
  cpfCnpjRaiz: string,
  theirs: AsyncIterable<Item>,
  scratch: Scratch,
): AsyncGenerator<string> {
  let rows = 0;
  for (const link of iterateLinks(db, { cpfCnpjRaiz })) {
    scratch.insertLink(HERE, keyOfLink(link));
    if ((rows += 1) % LINKS_PER_TURN === 0) yield '';
  }
  for await (const { item } of theirs) {
    const link = linkIn(item);
    if (link !== undefined && item['vincular'] !== false) scratch.insertLink(THERE, keyOfLink(link));
    if ((rows += 1) % LINKS_PER_TURN === 0) yield '';
  }
}

const NONE = { hereVersao: null, thereVersao: null, hereWhole: null, thereWhole: null } as const;
const BASE = { versao: null, here: null, there: null } as const;

/** `knownPairs`: the links that both sides had. */
export function* compareLinks(
  scratch: Scratch,
  knownPairs: Iterable<readonly Pair[]>,
  parts: Parts,
): Generator<void> {
  for (const page of scratch.linksHere()) {
    for (const { key } of page) {
      const link = linkOfKey(key);
      const record = {
        ...NONE,
        kind: 'vinculo',
        here: key,
        name: nameOfLink(link),
        differences: [],
        candidates: [],
      } as const;
      const keyOrReason = thereOf(scratch, link);
      if (typeof keyOrReason === 'object') parts.addRecord({ ...record, there: null, ...keyOrReason });
      else if (scratch.takeLink(keyOrReason)) {
        parts.addRecord({ ...record, there: keyOrReason, state: 'igual', reason: null });
        if (scratch.pairOf('vinculo', key) !== keyOrReason)
          parts.pair({ kind: 'vinculo', here: key, there: keyOrReason, base: BASE });
      } else {
        const wasThere = scratch.pairOf('vinculo', key) === keyOrReason;
        parts.addRecord({
          ...record,
          there: keyOrReason,
          state: wasThere ? 'desativadoLa' : 'soAqui',
          reason: null,
        });
      }
    }
    yield;
  }
  for (const page of scratch.unmatchedRemoteLinks()) {
    for (const { key } of page) {
      const localKey = scratch.whoseIs('vinculo', key) ?? null;
      const record = {
        ...NONE,
        kind: 'vinculo',
        here: localKey,
        there: key,
        differences: [],
        candidates: [],
      } as const;
      const state = localKey === null ? 'soLa' : 'desativadoAqui';
      parts.addRecord({ ...record, name: nameOfLink(linkOfKey(key)), state, reason: null });
    }
    yield;
  }
  for (const pairs of knownPairs) {
    for (const { here: localKey, there: remoteKey } of pairs)
      if (!scratch.hasLink(HERE, localKey) && (remoteKey === null || !scratch.hasLink(THERE, remoteKey)))
        parts.forget({ kind: 'vinculo', here: localKey });
    yield;
  }
}

type Standing = Pick<RecordComparison, 'state' | 'reason'>;

/** Returns the remote key of a link, or the reason why it has none. */
function thereOf(scratch: Scratch, link: ManufacturerLink): string | Standing {
  const { codigoProduto, codigoOperadorEstrangeiro } = link;
  const product = pairedOrNot(scratch, 'produto', String(codigoProduto).padStart(PRODUCT_KEY, '0'));
  if (typeof product === 'object') return product;
  if (codigoOperadorEstrangeiro === null) return keyOfLink({ ...link, codigoProduto: Number(product) });
  const operator = pairedOrNot(scratch, 'operador', codigoOperadorEstrangeiro);
  if (typeof operator === 'object') return operator;
  return keyOfLink({ ...link, codigoProduto: Number(product), codigoOperadorEstrangeiro: operator });
}

const PRODUCT_KEY = 10;
const WHOSE = { produto: 'o produto', operador: 'o operador' } as const;

function pairedOrNot(scratch: Scratch, kind: 'produto' | 'operador', localKey: string): string | Standing {
  const remoteKey = scratch.pairOf(kind, localKey);
  if (remoteKey !== undefined) return remoteKey;
  const state: RemoteState | undefined = scratch.storedStateOf(kind, localKey);
  if (state === 'ambiguo') return { state, reason: `${WHOSE[kind]} é ambíguo` };
  return state === 'naoEnviavel'
    ? { state, reason: `${WHOSE[kind]} não é enviável` }
    : { state: 'soAqui', reason: `${WHOSE[kind]} ainda não está lá` };
}
