/** How far an attempt got, as far as the API tells it. */
import type { DeliveryAttempt } from '../api/answers.ts';

/** One deadline over all of them (contract section 10). */
export const DEADLINE_MS = 3500;

const PHASES = ['name', 'connection', 'tls', 'answer', 'body'] as const;
export type PhaseName = (typeof PHASES)[number];

export interface Phase {
  readonly name: PhaseName;
  readonly label: string;
  readonly state: 'done' | 'failed' | 'not reached';
}

const LABELS: Readonly<Record<PhaseName, string>> = {
  name: 'Nome',
  connection: 'Conexão',
  tls: 'TLS',
  answer: 'Resposta',
  body: 'Corpo',
};

/** Where a time-out struck, by the words of its description. */
const TIMEOUTS: readonly (readonly [said: string, phase: PhaseName])[] = [
  ['na consulta do nome', 'name'],
  ['na conexão', 'connection'],
  ['na negociação TLS', 'tls'],
  ['na espera da resposta', 'answer'],
  ['na leitura do corpo', 'body'],
];

/** A connection that was never made; another one broke while the answer was awaited. */
const NEVER_CONNECTED = /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT/;

/** `undefined`: none failed. `null`: nothing was begun. */
function failedPhase({ outcome, description }: DeliveryAttempt): PhaseName | undefined | null {
  switch (outcome) {
    case 'delivered':
      return undefined;
    case 'request':
      return null;
    case 'name':
      return 'name';
    case 'forbidden-address':
      return 'connection';
    case 'connection':
      return NEVER_CONNECTED.test(description) ? 'connection' : 'answer';
    case 'tls':
    case 'certificate':
      return 'tls';
    case 'timeout':
      return TIMEOUTS.find(([said]) => description.includes(said))?.[1] ?? 'answer';
    case 'answer':
      return description.includes('HPE_') ? 'answer' : 'body';
    default: // an answer came, and it is no success
      return 'answer';
  }
}

/** A receiver on one's own machine may be plain HTTP: then there is no TLS. */
export function phasesOf(attempt: DeliveryAttempt, endpoint: string): readonly Phase[] {
  const names = PHASES.filter((name) => name !== 'tls' || !/^http:/i.test(endpoint));
  const failed = failedPhase(attempt);
  const failedAt = failed === undefined ? names.length : failed === null ? -1 : names.indexOf(failed);
  return names.map((name, at) => ({
    name,
    label: LABELS[name],
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
