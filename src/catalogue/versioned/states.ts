/**
 * Describes the states of a record with versions before and after a change, so that the change can be undone
 * (contract section 24, undo).
 */
import type { StatesOfChange } from '../../change.ts';
import { versionText } from '../version.ts';
import type { RecordTypes, VersionOf, VersionedKind } from './kind.ts';
import { STILL_DRAFT, situacaoOf } from './model.ts';

export const statesOfChange = <R extends RecordTypes>(
  kind: VersionedKind<R>,
  before: VersionOf<R> | undefined,
  after: VersionOf<R>,
  isCurrent = true,
): StatesOfChange => ({
  was: before === undefined ? null : stateOf(kind, before),
  is: stateOf(kind, after),
  ...(before !== undefined && isDraft(before) && { held: kind.contentOf(before) }),
  ...(!isCurrent && { isPast: true }),
});

/**
 * Returns a state such as `2.1 ATIVADO`. A version never changes its content; a draft is edited in place, so
 * its state includes the content.
 */
export function stateOf<R extends RecordTypes>(kind: VersionedKind<R>, version: VersionOf<R>): string {
  const state = `${versionText(version)} ${situacaoOf(version)}`;
  return isDraft(version) ? `${state} ${hashOf(kind.contentOf(version))}` : state;
}

const isDraft = ({ draftUntil }: { readonly draftUntil: number | null }): boolean =>
  draftUntil === STILL_DRAFT;

const hashOf = (content: unknown): string =>
  new Bun.CryptoHasher('sha256').update(JSON.stringify(content)).digest('base64url');
