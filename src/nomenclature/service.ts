/** Words for an NCM: the nomenclature loaded, served as it came, asked and searched (contract section 20). */
import type { Actor } from '../change.ts';
import type { Clock } from '../clock.ts';
import type { Writer } from '../db/writer.ts';
import { notFound, unprocessable } from '../errors.ts';
import type { FileSource } from '../files/file-limits.ts';
import { fromOperator } from '../files/from-operator.ts';
import { oneJson } from '../files/one-json.ts';
import type { Reads } from '../reading/pool.ts';
import type { Holder } from '../shares.ts';
import type { Taken } from '../catalogue/attribute/origin/model.ts';
import { counted } from '../validation/text.ts';
import { dayOf, momentText } from '../validation/calendar.ts';
import { notJson } from './file.ts';
import type { LoadedNomenclature, NcmWords, NomenclatureHead, NomenclatureRow } from './model.ts';
import type { NomenclatureRead } from './reading.ts';
import type { NomenclatureStore, StoredNomenclature } from './store.ts';
import { Words } from './words.ts';

export interface NomenclatureParts {
  readonly store: NomenclatureStore;
  readonly writer: Writer;
  readonly reads: Reads<NomenclatureRead>;
  readonly clock: Clock;
}

/** Of the JSON. The public one has some 4 MB [ours]. */
export const NOMENCLATURE_MAX_BYTES = 32 * 1024 * 1024;

/** Contract section 19: one that lost more than 10 % is told, and takes no place by itself. */
const LEAST_KEPT = 0.9;

const EXPECTED = 'a nomenclatura pública em JSON ({"Nomenclaturas": [{"Codigo", "Descricao", …}]})';

/** Aside: it takes longer than the other way. With the first file. */
async function packed(bytes: Uint8Array): Promise<Uint8Array> {
  const { gzip } = await import('node:zlib');
  return new Promise((resolve, reject) => {
    gzip(bytes, (error, result) => (error === null ? resolve(result) : reject(error)));
  });
}

const unpacked = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => Bun.gunzipSync(new Uint8Array(bytes));

export class Nomenclature {
  readonly #parts: NomenclatureParts;
  /** Of a content and a day: never stale. */
  #known: { readonly of: string; readonly words: Words } | undefined;

  constructor(parts: NomenclatureParts) {
    this.#parts = parts;
  }

  /** Loads a file, JSON or zip, in the place of the one before. The same again changes nothing. Throws 422. */
  async load(source: FileSource, by: Actor, holder: Holder): Promise<LoadedNomenclature> {
    return (await this.#load(source, by, holder)).loaded;
  }

  /** The same of a file that came by itself (contract section 19): one that lost much takes no place. Throws 422. */
  async take(file: Uint8Array, by: Actor, holder: Holder): Promise<Taken> {
    const before = this.#parts.store.find();
    const { loaded, keptBack } = await this.#load(file, by, holder, true);
    const taken = { asks: 'nothing', tableId: null } as const;
    if (keptBack !== undefined) {
      const message = `A nomenclatura foi buscada e retida: só tem ${keptBack} das ${counted(loaded.ncms, 'NCM')} da que está em uso, menos de 90 %. Se está certa, carregue o arquivo com catp ncm load.`;
      return { ...taken, outcome: 'keptBack', asks: 'attention', message };
    }
    const rows = counted(loaded.ncms, 'NCM');
    return this.#parts.store.find()?.id === before?.id
      ? {
          ...taken,
          outcome: 'same',
          message: `A nomenclatura foi buscada; é a que está em uso, com ${rows}.`,
        }
      : { ...taken, outcome: 'new', message: `A nomenclatura foi buscada e está em uso, com ${rows}.` };
  }

  async #load(
    source: FileSource,
    by: Actor,
    holder: Holder,
    isFetched = false,
  ): Promise<{ readonly loaded: LoadedNomenclature; readonly keptBack?: number }> {
    const json = await oneJson(source, NOMENCLATURE_MAX_BYTES, EXPECTED);
    if (!json.ok) throw unprocessable([notJson(json.reason)]);
    const sha256 = new Bun.CryptoHasher('sha256').update(json.bytes).digest('hex');
    const { store, writer, reads } = this.#parts;
    const same = store.find();
    if (same?.sha256 === sha256) return { loaded: toLoaded(same) };
    const file = await packed(json.bytes); // before it is handed over
    const read = await Array.fromAsync(reads.read({ kind: 'nomenclature', file: json.bytes }, holder));
    const whole = Buffer.concat(read);
    const end = whole.indexOf('\n');
    const head = JSON.parse(whole.toString('utf8', 0, end)) as NomenclatureHead; // our Worker wrote it
    const rows = whole.subarray(end + 1);
    if (isFetched && same !== undefined) {
      // The same in another layout: white space, or the order of members.
      const isSame = same.updated === head.updated && same.act === head.act && this.#contentIs(rows);
      if (isSame) return { loaded: toLoaded(same) };
      if (head.ncms < same.ncms * LEAST_KEPT) return { loaded: toLoaded(same), keptBack: head.ncms };
    }
    const content = await packed(rows);
    const loaded = await writer.write((tx) => {
      const stored = { ...head, sha256, loadedAt: tx.now };
      const id = store.replace(stored, { file, content });
      tx.record({ by, action: 'INCLUSAO', kind: 'nomenclatura', key: String(id), after: head.updated });
      return toLoaded({ ...stored, id });
    });
    return { loaded };
  }

