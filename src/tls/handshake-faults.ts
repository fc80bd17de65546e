/** Logs failed TLS handshakes: one line with address and reason (contract section 2). */
import { MINUTE_MS, type RealTime } from '../clock.ts';
import type { Logger } from '../log/log.ts';
import { oneLine } from '../system/errors.ts';
import { lruCache } from '../system/lru-cache.ts';

/** Limit of lines per minute and address. */
const LINES_MAX = 10;
/**
 * Number of addresses that are kept, the most recent ones, so that a flood of faults cannot fill the memory.
 */
const CACHED_ADDRESSES = 10_000;

/**
 * Error codes of a connection that the client closed. The runtime reports it as reset, even without a byte.
 */
const CLOSED: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

/** Reasons by the words of the error codes of the runtime. */
const REASONS: readonly (readonly [readonly string[], string])[] = [
  [
    ['HTTP_REQUEST', 'HTTPS_PROXY_REQUEST'],
    'veio HTTP sem TLS. O endereço desta porta começa com https://; para HTTP use a outra porta.',
  ],
  [
    ['UNSUPPORTED_PROTOCOL', 'PROTOCOL_VERSION', 'VERSION_TOO_LOW'],
    'o programa não oferece TLS 1.2 nem 1.3. Atualize-o, ou ligue TLS 1.2 nele.',
  ],
  [
    [
      'ALERT_UNKNOWN_CA',
      'ALERT_BAD_CERTIFICATE',
      'ALERT_CERTIFICATE_',
      'ALERT_UNSUPPORTED_CERTIFICATE',
      'ALERT_UNKNOWN_CERTIFICATE',
      // In TLS 1.3 many clients send this alert unencrypted, and the runtime reports only its length.
      'BAD_PACKET_LENGTH',
    ],
    'o programa não confia no certificado deste servidor. Dê ao programa a autoridade que o emitiu, e use um nome que está no certificado.',
  ],
  [
    [
      'NO_SHARED_CIPHER',
      'NO_SHARED_GROUP',
      'WRONG_CURVE',
      'HANDSHAKE_FAILURE',
      'INSUFFICIENT_SECURITY',
      'NO_COMMON_SIGNATURE',
    ],
    'o programa e este servidor não têm uma cifra em comum. Atualize o programa.',
  ],
  [['WRONG_VERSION_NUMBER', 'UNEXPECTED_MESSAGE', 'INVALID_MESSAGE'], 'o que veio não é TLS.'],
];

interface Minute {
  readonly startedAt: number;
  lines: number;
}

export class HandshakeFaults {
  readonly #log: Logger;
  readonly #realTime: Pick<RealTime, 'now'>;
  readonly #minutes = lruCache<string, Minute>(CACHED_ADDRESSES);

  constructor(log: Logger, realTime: Pick<RealTime, 'now'>) {
    this.#log = log;
    this.#realTime = realTime;
  }

  readonly note = (address: string, error: Error): void => {
    const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
    if (CLOSED.has(code) || !this.#hasRoom(address)) return;
    const reason =
      REASONS.find(([words]) => words.some((word) => code.includes(word)))?.[1] ??
      `falhou com ${oneLine(code || error.message)}.`;
    this.#log.warning('A conexão TLS de {address} não se completou: {reason}', { address, reason, code });
  };

  #hasRoom(address: string): boolean {
    const now = this.#realTime.now();
    const last = this.#minutes.get(address);
    const minute =
      last === undefined || now - last.startedAt >= MINUTE_MS ? { startedAt: now, lines: 0 } : last;
    this.#minutes.set(address, minute);
    minute.lines += 1;
    return minute.lines <= LINES_MAX;
  }
}
