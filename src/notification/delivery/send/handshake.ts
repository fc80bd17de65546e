import { type Dial, connect } from './connection.ts';
import type { Deadline } from './deadline.ts';
import type { Exchange } from './exchange.ts';
import type { Phase } from './outcome.ts';

/** The status of a success: no request was sent, so no response came. */
const NO_CONTENT = 204;

/** Connects as a delivery would, checks the certificate, and disconnects. Never rejects. */
export async function handshake(
  dial: Dial,
  deadline: Pick<Deadline, 'hasEnded' | 'setCurrentStep'>,
  onPhase: (phase: Phase) => void,
): Promise<Exchange> {
  const connection = await connect(dial, deadline, onPhase);
  if ('kind' in connection) return connection;
  connection.destroy();
  return { kind: 'answered', status: NO_CONTENT };
}
