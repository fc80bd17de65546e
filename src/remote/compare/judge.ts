/** Determines the state of a local record against its remote record (contract section 18, States). */
import type { RemoteState, SendingRules } from './model.ts';
import type { LocalWithRemote, Scratch } from './scratch-store.ts';
import type { Comparable } from './side.ts';

export interface Verdict {
  readonly state: RemoteState;
  readonly reason: string | null;
}

const verdict = (state: RemoteState, reason: string | null = null): Verdict => ({ state, reason });
const MISSING = 'não consta';

/** Returns the state. `hasCandidates`: remote records may match it. */
export function judge(
  comparable: Comparable,
  record: LocalWithRemote,
  scratch: Scratch,
  rules: SendingRules,
  hasCandidates: () => boolean,
): Verdict {
  if (record.remoteKey === null) {
    if (record.isPaired === 0 && hasCandidates()) return verdict('ambiguo');
    return sendable(comparable, record, scratch, rules, 'soAqui');
  }
  if (record.remoteFingerprint === null)
    return record.situacao === 'DESATIVADO' ? verdict('igual', MISSING) : verdict('desativadoLa', MISSING);
  if (record.fingerprint === record.remoteFingerprint) return verdict('igual');
  if (record.baseLocal === null && record.baseRemote === null) return verdict('mudouNosDois');
  const [changedHere, changedThere] = [
    record.baseLocal !== record.fingerprint,
    record.baseRemote !== record.remoteFingerprint,
  ];
  // The remote may have changed the content that it received: since then, neither side changed.
  if (!changedHere && !changedThere) return verdict('igual');
  if (changedHere && changedThere) return verdict('mudouNosDois');
  if (changedThere) return verdict(record.remoteSituacao === 'DESATIVADO' ? 'desativadoLa' : 'mudouLa');
  if (record.situacao === 'DESATIVADO') return verdict('desativadoAqui');
  return sendable(comparable, record, scratch, rules, 'mudouAqui');
}

function sendable(
  { kind, unsendableReason, conflictReason, allowsIdentical }: Comparable,
  record: LocalWithRemote,
  scratch: Scratch,
  rules: SendingRules,
  state: 'soAqui' | 'mudouAqui',
): Verdict {
  if (record.situacao === 'RASCUNHO') return verdict('naoEnviavel', 'rascunho; ative-o antes');
  if (record.situacao === 'DESATIVADO') return verdict('naoEnviavel', 'desativado antes de ter estado lá');
  const contentReason = unsendableReason(record.text, rules);
  if (contentReason !== undefined) return verdict('naoEnviavel', contentReason);
  const conflict = record.remoteText === null ? undefined : conflictReason?.(record.text, record.remoteText);
  if (conflict !== undefined) return verdict('naoEnviavel', conflict);
  if (allowsIdentical || !rules.refuseIdentical) return verdict(state);
  const remoteTwin = scratch.otherRemoteTwin(kind, record.identity, record.remoteKey);
  if (remoteTwin !== undefined)
    return verdict('naoEnviavel', `idêntico ao ${Number(remoteTwin)} de lá, que está ativo`);
  const localTwin = scratch.firstNewTwin(kind, record.identity);
  return localTwin === undefined
    ? verdict(state)
    : verdict('naoEnviavel', `idêntico ao ${Number(localTwin)} daqui, que também é novo lá`);
}
