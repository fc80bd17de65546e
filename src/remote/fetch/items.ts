/**
 * Reads the records that a phase of a run fetches as the items of an import, in a reading Worker. The
 * source is the exports of the comparison.
 */
import { contentNames } from '../../catalogue/members/member.ts';
import { OPERATOR } from '../../catalogue/members/foreign-operator.ts';
import { PRODUCT } from '../../catalogue/members/product.ts';
import type { Db } from '../../db/open.ts';
import type { FileLimits } from '../../files/file-limits.ts';
import { itemsOf } from '../compare/items.ts';
import type { ComparedFiles, PairedKind } from '../compare/model.ts';
import { COMPARED_OPERATORS } from '../compare/operator.ts';
import { COMPARED_PRODUCTS } from '../compare/product.ts';
import { type Received, codeIn, contentIn, situacaoIn } from '../compare/received.ts';
import type { Step } from '../run/model.ts';
import { StepStore } from '../run/step-store.ts';
import { codeOfKey } from '../forms.ts';
import { phaseOf } from './model.ts';

export interface FetchRead {
  readonly kind: 'fetched';
  readonly runId: number;
  readonly phase: number;
  readonly cpfCnpjRaiz: string;
  /** `null`: no file is needed. */
  readonly files: Pick<ComparedFiles, 'operadores' | 'produtos'> | null;
  readonly limits: FileLimits;
}

/** An item. `gone`: the record is no longer active in the remote. */
export interface FetchItem {
  /** The number of its step. */
  readonly seq: number;
  readonly gone?: true;
  readonly [member: string]: unknown;
}

const PAGE_ROWS = 200;
const CHUNK_ITEMS = 100;

/** Yields the JSON array that an import reads. Yields an empty text where other reads may run. */
export async function* fetchedTexts(db: Db, read: FetchRead): AsyncGenerator<string> {
  const steps = new StepStore(db);
  let [lead, chunk, items] = ['[', '', 0];
  for await (const item of phaseItems(steps, read)) {
    if (item !== undefined) {
      chunk += `${lead}${JSON.stringify(item)}`;
      lead = ',\n';
    }
    if ((items += 1) % CHUNK_ITEMS !== 0) continue;
    yield chunk;
    chunk = '';
  }
  yield `${chunk}${lead === '[' ? '[]' : ']'}`;
}

async function* phaseItems(steps: StepStore, read: FetchRead): AsyncGenerator<FetchItem | undefined> {
  const { runId, phase, cpfCnpjRaiz } = read;
  const ofPhase = phaseOf(phase);
  const [kind] = ofPhase;
  for (let after = 0; ;) {
    const page = steps.pending(runId, ofPhase, after, PAGE_ROWS);
    for (const step of page)
      if (step.kind === 'vinculo' || step.remoteFingerprint === null) yield withoutContent(cpfCnpjRaiz, step);
    after = page.at(-1)?.n ?? after;
    if (page.length < PAGE_ROWS) break;
  }
  if (kind !== 'vinculo' && read.files !== null) yield* contentItems(steps, read, kind, read.files);
}

function withoutContent(cpfCnpjRaiz: string, { n, kind, localKey, name }: Step): FetchItem {
  const codigo = codeOfKey(kind, localKey);
  if (kind === 'vinculo') return { seq: n, cpfCnpjRaiz, codigoProduto: Number(codigo) };
  const nameMember = kind === 'produto' ? { denominacao: name } : { nome: name };
  return { seq: n, cpfCnpjRaiz, codigo, ...nameMember, gone: true };
}

async function* contentItems(
  steps: StepStore,
  { runId, phase, cpfCnpjRaiz, limits }: FetchRead,
  kind: PairedKind,
  files: Pick<ComparedFiles, 'operadores' | 'produtos'>,
): AsyncGenerator<FetchItem | undefined> {
  const operations: readonly string[] = phaseOf(phase)[1];
  const { readRemote } = kind === 'produto' ? COMPARED_PRODUCTS : COMPARED_OPERATORS;
  for await (const { item } of itemsOf({ files: { ...files, vinculos: '' }, limits, cpfCnpjRaiz }, kind)) {
    const side = readRemote(item);
    const step = side && steps.findByRemoteKey(runId, kind, side.key);
    const isPending = step?.outcome === 'pending' && operations.includes(step.operation);
    yield isPending ? contentItem(cpfCnpjRaiz, kind, item, step) : undefined;
  }
}

/** Returns the item in the form of a batch, under its local code. */
function contentItem(
  cpfCnpjRaiz: string,
  kind: PairedKind,
  item: Received,
  { n, localKey }: Step,
): FetchItem {
  const head = { seq: n, cpfCnpjRaiz, situacao: situacaoIn(item) };
  const [keyMembers, table] =
    kind === 'produto'
      ? [{ codigo: Number(localKey) }, PRODUCT]
      : [{ codigo: localKey, codigoPais: codeIn(item['codigoPais']) ?? '' }, OPERATOR];
  const content: Received = contentIn(table, item);
  const names = contentNames(table).filter((name) => content[name] !== null);
  return { ...head, ...keyMembers, ...Object.fromEntries(names.map((name) => [name, content[name]])) };
}
