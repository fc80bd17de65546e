/** How far an attempt got, and how long it took. */
import type { DeliveryAttempt } from '../api/answers.ts';

/** One deadline over all of them (contract section 10). */
export const DEADLINE_MS = 3500;

const LABELS = {
  lookup: 'Nome',
  connection: 'Conexão',
  tls: 'TLS',
  answer: 'Resposta',
  body: 'Corpo',
} as const;

export interface Phase {
  readonly label: string;
  readonly state: 'done' | 'failed' | 'not reached';
}

/** A receiver on one's own machine may be plain HTTP: then there is no TLS. What could not be sent reached none of them. */
export function phasesOf({ outcome, phase }: DeliveryAttempt, endpoint: string): readonly Phase[] {
  const names = Object.keys(LABELS).filter((name) => name !== 'tls' || !/^http:/i.test(endpoint));
  const failedAt = outcome === 'delivered' ? names.length : names.indexOf(phase);
  return names.map((name, at) => ({
    label: LABELS[name as keyof typeof LABELS],
    state: at < failedAt ? 'done' : at === failedAt ? 'failed' : 'not reached',
  }));
}

/** Beyond the deadline nothing is drawn further than this. */
const SCALE_MS = 4000;

/** Shares of the bar, 0..100. */
export const barOf = (ms: number): { readonly width: number; readonly deadline: number } => ({
  width: Math.max(1, Math.min(100, (ms / SCALE_MS) * 100)),
  deadline: (DEADLINE_MS / SCALE_MS) * 100,
});
