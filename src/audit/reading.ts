/** Reads entries of the audit: newest first for a page of the API, oldest first for an export. */
import type { EpochMs } from '../clock.ts';
import type { SubjectKind } from '../change.ts';
import type { Db } from '../db/open.ts';
import { SessionStore } from '../session/store.ts';
import { decode } from './encoding.ts';
import { type StoredPage, iteratePages, newestPages } from './list-query.ts';
import { type AuditFilter, type AuditRead, type AuditEntry, type StoredChange, toListed } from './model.ts';

/** Yields the text of one page of the API. An empty text lets other tasks have their turn. */
export function* auditText(db: Db, { filter, limit, after }: AuditRead): Generator<string> {
  const items: object[] = [];
  const users = new SessionStore(db);
  let next: number | null = null;
  for (const entry of newestFirst(db, filter, after)) {
    if (entry === undefined) yield '';
    else if (items.length < limit) {
      items.push({ ...toListed(entry), actorName: users.findUser(entry.actor)?.nome ?? null });
      next = entry.seq;
    } else return yield JSON.stringify({ items, next });
  }
  yield JSON.stringify({ items, next: null });
}

/** Yields `undefined` to let other tasks have their turn. */
export function* newestFirst(
  db: Db,
  filter: AuditFilter,
  after = Infinity,
): Generator<AuditEntry | undefined> {
  for (const page of newestPages(db, filter, after)) {
    if (page === undefined) yield undefined;
    else
      for (const entry of entriesOf(page).reverse())
        if (entry.seq < after && isWanted(entry, filter)) yield entry;
  }
}

/** Yields all entries since a moment. */
export function* oldestFirst(db: Db, since: EpochMs | undefined): Generator<AuditEntry> {
  for (const page of iteratePages(db, since)) yield* entriesOf(page);
}

const isWanted = (change: StoredChange, filter: AuditFilter): boolean => {
  const { actor, subject, proposal } = change;
  return (
    (filter.actor === undefined || filter.actor === actor) &&
    (filter.proposal === undefined || filter.proposal === proposal?.id) &&
    (filter.subject === undefined || isOf(subject, filter.subject)) &&
    (filter.cpfCnpjRaiz === undefined || isOfCompany(change, filter.cpfCnpjRaiz))
  );
};

/** Kinds whose key begins with the company. Accounts, keys, representations and tables are of no company. */
const RECORD_KINDS: readonly SubjectKind[] = ['produto', 'operador', 'vinculo', 'ato-concessorio', 'atencao'];
/** Kinds that name the company among the members of the change. */
const WORK_KINDS: readonly SubjectKind[] = ['importacao', 'remoto'];

function isOfCompany({ subject, before, after }: StoredChange, cpfCnpjRaiz: string): boolean {
  const names = (members: StoredChange['after']): boolean =>
    typeof members === 'object' && members !== null && members['cpfCnpjRaiz'] === cpfCnpjRaiz;
  return (
    RECORD_KINDS.some((kind) => subject.startsWith(`${kind} ${cpfCnpjRaiz}/`)) ||
    (WORK_KINDS.some((kind) => subject.startsWith(`${kind} `)) && (names(before) || names(after)))
  );
}

/**
 * Returns true for the subject itself and for its parts: the subjects of a kind, of a company, of a product.
 */
const isOf = (subject: string, filter: string): boolean =>
  subject.startsWith(filter) && ['', ' ', '/'].includes(subject.charAt(filter.length));

export function entriesOf([firstSeq, at, entries]: StoredPage): AuditEntry[] {
  return changesIn(entries).map((noted, index) => ({ seq: firstSeq + index, at, ...noted }));
}

/**
 * Entry in place of an unreadable page, so that the other pages are listed. `verifyAudit` reports the change.
 */
const UNREADABLE: StoredChange = {
  actor: '',
  key: null,
  channel: 'system',
  action: 'ILEGIVEL',
  subject: '',
  before: null,
  after: null,
  proposal: null,
};

function changesIn(entries: string): readonly StoredChange[] {
  try {
    return decode(entries);
  } catch {
    return [UNREADABLE];
  }
}
