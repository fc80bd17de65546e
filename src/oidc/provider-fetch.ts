/**
 * Sends the library's requests to the provider: over TLS or to the loopback, without redirects, with limits of
 * time and size (contract section 27).
 */
import type { CustomFetch } from 'openid-client';
import type { EpochMs, RealTime } from '../clock.ts';
import { MAX_BYTES, exchange, isUntrusted } from '../outgoing/exchange.ts';
import { type ProxyWords, tunnelTo, tunnelTrouble } from '../outgoing/proxy.ts';
import { nodeTls } from '../system/builtin.ts';
import { isSafeToAsk } from '../system/loopback.ts';
import { bytesText } from '../validation/text.ts';
import { ProviderRefusal } from './refusal.ts';

export interface FetchParts {
  readonly ca: readonly string[];
  readonly proxy: ProxyWords;
  readonly realTime: RealTime;
  /** The moment of `realTime` at which the step must end. */
  readonly end: number;
  /** Aborts when nobody waits for the answer. */
  readonly gone: AbortSignal;
  /** Receives the date of each answer. */
  readonly onDate: (date: EpochMs) => void;
}

/** Limit of each answer in bytes: far more than a discovery document or a set of keys has. */
const ANSWER_MAX_BYTES = MAX_BYTES.answer;

/** Headers of an answer that the library reads. */
const READ_HEADERS = ['content-type', 'www-authenticate'] as const;

/** Returns a fetch that throws `ProviderRefusal`. */
export const providerFetch =
  ({ ca, proxy, realTime, end, gone, onDate }: FetchParts): CustomFetch =>
  async (address, { method, headers, body }) => {
    const url = new URL(address);
    const place = `${url.origin}${url.pathname}`;
    const refusal = (reason: string): ProviderRefusal =>
      new ProviderRefusal('providerAway', `${place}: ${reason}`);
    if (!isSafeToAsk(url)) throw refusal('o endereço não é https; http só em loopback');
    const tunnel = await tunnelTo(url, proxy, {
      time: realTime,
      idleMs: Math.max(0, end - realTime.now()),
      stopping: gone,
    });
    if (tunnel?.ok === false) throw refusal(tunnelTrouble(tunnel.code, 'HTTPS_PROXY'));
    const answer = await exchange(
      {
        url,
        method,
        headers: { ...headers, 'accept-encoding': 'identity', 'user-agent': 'catp' },
        ...(body != null && { body: String(body as URLSearchParams) }),
        tls: {
          ca: [...nodeTls().rootCertificates, ...ca],
          ...(tunnel?.ok === true && { socket: tunnel.socket }),
        },
      },
      {
        time: realTime,
        totalMs: Math.max(0, end - realTime.now()),
        maxBytes: ANSWER_MAX_BYTES,
        stopping: gone,
      },
    );
    if (answer.kind === 'broken') throw refusal(wordsOf(answer.code));
    const { status } = answer;
    const date = Date.parse(answer.headers.date ?? '');
    if (!Number.isNaN(date)) onDate(date);
    if (status >= 300 && status < 400)
      throw refusal(`respondeu ${status}, um redirecionamento, que não é seguido`);
    if (status < 200 || status > 599) throw refusal(`respondeu ${status}`);
    const answerHeaders = new Headers();
    for (const name of READ_HEADERS) {
      const value = answer.headers[name];
      if (value !== undefined) answerHeaders.set(name, value);
    }
    return new Response(EMPTY_STATUSES.has(status) ? null : new Uint8Array(answer.body), {
      status,
      headers: answerHeaders,
    });
  };

/** A response with one of these cannot have a body. */
const EMPTY_STATUSES: ReadonlySet<number> = new Set([204, 205]);

function wordsOf(code: string): string {
  const reasons: Readonly<Record<string, string>> = {
    LATE: 'não respondeu em 10 segundos',
    CUT: 'a resposta foi interrompida antes do fim',
    HUGE: `a resposta passa de ${bytesText(ANSWER_MAX_BYTES)}`,
  };
  if (reasons[code] !== undefined) return reasons[code];
  if (isUntrusted(code))
    return `o certificado não foi aceito (${code}); se a autoridade é sua, indique-a em oidc.ca`;
  return `não pôde ser alcançado (${code})`;
}
