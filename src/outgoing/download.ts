/**
 * Downloads a public file. Follows redirects while nobody can change the file on the way (contract section
 * 19).
 */
import { MINUTE_MS, type RealTime, SECOND_MS } from '../clock.ts';
import { nodeTls } from '../system/builtin.ts';
import { isSafeToAsk } from '../system/loopback.ts';
import { bytesText } from '../validation/text.ts';
import { type Exchanged, exchange, isUntrusted } from './exchange.ts';
import { type ProxyWords, tunnelTo, tunnelTrouble } from './proxy.ts';

/** Contract section 19. */
const REDIRECTS_MAX = 5;
const IDLE_MS = 30 * SECOND_MS;
const TOTAL_MS = 5 * MINUTE_MS;

export interface DownloadParts {
  readonly url: string;
  readonly maxBytes: number;
  /** Authorities in PEM, in addition to the usual roots. */
  readonly ca: readonly string[];
  readonly proxy: ProxyWords;
  readonly realTime: RealTime;
  readonly stopping: AbortSignal;
}

export type Download =
  | { readonly ok: true; readonly file: Uint8Array }
  /** The message is Portuguese. It names no address, because an address may hold a secret. */
  | { readonly ok: false; readonly message: string };

/** Downloads a file. Never rejects. */
export async function download(parts: DownloadParts): Promise<Download> {
  const { realTime } = parts;
  const end = realTime.now() + TOTAL_MS;
  let url = new URL(parts.url);
  for (let redirects = 0; ; redirects += 1) {
    const answer = await fetched(url, parts, end - realTime.now());
    if (typeof answer === 'string') return failed(answer);
    const { status, headers, body } = answer;
    if (status === OK) return { ok: true, file: body };
    if (!REDIRECTS.has(status)) return failed(`a origem respondeu ${status}`);
    const { location } = headers;
    const next =
      location !== undefined && URL.canParse(location, url.href) ? new URL(location, url) : undefined;
    if (next === undefined) return failed(`a origem respondeu ${status} sem dizer para onde`);
    if (!isSafeToAsk(next))
      return failed(
        `a origem redireciona para ${next.protocol.slice(0, -1)}, e o que vem por ele pode ser alterado no caminho; só https é seguido`,
      );
    if (redirects === REDIRECTS_MAX) return failed(`a origem redireciona mais de ${REDIRECTS_MAX} vezes`);
    url = next;
  }
}

const OK = 200;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

const failed = (message: string): Download => ({ ok: false, message });

type Answered = Extract<Exchanged, { kind: 'answered' }>;

/** Returns the answer, or the reason of the failure. */
async function fetched(url: URL, parts: DownloadParts, totalMs: number): Promise<Answered | string> {
  const { ca, maxBytes, realTime, stopping } = parts;
  const way = await wayTo(url, parts);
  if (typeof way === 'string') return way;
  const exchanged = await exchange(
    {
      url,
      method: 'GET',
      tls: { ca: [...nodeTls().rootCertificates, ...ca], ...way },
      // The public service answers 406 to a request that accepts JSON.
      headers: { Accept: 'application/zip, */*', 'Accept-Encoding': 'identity', 'User-Agent': 'catp' },
    },
    { time: realTime, totalMs: Math.max(0, totalMs), idleMs: IDLE_MS, maxBytes, stopping },
  );
  return exchanged.kind === 'answered' ? exchanged : wordsOf(exchanged.code, maxBytes);
}

/** Opens the tunnel to the server when there is a proxy. Returns why it cannot. */
async function wayTo(url: URL, { proxy, realTime, stopping }: DownloadParts): Promise<object | string> {
  const opened = await tunnelTo(url, proxy, { time: realTime, idleMs: IDLE_MS, stopping });
  if (opened === undefined) return {};
  if (opened.ok) return { socket: opened.socket };
  return tunnelTrouble(opened.code, 'HTTPS_PROXY ou atributos.proxy');
}

function wordsOf(code: string, maxBytes: number): string {
  const reasons: Readonly<Record<string, string>> = {
    LATE: 'o arquivo não chegou inteiro em 5 minutos',
    STALLED: 'nada chegou em 30 segundos',
    CUT: 'a resposta foi interrompida antes do fim',
    HUGE: `o arquivo passa de ${bytesText(maxBytes)}`,
  };
  if (reasons[code] !== undefined) return reasons[code];
  if (isUntrusted(code))
    return `o certificado da origem não foi aceito (${code}); se a autoridade é sua, indique-a em atributos.ca`;
  return `a origem não pôde ser alcançada (${code})`;
}
