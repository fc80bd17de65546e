/** A server whose people sign in by a provider, and the steps of a browser. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LogRecord } from '@logtape/logtape';
import type { RealTime } from '../../src/clock.ts';
import { silentLog, startLog } from '../../src/log/log.ts';
import type { SettingName } from '../../src/settings/settings.ts';
import { type Reply, type TestApp, openApp } from './app.ts';
import { HostileProvider, type ProviderOptions } from './hostile-provider.ts';

export const HOME = 'http://catalogo.exemplo:8080';
const START = '/entrar/oidc';
const RETURN = '/entrar/oidc/retorno';
const TRADE = '/appliance/api/session/oidc';

export interface ProviderApp extends AsyncDisposable {
  readonly app: TestApp;
  readonly provider: HostileProvider;
  /** Lines of the log about sign-ins. */
  readonly lines: readonly Record<string, unknown>[];
  /** Begins a sign-in. Returns the address at the provider and the cookie that the browser keeps. */
  begin(): Promise<{ readonly address: string; readonly cookie: string }>;
  back(query: URLSearchParams | string, cookie?: string): Promise<Reply>;
  /** Signs in at the provider and follows its redirect back. */
  signIn(): Promise<{ readonly reply: Reply; readonly cookie: string }>;
  trade(code: string, cookie: string): Promise<Reply>;
}

export interface ProviderAppOptions {
  readonly settings?: Partial<Record<SettingName, string>>;
  readonly realTime?: RealTime;
  readonly provider?: ProviderOptions;
}

export async function openProviderApp(options: ProviderAppOptions = {}): Promise<ProviderApp> {
  const provider = new HostileProvider(options.provider);
  const folder = mkdtempSync(join(tmpdir(), 'catp-oidc-'));
  const secret = join(folder, 'segredo');
  writeFileSync(secret, `${HostileProvider.client.secret}\n`);
  const lines: Record<string, unknown>[] = [];
  const log = startLog('info', ({ properties }: LogRecord) => {
    if (properties['way'] === 'oidc') lines.push(properties);
  });
  const app = await openApp({
    settings: {
      'oidc.emissor': provider.issuer,
      'oidc.clienteId': HostileProvider.client.id,
      'oidc.segredo': options.provider?.isPublicClient === true ? '' : secret,
      'servidor.endereco': HOME,
      ...options.settings,
    },
    parts: { log, ...(options.realTime && { realTime: options.realTime }) },
  });
  const begin: ProviderApp['begin'] = async () => {
    const reply = await app.anybody.call('GET', START);
    if (reply.status !== 302) throw new Error(`not begun: ${reply.status} ${reply.text}`);
    const address = reply.headers.get('location') ?? '';
    return { address, cookie: cookieOf(reply) };
  };
  const back: ProviderApp['back'] = (query, cookie) =>
    app.anybody.call(
      'GET',
      `${RETURN}?${query.toString()}`,
      undefined,
      cookie === undefined ? {} : { cookie },
    );
  return {
    app,
    provider,
    lines,
    begin,
    back,
    signIn: async () => {
      const { address, cookie } = await begin();
      return { reply: await back(provider.authorize(address), cookie), cookie };
    },
    trade: (code, cookie) => app.anybody.call('POST', TRADE, { code }, { cookie, 'x-sessao': 'pagina' }),
    [Symbol.asyncDispose]: async () => {
      await app.close();
      await provider[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
      startLog('error', () => silentLog());
    },
  };
}

/** Returns the cookie of an answer as a browser sends it. */
export const cookieOf = ({ headers }: Reply): string =>
  (headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';

/** Returns the code in the address of the sign-in page. */
export function codeOf({ status, headers, text }: Reply): string {
  const [, code] = /^\/entrar#codigo=([\w-]+)$/.exec(headers.get('location') ?? '') ?? [];
  if (status !== 302 || code === undefined) throw new Error(`no code: ${status} ${text}`);
  return code;
}
