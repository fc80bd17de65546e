/**
 * Reads the differences between a local record and a remote record that the comparison did not pair with
 * it, from the kept export.
 */
import type { Db } from '../../db/open.ts';
import type { FileLimits } from '../../files/file-limits.ts';
import { differences } from './differences.ts';
import { Incomparable, itemsOf } from './items.ts';
import type { ComparedFiles, Difference, PairedKind } from './model.ts';
import { COMPARED_OPERATORS } from './operator.ts';
import { COMPARED_PRODUCTS } from './product.ts';

export interface DecidedRead {
  readonly kind: 'decidedPair';
  readonly cpfCnpjRaiz: string;
  readonly recordKind: PairedKind;
  readonly here: string;
  readonly there: string;
  readonly files: Pick<ComparedFiles, 'operadores' | 'produtos'>;
  readonly limits: FileLimits;
}

/** Records of one turn; then the read yields to others. */
const RECORDS_PER_TURN = 500;

/** Yields the differences as one text. Yields an empty text where other reads may run. */
export async function* decidedTexts(db: Db, read: DecidedRead): AsyncGenerator<string> {
  try {
    yield* textsOf(db, read);
  } catch (error) {
    // A newer comparison has just deleted the export. The decision is then refused.
    if (!(error instanceof Incomparable)) throw error;
    yield '[]';
  }
}

async function* textsOf(db: Db, read: DecidedRead): AsyncGenerator<string> {
  const { cpfCnpjRaiz, recordKind: of, here, there, limits } = read;
  const comparable = of === 'produto' ? COMPARED_PRODUCTS : COMPARED_OPERATORS;
  const [local] = [...comparable.readLocal(db, cpfCnpjRaiz, here)].filter((one) => one !== undefined);
  const files = { ...read.files, vinculos: '' };
  let records = 0;
  for await (const { item } of itemsOf({ files, limits, cpfCnpjRaiz }, of)) {
    const remote = comparable.readRemote(item);
    if (local !== undefined && remote?.key === there) {
      const bases = { baseVersao: null, baseLocal: null, baseRemote: null };
      const facing = { ...local, ...bases, remoteText: remote.text, remoteWhole: remote.whole };
      yield JSON.stringify(differences(db, cpfCnpjRaiz, comparable, facing) satisfies Difference[]);
      return;
    }
    if ((records += 1) % RECORDS_PER_TURN === 0) yield '';
  }
  yield '[]';
}
