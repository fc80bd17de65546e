/** Response form of the standing of a product at a remote. */
import { momentText } from '../../validation/calendar.ts';
import { codeOfKey } from '../shown.ts';
import type { RecordAtRemote } from './model.ts';
import type { Standing } from './standing.ts';

export const standingOf = ({ remoteKey: there, remoteVersao, state, since }: Standing) => ({
  remoteCodigo: there === null ? null : codeOfKey('produto', there),
  remoteVersao,
  state,
  since: momentText(since),
});

export const rowOf = (remote: string, standing: Standing): RecordAtRemote => {
  const { reason, comparison, run } = standing;
  return { remote, ...standingOf(standing), reason, comparison, run };
};
