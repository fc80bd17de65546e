/**
 * Offers descriptions of NCMs: loads the nomenclature, serves its file, looks up and searches codes
 * (contract section 20).
 */
import type { Actor } from '../change.ts';
import type { Clock, EpochMs } from '../clock.ts';
import type { Transaction, Writer } from '../db/writer.ts';
import { DomainError, notFound, unprocessable } from '../errors.ts';
import type { FileSource } from '../files/file-limits.ts';
import { fromOperator } from '../files/from-operator.ts';
import { oneJson } from '../files/one-json.ts';
import type { Reads } from '../reading/pool.ts';
import { linesIn } from '../reading/stream.ts';
import { SYSTEM } from '../session/model.ts';
import type { QuotaOwner } from '../fair-shares.ts';
import type { FetchResult } from '../catalogue/attribute/origin/model.ts';
import { withCount } from '../validation/text.ts';
import { dayOf, momentText } from '../validation/calendar.ts';
import type { NomenclatureComparison, NomenclatureComparisonRead } from './comparison.ts';
import { isFullNcm, notJson } from './file.ts';
import type { LoadedNomenclature, NcmWords, NomenclatureHead } from './model.ts';
import type { NomenclatureRead } from './reading.ts';
import type { NomenclatureStore, StoredNomenclature } from './store.ts';
import { codesWithAll, wordsOf } from './search.ts';

/** Maximum size of the JSON in bytes. The public one has some 4 MB [ours]. */
export const NOMENCLATURE_MAX_BYTES = 64 * 1024 * 1024;

/**
 * Contract section 19: a nomenclature that lost more than 10 % is reported, and does not replace another
 * automatically.
 */
const MOST_LOST = 0.1;

const EXPECTED = 'a nomenclatura pública em JSON ({"Nomenclaturas": [{"Codigo", "Descricao", …}]})';

/**
 * A command can load at the same time as the server. The one that finishes first removes the lines of loads
 * with lower numbers, also of unfinished ones.
 */
const OTHER_LOADED =
  'Outra nomenclatura foi carregada enquanto esta era lida, e está em uso; se é esta que vale, carregue-a de novo.';

type Packing = 'gzip' | 'gunzip';

/**
 * Runs asynchronously: packing takes longer than a group commit, unpacking longer than a look-up. Loads zlib
 * with the first file.
 */
async function done(packing: Packing, bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const zlib = await import('node:zlib');
  return new Promise((resolve, reject) => {
    zlib[packing](bytes, (error, result) => (error === null ? resolve(result) : reject(error)));
  });
}

export class Nomenclature {
  readonly #store: NomenclatureStore;
  readonly #writer: Writer;
  readonly #reads: Reads<NomenclatureRead | NomenclatureComparisonRead>;
  readonly #clock: Clock;
  /** Loads one file at a time: each starts from the result of the previous one. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    store: NomenclatureStore,
    writer: Writer,
    reads: Reads<NomenclatureRead | NomenclatureComparisonRead>,
    clock: Clock,
  ) {
    this.#store = store;
    this.#writer = writer;
    this.#reads = reads;
    this.#clock = clock;
  }

  /**
   * Loads a file, JSON or zip, and replaces the previous one. The same file again changes nothing. Throws
   * 422.
   */
  async load(source: FileSource, by: Actor, quotaOwner: QuotaOwner): Promise<LoadedNomenclature> {
    const { loaded } = await this.#inTurn(() => this.#load(source, by, quotaOwner));
    return loaded;
  }

