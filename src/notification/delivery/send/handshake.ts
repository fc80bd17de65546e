import { nodeTls } from '../../../system/builtin.ts';
import type { checkServerIdentity as checkIdentity } from 'node:tls';
import type { ConnectionOptions } from './connections.ts';
import type { Deadline } from './deadline.ts';
import type { Exchange } from './exchange.ts';
import type { Phase } from './outcome.ts';

/** Nothing was asked, so nothing was answered: what a success is told as. */
const NO_CONTENT = 204;

/** Connects as a delivery would, up to the certificate, and hangs up. Never rejects. */
export function handshake(
  options: ConnectionOptions,
  deadline: Pick<Deadline, 'setUnderWay'>,
  onPhase: (phase: Phase) => void,
): Promise<Exchange> {
  const { promise, resolve } = Promise.withResolvers<Exchange>();
  const { host, port, servername, secureContext, checkServerIdentity } = options;
  let phase: Phase = 'connection';
  const enter = (next: Phase): void => onPhase((phase = next));
  enter('connection');
  const dialled = { host: host ?? '', port: Number(port), servername: servername ?? '', secureContext };
  const socket = nodeTls().connect({
    ...dialled,
    rejectUnauthorized: true,
    ...(checkServerIdentity && { checkServerIdentity: checkServerIdentity as typeof checkIdentity }),
  });
  const fail = (error?: NodeJS.ErrnoException): void =>
    resolve({ kind: 'broken', phase, code: error?.code ?? 'ECONNRESET' });
  socket.once('connect', () => enter('tls'));
  socket.once('secureConnect', () => {
    resolve({ kind: 'answered', status: NO_CONTENT });
    socket.destroy();
  });
  socket.once('error', fail);
  socket.once('close', () => fail());
  deadline.setUnderWay(() => void socket.destroy());
  return promise;
}
