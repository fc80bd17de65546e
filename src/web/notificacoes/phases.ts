/** Computes the phases of an attempt and their durations. */
import type { DeliveryAttempt } from '../api/answers.ts';

/** One deadline for all phases together (contract section 10). */
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

/**
 * Returns the phases. A receiver on the local machine may use plain HTTP, without TLS. An attempt that could
 * not be sent has no phase.
 */
export function phasesOf({ outcome, phase }: DeliveryAttempt, endpoint: string): readonly Phase[] {
  const names = Object.keys(LABELS).filter((name) => name !== 'tls' || !/^http:/i.test(endpoint));
  const failedAt = outcome === 'delivered' ? names.length : names.indexOf(phase);
  return names.map((name, index) => ({
    label: LABELS[name as keyof typeof LABELS],
    state: index < failedAt ? 'done' : index === failedAt ? 'failed' : 'not reached',
  }));
}

/** Maximum of the scale. Longer attempts are drawn up to this value. */
const SCALE_MS = 4000;

/** Shares of the bar, 0..100. */
export const barOf = (ms: number): { readonly width: number; readonly deadline: number } => ({
  width: Math.max(1, Math.min(100, (ms / SCALE_MS) * 100)),
  deadline: (DEADLINE_MS / SCALE_MS) * 100,
});
