/** A server in process that requests client certificates, and clients that present one. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectionOptions, type TLSSocket, connect } from 'node:tls';
import { REAL_TIME, SystemClock } from '../../src/clock.ts';
import { readSettings } from '../../src/settings/config.ts';
import { type Listening, listen } from '../../src/http/server.ts';
import type { Logger } from '../../src/log/log.ts';
import type { SettingName } from '../../src/settings/settings.ts';
import { Credentials } from '../../src/tls/credentials.ts';
import { HandshakeFaults } from '../../src/tls/handshake-faults.ts';
import { type TlsListening, listenTls } from '../../src/tls/listener.ts';
import { Origins } from '../../src/tls/origins.ts';
import { type OpenAppOptions, type TestApp, openApp } from '../support/app.ts';
import { serverCertificate } from '../support/tls.ts';

/** The certificate and key of a client. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface SecuredAnswer {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- each test states what it expects
  readonly json: any;
}

export interface Secured {
  readonly server: TestApp;
  readonly credentials: Credentials;
  readonly listening: TlsListening;
  readonly plain: Listening;
  readonly folder: string;
  /** Log lines about the files of TLS, with their values. */
  readonly logged: readonly string[];
  /** Lines of the terminal of `dev` about failed sign-ins. */
  readonly printed: readonly string[];
  /** Log entries about requests. */
  readonly exchanges: readonly Readonly<Record<string, unknown>>[];
  readonly log: Logger;
  /** Writes a file into the server's folder. Returns its path. */
  write(name: string, content: string | Uint8Array): string;
  /** Signs in over a new connection. */
  signIn(
    certificate?: ClientCertificate,
    headers?: Readonly<Record<string, string>>,
    method?: string,
  ): Promise<SecuredAnswer>;
  close(): Promise<void>;
}

export interface SecuredOptions {
  /** PEM; absent: the server requests no client certificate. */
  readonly authorities?: string;
  /** Files of revocation lists. */
  readonly revoked?: readonly (string | Uint8Array)[];
  readonly settings?: Partial<Record<SettingName, string>>;
  readonly app?: OpenAppOptions;
}

export async function openSecured(options: SecuredOptions = {}): Promise<Secured> {
  const folder = mkdtempSync(join(tmpdir(), 'catp-secured-'));
  const write = (name: string, content: string | Uint8Array): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const pair = await serverCertificate();
  const lists = (options.revoked ?? []).map((list, index) => write(`lcr-${index}`, list));
  const tlsSettings: Partial<Record<SettingName, string>> = {
    'tls.porta': '0',
    'tls.certificado': write('cert.pem', pair.cert),
    'tls.chave': write('key.pem', pair.key),
    'tls.clientes': options.authorities === undefined ? '' : write('clientes.pem', options.authorities),
    'tls.revogados': lists.join(','),
    ...options.settings,
  };
  const settings = readSettings({ environment: {}, commandLine: Object.entries(tlsSettings) });
  const logged: string[] = [];
  const printed: string[] = [];
  const exchanges: Record<string, unknown>[] = [];
  const log = listeningLog((message, values) =>
    logged.push(message.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]))),
  );
  const credentials = await Credentials.open(settings);
  const clock = new SystemClock();
  const origins = new Origins(
    settings,
    () => credentials.trust,
    () => clock.now(),
    (text) => printed.push(text),
  );
  const server = await openApp({
    ...options.app,
    settings: { ...options.app?.settings, ...tlsSettings },
    parts: { origins, log: listeningLog((_, values) => exchanges.push(values)), ...options.app?.parts },
  });
  const address = { host: '127.0.0.1', port: 0, fetch: server.app.fetch };
  const plain = listen(address);
  const listening = await listenTls({
    ...address,
    credentials,
    onHandshakeFailed: new HandshakeFaults(log, REAL_TIME).note,
  });
  return {
    server,
    credentials,
    listening,
    plain,
    folder,
    logged,
    printed,
    exchanges,
    log,
    write,
    signIn: (certificate, headers = { 'role-type': 'IMPEXP' }, method = 'POST') =>
      exchanged(
        { port: listening.port, ca: pair.ca, ...certificate },
        '/portal/api/autenticar',
        headers,
        method,
      ),
    close: async () => {
      credentials.stop();
      await Promise.all([listening.stop(100), plain.stop(100)]);
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Sends one request over a new TLS connection. */
async function exchanged(
  to: ConnectionOptions,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<SecuredAnswer> {
  const socket = connect({ host: '127.0.0.1', ...to });
  const answer = received(socket);
  socket.write(requestText(path, { ...headers, connection: 'close' }, method));
  return answerOf(await answer);
}

export const requestText = (
  path: string,
  headers: Readonly<Record<string, string>>,
  method = 'GET',
): string =>
  `${method} ${path} HTTP/1.1\r\nHost: catp.test\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}${method === 'POST' ? 'Content-Length: 0\r\n' : ''}\r\n`;

function received(socket: TLSSocket): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    socket.on('data', (part: Buffer) => parts.push(part));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(parts).toString('utf8')));
  });
}

export function answerOf(text: string): SecuredAnswer {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = new Headers(lines.map((line) => line.split(': ') as [string, string]));
  return {
    status: Number(first.split(' ')[1]),
    headers,
    get json() {
      return JSON.parse(body) as unknown;
    },
  };
}

/** Has only those methods of a logger that the parts call. */
function listeningLog(take: (message: string, values: Record<string, unknown>) => unknown): Logger {
  const record = (message: string, values: Record<string, unknown> = {}): void => void take(message, values);
  return {
    debug: record,
    info: record,
    warning: record,
    error: record,
    isEnabledFor: () => true,
  } as unknown as Logger;
}
