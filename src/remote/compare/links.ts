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
import type { ResultParts } from './parts.ts';
import { LOCAL, type Scratch, REMOTE } from './scratch-store.ts';

const LINKS_PER_TURN = 500;

export async function* loadLinks(
  db: Db,
  cpfCnpjRaiz: string,
  theirs: AsyncIterable<Item>,
  scratch: Scratch,
): AsyncGenerator<string> {
  let rows = 0;
  for (const link of iterateLinks(db, { cpfCnpjRaiz })) {
    scratch.insertLink(LOCAL, keyOfLink(link));
    if ((rows += 1) % LINKS_PER_TURN === 0) yield '';
  }
  for await (const { item } of theirs) {
    const link = linkIn(item);
    if (link !== undefined && item['vincular'] !== false) scratch.insertLink(REMOTE, keyOfLink(link));
    if ((rows += 1) % LINKS_PER_TURN === 0) yield '';
  }
}

const NO_CONTENT = {
  localVersao: null,
  remoteVersao: null,
  localFingerprint: null,
  remoteFingerprint: null,
} as const;
const BASE = { versao: null, local: null, remote: null } as const;

/** `knownPairs`: the links that both sides had. */
export function* compareLinks(
  scratch: Scratch,
  knownPairs: Iterable<readonly Pair[]>,
  parts: ResultParts,
): Generator<void> {
  for (const page of scratch.localLinks()) {
    for (const { key } of page) {
      const link = linkOfKey(key);
      const record = {
        ...NO_CONTENT,
        kind: 'vinculo',
        localKey: key,
        name: nameOfLink(link),
        differences: [],
        candidates: [],
      } as const;
      const keyOrReason = remoteKeyOrReason(scratch, link);
      if (typeof keyOrReason === 'object') parts.addRecord({ ...record, remoteKey: null, ...keyOrReason });
      else if (scratch.matchLink(keyOrReason)) {
        parts.addRecord({ ...record, remoteKey: keyOrReason, state: 'igual', reason: null });
        if (scratch.pairOf('vinculo', key) !== keyOrReason)
          parts.addPair({ kind: 'vinculo', localKey: key, remoteKey: keyOrReason, base: BASE });
      } else {
        const wasThere = scratch.pairOf('vinculo', key) === keyOrReason;
        parts.addRecord({
          ...record,
          remoteKey: keyOrReason,
          state: wasThere ? 'desativadoLa' : 'soAqui',
          reason: null,
        });
      }
    }
    yield;
  }
  for (const page of scratch.unmatchedRemoteLinks()) {
    for (const { key } of page) {
      const localKey = scratch.localKeyOf('vinculo', key) ?? null;
      const record = {
        ...NO_CONTENT,
        kind: 'vinculo',
        localKey,
        remoteKey: key,
        differences: [],
        candidates: [],
      } as const;
      const state = localKey === null ? 'soLa' : 'desativadoAqui';
      parts.addRecord({ ...record, name: nameOfLink(linkOfKey(key)), state, reason: null });
    }
    yield;
  }
  for (const pairs of knownPairs) {
    for (const { localKey, remoteKey } of pairs)
      if (!scratch.hasLink(LOCAL, localKey) && (remoteKey === null || !scratch.hasLink(REMOTE, remoteKey)))
        parts.addObsoletePair({ kind: 'vinculo', localKey });
    yield;
  }
}

type LinkResult = Pick<RecordComparison, 'state' | 'reason'>;

/** Returns the remote key of a link, or the reason why it has none. */
function remoteKeyOrReason(scratch: Scratch, link: ManufacturerLink): string | LinkResult {
  const { codigoProduto, codigoOperadorEstrangeiro } = link;
  const product = pairedKeyOrReason(scratch, 'produto', String(codigoProduto).padStart(PRODUCT_KEY, '0'));
  if (typeof product === 'object') return product;
  if (codigoOperadorEstrangeiro === null) return keyOfLink({ ...link, codigoProduto: Number(product) });
  const operator = pairedKeyOrReason(scratch, 'operador', codigoOperadorEstrangeiro);
  if (typeof operator === 'object') return operator;
  return keyOfLink({ ...link, codigoProduto: Number(product), codigoOperadorEstrangeiro: operator });
}

const PRODUCT_KEY = 10;
const NOUNS = { produto: 'o produto', operador: 'o operador' } as const;

function pairedKeyOrReason(
  scratch: Scratch,
  kind: 'produto' | 'operador',
  localKey: string,
): string | LinkResult {
  const remoteKey = scratch.pairOf(kind, localKey);
  if (remoteKey !== undefined) return remoteKey;
  const state: RemoteState | undefined = scratch.storedStateOf(kind, localKey);
  if (state === 'ambiguo') return { state, reason: `${NOUNS[kind]} é ambíguo` };
  return state === 'naoEnviavel'
    ? { state, reason: `${NOUNS[kind]} não é enviável` }
    : { state: 'soAqui', reason: `${NOUNS[kind]} ainda não está lá` };
}
