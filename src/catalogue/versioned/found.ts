/** How a change finds a record with versions and leaves it, so that it can be taken back (contract section 24, undo). */
import type { Found } from '../../change.ts';
import { versionText } from '../version.ts';
import type { RecordTypes, VersionOf, VersionedKind } from './kind.ts';
import { STILL_DRAFT, situacaoOf } from './model.ts';

export const foundAs = <R extends RecordTypes>(
  kind: VersionedKind<R>,
  before: VersionOf<R> | undefined,
  after: VersionOf<R>,
  isCurrent = true,
): Found => ({
  was: before === undefined ? null : stateOf(kind, before),
  is: stateOf(kind, after),
  ...(before !== undefined && isDraft(before) && { held: kind.contentOf(before) }),
  ...(!isCurrent && { isPast: true }),
});

/** `2.1 ATIVADO`. A version keeps its content for ever; a draft is edited in place, so its content is told apart too. */
export function stateOf<R extends RecordTypes>(kind: VersionedKind<R>, version: VersionOf<R>): string {
  const state = `${versionText(version)} ${situacaoOf(version)}`;
  return isDraft(version) ? `${state} ${hashOf(kind.contentOf(version))}` : state;
}

const isDraft = ({ draftUntil }: { readonly draftUntil: number | null }): boolean =>
  draftUntil === STILL_DRAFT;

const hashOf = (content: unknown): string =>
  new Bun.CryptoHasher('sha256').update(JSON.stringify(content)).digest('base64url');
