/** The nomenclature on disk: one is kept, the last that was loaded. */
import type { EpochMs } from '../clock.ts';
import { Store } from '../db/prepared.ts';
import type { NomenclatureHead } from './model.ts';

export interface StoredNomenclature extends NomenclatureHead {
  readonly id: number;
  readonly sha256: string;
  readonly loadedAt: EpochMs;
}

/** Both compressed. */
export interface NomenclatureContent {
  /** The JSON as it was loaded. */
  readonly file: Uint8Array;
  /** What was read of it. */
  readonly content: Uint8Array;
}

export class NomenclatureStore extends Store {
  readonly #find = this.db.prepare<[], StoredNomenclature>(
    `SELECT id, sha256, updated, act, "rows", ncms, loaded_at AS loadedAt FROM nomenclature`,
  );
  readonly #file = this.db.prepare<[], Uint8Array>('SELECT file FROM nomenclature').pluck();
  readonly #content = this.db.prepare<[], Uint8Array>('SELECT content FROM nomenclature').pluck();
  readonly #delete = this.db.prepare('DELETE FROM nomenclature');
  readonly #insert = this.db.prepare(
    `INSERT INTO nomenclature (sha256, updated, act, "rows", ncms, loaded_at, file, content)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );

  find(): StoredNomenclature | undefined {
    return this.#find.get();
  }

  file(): Uint8Array | undefined {
    return this.#file.get();
  }

  content(): Uint8Array | undefined {
    return this.#content.get();
  }

  /** In the place of the one before. Gives its number. */
  replace(
    { sha256, updated, act, rows, ncms, loadedAt }: Omit<StoredNomenclature, 'id'>,
    { file, content }: NomenclatureContent,
  ): number {
    this.#delete.run();
    const { lastInsertRowid } = this.#insert.run(
      ...([sha256, updated, act, rows, ncms, loadedAt, file, content] as const),
    );
    return Number(lastInsertRowid);
  }
}