  /**
   * Loads a fetched file in the same way (contract section 19): one that lost much does not replace the
   * other. Throws 422.
   */
  take(file: Uint8Array, by: Actor, quotaOwner: QuotaOwner): Promise<FetchResult> {
    return this.#inTurn(async () => {
      const before = this.#store.find();
      const { loaded, lost } = await this.#load(file, by, quotaOwner, true);
      const result = { asks: 'nothing', tableId: null } as const;
      if (lost !== undefined) {
        const message = `A nomenclatura foi buscada e retida: perdeu ${lost} de ${withCount(loaded.ncms, 'NCM')} da que está em uso, mais de 10 %. Se está certa, carregue o arquivo com catp ncm load.`;
        return { ...result, outcome: 'keptBack', asks: 'attention', message };
      }
      const rows = withCount(loaded.ncms, 'NCM');
      return this.#store.find()?.id === before?.id
        ? {
            ...result,
            outcome: 'same',
            message: `A nomenclatura foi buscada; é a que está em uso, com ${rows}.`,
          }
        : { ...result, outcome: 'new', message: `A nomenclatura foi buscada e está em uso, com ${rows}.` };
    });
  }

  async #load(
    source: FileSource,
    by: Actor,
    quotaOwner: QuotaOwner,
    isFetched = false,
  ): Promise<{ readonly loaded: LoadedNomenclature; readonly lost?: number }> {
    const json = await oneJson(source, NOMENCLATURE_MAX_BYTES, EXPECTED);
    if (!json.ok) throw unprocessable([notJson(json.reason)]);
    const sha256 = new Bun.CryptoHasher('sha256').update(json.bytes).digest('hex');
    const same = this.#store.find();
    if (same?.sha256 === sha256) return { loaded: toLoaded(same) };
    if (isFetched && same !== undefined) {
      const { isSame, lost } = await this.#compared(json.bytes, quotaOwner);
      if (isSame) return { loaded: toLoaded(same) };
      if (lost > same.ncms * MOST_LOST) return { loaded: toLoaded(same), lost };
    }
    const compressed = await done('gzip', json.bytes); // before it is transferred
    const loaded = await this.#replace(json.bytes, compressed, quotaOwner, (tx, head, id) => {
      tx.record({
        by,
        action: 'INCLUSAO',
        kind: 'nomenclatura',
        key: String(id),
        before: null,
        after: head.updated,
      });
      return { ...head, id, sha256, loadedAt: tx.now };
    });
    return { loaded };
  }

  /** Compares a file with the one in use. Throws 422. */
  async #compared(json: Uint8Array, quotaOwner: QuotaOwner): Promise<NomenclatureComparison> {
    const file = json.slice(); // the copy is transferred
    const read = this.#reads.read({ kind: 'nomenclatureComparison', file }, quotaOwner);
    return JSON.parse(Buffer.concat(await Array.fromAsync(read)).toString()) as NomenclatureComparison; // written by our Worker
  }

  /**
   * Reads a nomenclature that an older version loaded, which stored its lines differently. Call it at a
   * start.
   */
  prepare(): Promise<void> {
    return this.#inTurn(async () => {
      const stored = this.#store.find();
      const compressed = this.#store.file();
      if (stored === undefined || compressed === undefined || this.#store.countRows(stored.id) > 0) return;
      const quotaOwner = { user: SYSTEM };
      await this.#replace(await this.file(), compressed, quotaOwner, (_, __, id) => ({ ...stored, id }));
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.catch(() => undefined).then(work);
    this.#last = result;
    return result;
  }

  /**
   * Writes the lines first, in steps, so that other writes do not wait; then replaces the previous
   * nomenclature. Throws 422.
   */
  async #replace(
    file: Uint8Array,
    compressed: Uint8Array,
    quotaOwner: QuotaOwner,
    storedOf: (tx: Transaction, head: NomenclatureHead, id: number) => StoredNomenclature,
  ): Promise<LoadedNomenclature> {
    let id = 0;
    let head: NomenclatureHead | undefined;
    let added = 0;
    for await (const line of linesIn(this.#reads.read({ kind: 'nomenclature', file }, quotaOwner))) {
      if (head === undefined)
        head = JSON.parse(line) as NomenclatureHead; // written by our Worker
      else
        added += await this.#writer.write(() => {
          // Chosen with the first lines, so that another process gets another number.
          if (added === 0) id = this.#store.nextId();
          return this.#store.addRows(id, line);
        });
    }
    const loaded = await this.#writer.write((tx) => {
      if (head === undefined || this.#store.countRows(id) !== added)
        throw new DomainError('unavailable', OTHER_LOADED);
      const stored = storedOf(tx, head, id);
      this.#store.replace(stored, compressed);
      return toLoaded(stored);
    });
    while (await this.#writer.write(() => this.#store.deleteBefore()));
    return loaded;
  }

  /** Loads a file of the operator. Throws `OperatorError` with every fault. */
  loadFile(path: string, by: Actor, quotaOwner: QuotaOwner): Promise<LoadedNomenclature> {
    return fromOperator(path, 'A nomenclatura', () => this.load(path, by, quotaOwner));
  }

  current(): LoadedNomenclature | undefined {
    const stored = this.#store.find();
    return stored && toLoaded(stored);
  }

  /** Returns the load time of the one in use. */
  loadedAt(): EpochMs | undefined {
    return this.#store.find()?.loadedAt;
  }

  /** Returns the JSON as it was loaded. Throws 404. */
  async file(): Promise<Uint8Array<ArrayBuffer>> {
    const file = this.#store.file();
    if (file === undefined)
      throw notFound('Nenhuma nomenclatura foi carregada; carregue uma com catp ncm load.');
    return done('gunzip', file);
  }

  /** Throws 404. */
  get(ncm: string): NcmWords {
    const entry = this.#find(ncm);
    if (entry !== undefined) return entry;
    throw notFound(
      this.current() === undefined
        ? 'Nenhuma nomenclatura foi carregada; carregue uma com catp ncm load.'
        : `A NCM ${ncm} não está na nomenclatura carregada.`,
    );
  }

  /** Returns the NCMs that exist, in request order. */
  these(ncms: readonly string[]): NcmWords[] {
    return ncms.flatMap((ncm) => this.#find(ncm) ?? []);
  }

  /** Returns matches in the order of their codes. */
  search(text: string, limit: number): NcmWords[] {
    return this.these(this.codes(text, limit));
  }

  /** Returns the NCMs that match a text: leading digits, dotted or not, or words; in order. */
  codes(text: string, limit = ALL): readonly string[] {
    const trimmed = text.trim();
    if (/^[\d.]*$/.test(trimmed)) return this.#store.below(trimmed.replaceAll('.', ''), limit);
    const words = [...new Set(wordsOf(trimmed))];
    if (words.length === 0) return [];
    const codes: string[] = [];
    for (const codigo of codesWithAll(
      this.#store.hits(words, dayOf(this.#clock.now())),
      2n ** BigInt(words.length) - 1n,
    )) {
      if (codes.length >= limit) break;
      codes.push(...(isFullNcm(codigo) ? [codigo] : this.#store.below(codigo, limit - codes.length)));
    }
    return codes;
  }

  /** Finds the description of today. */
  #find(ncm: string): NcmWords | undefined {
    const path = this.#store.pathOf(ncm, dayOf(this.#clock.now()));
    const own = path.at(-1);
    if (own?.codigo !== ncm) return undefined;
    const { descricao, startsOn, endsOn } = own;
    return {
      ncm,
      descricao,
      startsOn,
      endsOn: endsOn === '' ? null : endsOn,
      path: path.slice(0, -1).map((heading) => heading.descricao),
    };
  }
}

/** Larger than the number of NCMs. */
const ALL = 2 ** 31;

const toLoaded = ({ rows, ncms, updated, act, loadedAt }: StoredNomenclature): LoadedNomenclature => ({
  rows,
  ncms,
  updated,
  act,
  loadedAt: momentText(loadedAt),
});
