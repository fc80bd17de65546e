/** Stores which import is made from which other import. */
import { Store } from '../../db/prepared.ts';
import type { ImportJob, ImportSource } from './model.ts';

const changedSomething = (job: string): string =>
  `${job}.created + ${job}.new_version + ${job}.deactivated > 0`;

/**
 * Selects an import that writes and was not undone. An undo that changed nothing does not count: later changes
 * exist for every row.
 */
const isEffective = (job: string): string => `${job}.simular = 0 AND NOT EXISTS (
    SELECT 1 FROM import_job u WHERE u.source = ${job}.id AND u.kind = 'desfazer' AND u.simular = 0 AND u.state = 'done' AND ${changedSomething('u')})`;
const IS_EFFECTIVE = isEffective('j');

/** Selects an undo or a correction that has changed something, or that has not ended. */
const isEffectiveDerived = (job: string): string => `${job}.state NOT IN ('failed', 'cancelled')
  AND (${job}.kind <> 'desfazer' OR ${job}.state <> 'done' OR ${changedSomething(job)}) AND ${isEffective(job)}`;

/**
 * Selects an import that was neither undone nor corrected. Each correction holds all rows of the sheet that
 * were still open, so the latest correction replaces those before it.
 */
export const isLastAttempt = (job: string): string => `NOT EXISTS (
    SELECT 1 FROM import_job s WHERE s.source = ${job}.id AND s.kind = 'desfazer' AND ${isEffectiveDerived('s')})
  AND NOT EXISTS (SELECT 1 FROM import_job s
    WHERE s.root = coalesce(${job}.root, ${job}.id) AND s.id > ${job}.id AND s.kind = 'correcao' AND ${isEffectiveDerived('s')})`;

/** The queries that grow with the stored data. A test holds each to an index. */
export const FAMILY_QUERIES = {
  bySource: `SELECT id FROM import_job j WHERE source = +? AND kind = +? AND ${isEffectiveDerived('j')} ORDER BY id DESC LIMIT 1`,
  carriedOut: `SELECT id FROM import_job WHERE source = ? AND kind IN ('planilha', 'alteracao') AND simular = 0 AND id <> ? LIMIT 1`,
  family: `SELECT id, state, source FROM import_job j WHERE (id = @root OR root = @root) AND ${IS_EFFECTIVE} ORDER BY id`,
  doneLines: `SELECT idx, line FROM import_result WHERE job_id = @id AND idx > @after AND outcome <> 'failed'
    UNION ALL SELECT idx, line FROM import_done WHERE job_id = @id AND idx > @after ORDER BY idx LIMIT @limit`,
  doneCodes: `SELECT idx, CAST(codigo AS INTEGER) AS line FROM import_result WHERE job_id = @id AND idx > @after AND outcome <> 'failed'
    UNION ALL SELECT idx, CAST(codigo AS INTEGER) AS line FROM import_done WHERE job_id = @id AND idx > @after ORDER BY idx LIMIT @limit`,
} as const;

/** One import of the rows of a sheet. */
export interface FamilyMember {
  readonly id: number;
  readonly state: ImportJob['state'];
  readonly source: number | null;
}

export class FamilyStore extends Store {
  /** Returns the latest import of this kind that is made from `source`, writes, and was not undone. */
  readonly findBySource = this.value<[source: number, kind: ImportSource], number>(FAMILY_QUERIES.bySource);
  /** Returns the import, other than `own`, that carries out a dry run. */
  readonly findCarriedOut = this.value<[dryRun: number, own: number], number>(FAMILY_QUERIES.carriedOut);
  readonly #family = this.many<[{ root: number }], FamilyMember>(FAMILY_QUERIES.family);
  readonly #doneLines = this.many<
    [{ id: number; after: number; limit: number }],
    { readonly idx: number; readonly line: number }
  >(FAMILY_QUERIES.doneLines);
  readonly #doneCodes = this.many<
    [{ id: number; after: number; limit: number }],
    { readonly idx: number; readonly line: number }
  >(FAMILY_QUERIES.doneCodes);

  /** Returns the imports of the rows of one sheet that write and were not undone, oldest first. */
  listFamily(root: number): FamilyMember[] {
    return this.#family({ root });
  }

  /** Returns a page of the rows that an import applied or found unchanged, by the line of the sheet. */
  listDoneLines(id: number, after: number, limit: number): readonly { idx: number; line: number }[] {
    return this.#doneLines({ id, after, limit });
  }

  /** Returns the same for bulk changes of products. The code of the product takes the place of the line. */
  listDoneCodes(id: number, after: number, limit: number): readonly { idx: number; line: number }[] {
    return this.#doneCodes({ id, after, limit });
  }
}
