/** Opens a tunnel through a proxy: CONNECT, then the TLS of the server inside (RFC 9110, section 9.3.6). */
import type { Duplex } from 'node:stream';
import type { RealTime } from '../clock.ts';
import { nodeHttp } from '../system/builtin.ts';
import { ipaddr } from '../system/ipaddr.ts';

/** Proxy settings from the environment or the configuration. */
export interface ProxyWords {
  /** `http://[user:password@]host[:port]`. Empty: no proxy. */
  readonly proxy: string;
  /**
   * `NO_PROXY`: names, suffixes (`.exemplo.gov.br`), addresses and networks, each with an optional port.
   * `*`: all.
   */
  readonly noProxy: string;
}

export type Tunnel =
  | { readonly ok: true; readonly socket: Duplex }
  /** `code`: from the system, or the answer of the proxy. */
  | { readonly ok: false; readonly code: string };

/**
 * Reads the address of a proxy, which speaks plain HTTP and passes TLS through. `undefined`: it cannot be
 * used.
 */
export function readProxy(text: string): URL | undefined {
  // The scheme is often omitted.
  const url = URL.canParse(text) && text.includes('://') ? new URL(text) : parsed(`http://${text}`);
  const isFit = url?.protocol === 'http:' && url.hostname !== '' && `${url.search}${url.hash}` === '';
  return isFit && url.pathname === '/' && credentialsOf(url) !== undefined ? url : undefined;
}

/** Returns the credentials as they are sent. `undefined`: they cannot be decoded. */
function credentialsOf({ username, password }: URL): string | undefined {
  try {
    return `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  } catch {
    return undefined; // a % that starts no escape
  }
}

const parsed = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

/** Returns true when `NO_PROXY` names the server. */
export function isExempt({ hostname, port, protocol }: URL, noProxy: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const at = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  return noProxy
    .split(/[\s,]+/)
    .filter((word) => word !== '')
    .some((word) => {
      const [name, itsPort] = splitPort(word.toLowerCase());
      return (itsPort === undefined || itsPort === at) && isNamed(host, name);
    });
}

/** Splits `name`, `name:port` or `[address]:port`. An IPv6 address without brackets has no port. */
function splitPort(word: string): readonly [name: string, port: string | undefined] {
  const end = word.indexOf(']');
  if (word.startsWith('[') && end !== -1) return [word.slice(1, end), word.slice(end + 2) || undefined];
  const [name = '', port, ...more] = word.split(':');
  return more.length > 0 ? [word, undefined] : [name, port];
}

function isNamed(host: string, name: string): boolean {
  if (name === '*') return true;
  const { isValid, isValidCIDR, parse, parseCIDR } = ipaddr();
  if (isValid(host)) {
    if (!isValidCIDR(name)) return host === name;
    const [address, network] = [parse(host), parseCIDR(name)];
    return address.kind() === network[0].kind() && address.match(network);
  }
  const end = name.replace(/^\*?\./, '');
  return end !== '' && (host === end || host.endsWith(`.${end}`));
}

interface TunnelPatience {
  readonly time: Pick<RealTime, 'after'>;
  readonly idleMs: number;
  readonly stopping: AbortSignal;
}

/** The code of a proxy whose address cannot be used. */
const UNFIT = 'UNFIT';

/**
 * Opens the tunnel to the server of `url`. `undefined`: none is needed, because there is no proxy, the server
 * is exempt, or its address is local. Never rejects.
 */
export async function tunnelTo(
  url: URL,
  { proxy, noProxy }: ProxyWords,
  patience: TunnelPatience,
): Promise<Tunnel | undefined> {
  if (proxy === '' || url.protocol === 'http:' || isExempt(url, noProxy)) return undefined;
  const address = readProxy(proxy);
  return address === undefined ? { ok: false, code: UNFIT } : tunnel(address, url, patience);
}

/** Returns why a tunnel was not opened. `setting`: the name under which the address of the proxy was given. */
export function tunnelTrouble(code: string, setting: string): string {
  if (code === UNFIT) return `o proxy não é http://servidor:porta; confira ${setting}`;
  if (code === 'STALLED') return 'o proxy não respondeu a tempo';
  return /^\d+$/.test(code)
    ? `o proxy recusou a conexão (${code})`
    : `o proxy não pôde ser alcançado (${code})`;
}

/** Opens a connection through the proxy to the server of `url`. Never rejects. */
function tunnel(proxy: URL, url: URL, { time, idleMs, stopping }: TunnelPatience): Promise<Tunnel> {
  const { promise, resolve } = Promise.withResolvers<Tunnel>();
  const target = `${url.hostname}:${url.port === '' ? '443' : url.port}`;
  const request = nodeHttp().request({
    method: 'CONNECT',
    path: target,
    agent: false,
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port === '' ? '80' : proxy.port,
    headers: { Host: target, ...authorization(proxy) },
  });
  const end = (result: Tunnel): void => {
    timer.cancel();
    stopping.removeEventListener('abort', cut);
    if (!result.ok) request.destroy();
    resolve(result);
  };
  const cut = (): void => end({ ok: false, code: 'CUT' });
  const timer = time.after(idleMs, () => end({ ok: false, code: 'STALLED' }));
  stopping.addEventListener('abort', cut);
  if (stopping.aborted) cut();
  const isOpen = (status: number | undefined): boolean =>
    status !== undefined && status >= 200 && status < 300;
  request.on('connect', ({ statusCode }, socket) => {
    if (isOpen(statusCode)) return end({ ok: true, socket });
    socket.destroy();
    end({ ok: false, code: String(statusCode) });
  });
  request.on('response', ({ statusCode }) => end({ ok: false, code: String(statusCode) }));
  request.on('error', (error: NodeJS.ErrnoException) =>
    end({ ok: false, code: error.code ?? error.message }),
  );
  request.end();
  return promise;
}

function authorization(proxy: URL): Record<string, string> {
  if (proxy.username === '') return {};
  const basic = Buffer.from(credentialsOf(proxy) ?? '').toString('base64');
  return { 'Proxy-Authorization': `Basic ${basic}` };
}
