/** Converts import jobs and their results to and from database rows. */
import { withNotRecorded } from '../../validation/not-recorded.ts';
import { type ItemProblem, messageAlone } from '../../errors.ts';
import type { Notice } from '../../validation/decoding.ts';
import { leftOut } from '../../validation/unknown-members.ts';
import type { MemberChange } from '../record.ts';
import type { AppliedPlace, ImportJob, ItemResult, KeptResult } from './model.ts';

export const RESULT_COLUMNS =
  'idx AS "index", seq, codigo, versao, outcome, name, codes, member, line, problems, further, notices, changes';

export interface ResultRow extends Omit<
  ItemResult,
  'errors' | 'file' | 'codigosInterno' | 'problems' | 'notices' | 'changes'
> {
  readonly member: number;
  readonly codes: string | null;
  readonly problems: string | null;
  readonly further: string | null;
  readonly notices: string | null;
  readonly changes: string | null;
}

/** Outcomes that change a record that exists. */
const CHANGING: ReadonlySet<string> = new Set(['newVersion', 'deactivated']);

/**
 * Returns a result with its members in the order that the contract prints. `lacksMembers`: true for an import
 * that an older version began.
 */
export function toResult(row: ResultRow, file: string, lacksMembers: boolean): ItemResult {
  const { index, seq, codigo, versao, outcome, name, line, further } = row;
  const problems = listIn<ItemProblem>(row.problems);
  const changes = listIn<MemberChange>(row.changes);
  const notices = listIn<KeptNotice>(row.notices).map(noticeOf);
  const messages = problems.map(messageAlone);
  const errors = further === null ? messages : [...messages, further];
  const codigosInterno = listIn<string>(row.codes);
  const members = { index, seq, codigo, versao, outcome, errors, name, codigosInterno };
  return {
    ...members,
    file,
    line,
    problems,
    notices,
    changes,
    ...withNotRecorded({
      codigosInterno: lacksMembers && row.codes === null,
      notices: lacksMembers && row.notices === null,
      // Items of a JSON file do not record changes. Their outcome shows that something changed.
      changes: changes.length === 0 && CHANGING.has(outcome),
    }),
  };
}

/**
 * A stored notice. Each item of a file may have the same ones, so a text that the path can produce again is
 * not stored.
 */
type KeptNotice = string | Notice;

const noticeOf = (storedNotice: KeptNotice): Notice =>
  typeof storedNotice === 'string' ? { path: storedNotice, message: leftOut(storedNotice) } : storedNotice;

const keptNotice = (notice: Notice): KeptNotice =>
  notice.message === leftOut(notice.path) ? notice.path : notice;

const listIn = <T>(json: string | null): T[] => (json === null ? [] : (JSON.parse(json) as T[]));

/** Returns the values of a stored result, in the order in which they are written. */
export function resultValues(job: number, member: number, result: KeptResult): readonly unknown[] {
  const { errors, problems, notices } = result;
  return [
    job,
    result.index,
    result.seq,
    result.codigo,
    result.versao,
    result.outcome,
    result.name,
    listText(result.codigosInterno),
    member,
    result.line,
    listText(problems),
    errors[problems.length] ?? null,
    listText(notices.map(keptNotice)),
    listText(result.changes),
    listText(result.appliedChanges),
  ];
}

export type JobRow = Omit<
  ImportJob,
  'simular' | 'changesMany' | 'place' | 'companies' | 'notices' | 'source' | 'proposal'
> &
  AppliedPlace & {
    readonly simular: 0 | 1;
    readonly changesMany: 0 | 1;
    readonly companies: string | null;
    readonly notices: string | null;
    readonly source: number | null;
    readonly proposal: number | null;
    readonly proposedBy: string | null;
  };

export const listText = (list: readonly unknown[] = []): string | null =>
  list.length === 0 ? null : JSON.stringify(list);

export const toJob = ({
  member,
  indexInMember,
  end,
  endLine,
  companies,
  notices,
  source,
  proposal,
  proposedBy,
  ...row
}: JobRow): ImportJob => ({
  ...row,
  source: source ?? undefined,
  proposal: proposal === null || proposedBy === null ? undefined : { id: proposal, by: proposedBy },
  companies: listIn<string>(companies),
  notices: listIn<string>(notices),
  simular: row.simular === 1,
  changesMany: row.changesMany === 1,
  place: { member, indexInMember, end, endLine },
});

export const JOB_COLUMNS = `id, documento, perfil, session_key AS key, tipo, modo, simular, file_name AS fileName, stored_file AS storedFile, sha256,
  proposal, proposed_by AS proposedBy,
  error, total, company, processed, created, new_version AS newVersion, deactivated, unchanged, failed,
  failed_not_kept AS failedNotKept, forgotten, created_at AS createdAt, finished_at AS finishedAt,
  kind, changes_many AS changesMany, source, coalesce(root, id) AS root, companies, notices,
  applied_member AS member, applied_index AS indexInMember, applied_end AS end, applied_line AS endLine`;
