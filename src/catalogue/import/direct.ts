/**
 * Imports a file from the command line, on its own database connection next to the server's. A job without an
 * owner records the progress, and the server does not take it up. An interrupted import can resume, and no
 * item is applied twice.
 */
import type { Clock, EpochMs } from '../../clock.ts';
import type { Feed } from '../../db/feed.ts';
import type { Writer } from '../../db/writer.ts';
import type { FileLimits } from '../../files/file-limits.ts';
import type { ItemSource } from '../../files/json-members.ts';
import { CATALOGUE_PROFILE } from '../../session/model.ts';
import { OperatorError } from '../../errors.ts';
import { ItemFeed, lastAppliedPlace } from './feed.ts';
import type { ImportJob, ItemResult } from './model.ts';
import { type SliceOptions, applySlice } from './slice.ts';
import type { ImportStore } from './store.ts';

/**
 * Pause after each slice, in ms. SQLite lets one connection write at a time, and a waiting connection retries
 * only every few ms. The pause lets the server's requests take the lock. It is longer while another
 * connection writes.
 */
const PAUSE_MS = 4;
const PAUSE_BESIDE_OTHERS_MS = 25;
/** Time in ms after another connection's write during which more of its writes are expected. */
const OTHERS_REMEMBERED_MS = 1000;

/** Value of `documento` for an import without a user. */
const NOBODY = '';

export interface DirectParts {
  readonly stopwatch: () => number;
  readonly store: ImportStore;
  readonly feed: Feed;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly limits: FileLimits;
}

export interface DirectImportOptions extends SliceOptions {
  /** SHA-256 of the bytes of the file, in hex. */
  readonly sha256: string;
}

/** Returns the last import of the same content for the same purpose, finished or interrupted. */
export const lastDirect = (
  store: ImportStore,
  { sha256, kind, mode, dryRun }: Pick<DirectImportOptions, 'sha256' | 'kind' | 'mode' | 'dryRun'>,
): ImportJob | undefined =>
  store
    .list({ documento: NOBODY, listed: [], represented: [], limit: LAST_LOOKED_AT, sha256 })
    .find(({ tipo, modo, simular }) => tipo === kind && modo === mode && simular === dryRun);

const LAST_LOOKED_AT = 1000;

/**
 * Applies the items of a completely read file. With `resumed`, continues behind the items that are already
 * applied. Yields the results of each slice once it is on disk.
 */
export async function* importDirectly(
  parts: DirectParts,
  file: string | ItemSource,
  options: DirectImportOptions,
  resumed: ImportJob | undefined,
): AsyncGenerator<readonly ItemResult[], void, undefined> {
  const { store, feed, writer, clock, limits, stopwatch } = parts;
  const id = resumed?.id ?? (await writer.write((tx) => begin(store, options, tx.now)));
  const others = new OtherWriters(feed, stopwatch);
  const source = new ItemFeed(file, limits, resumed && lastAppliedPlace(resumed), stopwatch);
  try {
    for (let items = await source.next(); items.length > 0; items = await source.next()) {
      const ahead = items;
      const results = await writer.write((tx) => {
        if (store.find(id)?.processed !== ahead[0]?.index) throw new OperatorError(ELSEWHERE);
        const applied = applySlice(stopwatch, tx, ahead, options);
        store.advance(id, applied, ahead);
        return applied;
      });
      source.take(results.length);
      yield results;
      const pause = others.areWriting() ? PAUSE_BESIDE_OTHERS_MS : PAUSE_MS;
      await new Promise<void>((resolve) => clock.at(clock.now() + pause, resolve));
    }
    await writer.write((tx) => store.complete(id, tx.now));
  } finally {
    others.end();
    await source.close();
  }
}

/** Creates the job as interrupted. Only the end of the import changes that. */
function begin(store: ImportStore, options: DirectImportOptions, now: EpochMs): number {
  const { kind: tipo, mode: modo, dryRun: simular, fileName, sha256 } = options;
  const importRequest = {
    tipo,
    modo,
    simular,
    fileName,
    sha256,
    storedFile: '',
    pedido: null,
    company: null,
  };
  const by = { documento: NOBODY, perfil: CATALOGUE_PROFILE, key: null };
  const id = store.insert(by, { ...importRequest, kind: 'arquivo' }, now);
  store.finish(id, 'cancelled', null, now);
  return id;
}

const ELSEWHERE = 'Esta importação também é feita por outro comando, ou foi apagada; nada mais foi gravado.';

class OtherWriters {
  readonly #feed: Feed;
  readonly #stopwatch: () => number;
  #seenAt = Number.NEGATIVE_INFINITY;
  readonly end: () => void;

  constructor(feed: Feed, stopwatch: () => number) {
    this.#feed = feed;
    this.#stopwatch = stopwatch;
    this.end = feed.onOthers(() => (this.#seenAt = stopwatch()));
  }

  areWriting(): boolean {
    this.#feed.checkNow();
    return this.#stopwatch() - this.#seenAt < OTHERS_REMEMBERED_MS;
  }
}