  #contentIs(rows: Uint8Array): boolean {
    const content = this.#parts.store.content();
    return content !== undefined && Buffer.from(unpacked(content)).equals(rows);
  }

  /** A file of the operator's. Throws `OperatorError` with every fault. */
  loadFile(path: string, by: Actor, holder: Holder): Promise<LoadedNomenclature> {
    return fromOperator(path, 'A nomenclatura', () => this.load(path, by, holder));
  }

  current(): LoadedNomenclature | undefined {
    const stored = this.#parts.store.find();
    return stored && toLoaded(stored);
  }

  /** The JSON as it was loaded. Throws 404. */
  file(): Uint8Array<ArrayBuffer> {
    const file = this.#parts.store.file();
    if (file === undefined)
      throw notFound('Nenhuma nomenclatura foi carregada; carregue uma com catp ncm load.');
    return unpacked(file);
  }

  /** Throws 404. */
  get(ncm: string): NcmWords {
    const found = this.#words()?.find(ncm);
    if (found === undefined)
      throw notFound(
        this.current() === undefined
          ? 'Nenhuma nomenclatura foi carregada; carregue uma com catp ncm load.'
          : `A NCM ${ncm} não está na nomenclatura carregada.`,
      );
    return found;
  }

  /** Those that are there, in the order asked for. */
  these(ncms: readonly string[]): NcmWords[] {
    const words = this.#words();
    return ncms.flatMap((ncm) => words?.find(ncm) ?? []);
  }

  /** In order of code. */
  search(text: string, limit: number): NcmWords[] {
    return this.#words()?.search(text, limit) ?? [];
  }

  /** Every NCM that the text means. */
  codes(text: string): readonly string[] {
    return this.#words()?.codes(text) ?? [];
  }

  /** Of today; `undefined` while there is none. */
  #words(): Words | undefined {
    const { store, clock } = this.#parts;
    const stored = store.find();
    if (stored === undefined) return undefined;
    const day = dayOf(clock.now());
    const of = `${stored.sha256} ${day}`;
    if (this.#known?.of !== of) {
      const content = unpacked(store.content() ?? new Uint8Array());
      const rows = JSON.parse(Buffer.from(content).toString()) as NomenclatureRow[]; // ours
      this.#known = { of, words: new Words(rows, day) };
    }
    return this.#known.words;
  }
}

const toLoaded = ({ rows, ncms, updated, act, loadedAt }: StoredNomenclature): LoadedNomenclature => ({
  ...{ rows, ncms, updated, act },
  loadedAt: momentText(loadedAt),
});
