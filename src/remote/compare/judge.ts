/** Determines the state of a local record against its remote record (contract section 18, States). */
import type { RemoteState, SendingRules } from './model.ts';
import type { Facing, Scratch } from './scratch-store.ts';
import type { Comparable } from './side.ts';

export interface Verdict {
  readonly state: RemoteState;
  readonly reason: string | null;
}

const is = (state: RemoteState, reason: string | null = null): Verdict => ({ state, reason });
const MISSING = 'não consta';

/** Returns the state. `hasCandidates`: remote records may match it. */
export function judge(
  comparable: Comparable,
  one: Facing,
  scratch: Scratch,
  rules: SendingRules,
  hasCandidates: () => boolean,
): Verdict {
  if (one.there === null) {
    if (one.isPaired === 0 && hasCandidates()) return is('ambiguo');
    return sendable(comparable, one, scratch, rules, 'soAqui');
  }
  if (one.thereWhole === null)
    return one.situacao === 'DESATIVADO' ? is('igual', MISSING) : is('desativadoLa', MISSING);
  if (one.whole === one.thereWhole) return is('igual');
  if (one.baseHere === null && one.baseThere === null) return is('mudouNosDois');
  const [changedHere, changedThere] = [one.baseHere !== one.whole, one.baseThere !== one.thereWhole];
  // A change that the remote made to the sent content does not count as a change.
  if (!changedHere && !changedThere) return is('igual');
  if (changedHere && changedThere) return is('mudouNosDois');
  if (changedThere) return is(one.thereSituacao === 'DESATIVADO' ? 'desativadoLa' : 'mudouLa');
  if (one.situacao === 'DESATIVADO') return is('desativadoAqui');
  return sendable(comparable, one, scratch, rules, 'mudouAqui');
}

function sendable(
  { kind, lack, clash, mayRepeat }: Comparable,
  one: Facing,
  scratch: Scratch,
  rules: SendingRules,
  state: 'soAqui' | 'mudouAqui',
): Verdict {
  if (one.situacao === 'RASCUNHO') return is('naoEnviavel', 'rascunho; ative-o antes');
  if (one.situacao === 'DESATIVADO') return is('naoEnviavel', 'desativado antes de ter estado lá');
  const lacking = lack(one.text, rules);
  if (lacking !== undefined) return is('naoEnviavel', lacking);
  const clashing = one.thereText === null ? undefined : clash?.(one.text, one.thereText);
  if (clashing !== undefined) return is('naoEnviavel', clashing);
  if (mayRepeat || !rules.refuseIdentical) return is(state);
  const remoteTwin = scratch.otherRemoteTwin(kind, one.identity, one.there);
  if (remoteTwin !== undefined)
    return is('naoEnviavel', `idêntico ao ${Number(remoteTwin)} de lá, que está ativo`);
  const localTwin = scratch.firstNewTwin(kind, one.identity);
  return localTwin === undefined
    ? is(state)
    : is('naoEnviavel', `idêntico ao ${Number(localTwin)} daqui, que também é novo lá`);
}
