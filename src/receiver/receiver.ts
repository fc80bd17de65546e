import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
} from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server as TcpServer,
  type Socket,
} from 'node:net';
import {
  createSecureContext,
  createServer as createTlsServer,
  type SecureVersion,
  type Server as TlsServer,
} from 'node:tls';
import { isSameSecret } from '../system/same-secret.ts';
import { type Clock, DAY_MS, type EpochMs, SystemClock } from '../clock.ts';
import { type Authority, createAuthority, type KeyPair, serverPeriod } from '../authority/authority.ts';
import type { CertificateKind } from './certificate-kind.ts';
import type { Forward, Forwarded } from './forward.ts';
import { type Answer, Script } from './script.ts';

export type SecretVerdict = 'matches' | 'differs' | 'absent' | 'unchecked';

export interface Received {
  /** The number in order of arrival, from 1. */
  readonly number: number;
  /** The same for all requests of one connection. */
  readonly connection: number;
  readonly at: EpochMs;
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly secret: SecretVerdict;
  /** `undefined` when another handler answers. */
  readonly answer: Answer | undefined;
  /** Resolves when the connection of the request is closed. */
  readonly closed: Promise<void>;
}

export interface ReceiverOptions {
  readonly authority: Authority;
  readonly script?: readonly Answer[];
  readonly certificate?: CertificateKind;
  /** The expected value of the header `secret`. */
  readonly secret?: string;
  /** The number of requests to keep, the most recent ones. The default is 100 (contract section 16). */
  readonly kept?: number;
  /** Called with the path of a request whose body is above `BODY_MAX_BYTES`. */
  readonly onTooLarge?: (path: string) => void;
  readonly onReceived?: (received: Received) => void;
  /** Forwards each request to a handler, whose answer replaces the script. */
  readonly forward?: Forward;
  readonly onForwarded?: (received: Received, forwarded: Forwarded) => void;
  readonly port?: number;
  /** An additional port without TLS. */
  readonly httpPort?: number;
  readonly host?: string;
  readonly minVersion?: SecureVersion;
  readonly maxVersion?: SecureVersion;
  readonly clock?: Clock;
}

const LOCAL_NAMES = ['localhost', '127.0.0.1', '::1'];
const WRONG_NAMES = ['outro.invalid'];
const OK: Answer = { kind: 'status', status: 200 };
/** Slow enough to notice, and shorter than any idle timeout. */
const DRIP_EVERY_MS = 50;
const CUT_BODY_BYTES = 1000;
const BAD_GATEWAY = 502;
const TOO_LARGE = 413;
/** The maximum of a body. A notification has some KB (contract section 16). */
export const BODY_MAX_BYTES = 2 ** 20;
const KEPT = 100;
/** The time that a sender of a refused body has to read the answer before the connection is cut. */
const REFUSED_FOR_MS = 1000;

/**
 * A TLS endpoint that keeps requests. It answers from a script, or with the answer of the handler it forwards
 * to.
 */
export class Receiver implements AsyncDisposable {
  readonly ca: string;
  /** The most recent requests. */
  readonly requests: Received[] = [];
  #count = 0;
  readonly #tls: TlsServer;
  readonly #plain: TcpServer | undefined;
  /**
   * Never listens. Under Bun only a TLS server selects the certificate by name, so it passes its sockets to
   * this one.
   */
  readonly #http: HttpServer;
  readonly #script: Script;
  readonly #options: ReceiverOptions;
  readonly #clock: Clock;
  readonly #sockets = new Map<Socket, { readonly number: number; readonly closed: Promise<void> }>();
  readonly #waiting: ((received: Received) => void)[] = [];
  #taken = 0;
  #connections = 0;

  constructor(tls: TlsServer, plain: TcpServer | undefined, options: ReceiverOptions) {
    this.ca = options.authority.pem;
    this.#options = options;
    this.#clock = options.clock ?? new SystemClock();
    this.#script = new Script(options.script ?? [OK]);
    this.#tls = tls;
    this.#plain = plain;
    this.#http = createHttpServer((request, response) => void this.#receive(request, response));
    tls.on('secureConnection', (socket) => this.#welcome(socket));
    plain?.on('connection', (socket) => this.#welcome(socket));
  }

  get port(): number {
    return (this.#tls.address() as AddressInfo).port;
  }

  /** The port without TLS. `undefined` when there is none. */
  get httpPort(): number | undefined {
    return (this.#plain?.address() as AddressInfo | undefined)?.port;
  }

  /** The number of connections so far. */
  get connections(): number {
    return this.#connections;
  }

  /** Returns the first kept request that no earlier call returned. Waits for it if necessary. */
  next(): Promise<Received> {
    const forgotten = this.#count - this.requests.length;
    const number = Math.max(this.#taken, forgotten);
    this.#taken = number + 1;
    const received = this.requests[number - forgotten];
    if (received !== undefined) return Promise.resolve(received);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Closes the idle connections, as a server does when the keep-alive time ends. */
  closeIdleConnections(): void {
    this.#http.closeIdleConnections();
  }

  async close(): Promise<void> {
    const servers = this.#plain === undefined ? [this.#tls] : [this.#tls, this.#plain];
    const closed = servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())));
    for (const socket of this.#sockets.keys()) socket.destroy();
    await Promise.all(closed);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #welcome(socket: Socket): void {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    this.#sockets.set(socket, { number: ++this.#connections, closed });
    socket.on('error', () => undefined); // 'close' follows
    socket.on('close', () => {
      this.#sockets.delete(socket);
      resolve();
    });
    this.#http.emit('connection', socket);
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { number: connection = 0, closed = Promise.resolve() } = this.#sockets.get(request.socket) ?? {};
    const at = this.#clock.now();
    const body = await readBody(request);
    if (body === 'gone') return; // the sender closed the connection before the end of the body
    if (body === 'too large') {
      this.#options.onTooLarge?.(request.url ?? '');
      return refuseTooLarge(request, response);
    }
    const received: Received = {
      number: ++this.#count,
      connection,
      at,
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: body.toString('utf8'),
      secret: judgeSecret(request.headers['secret'], this.#options.secret),
      answer: this.#options.forward === undefined ? this.#script.next() : undefined,
      closed,
    };
    this.requests.push(received);
    if (this.requests.length > (this.#options.kept ?? KEPT)) this.requests.shift();
    this.#options.onReceived?.(received);
    this.#waiting.shift()?.(received);
    if (received.answer === undefined) await this.#forward(received, response);
    else play(received.answer, response);
  }

  async #forward(received: Received, response: ServerResponse): Promise<void> {
    const forwarded = await this.#options.forward?.(received);
    if (forwarded === undefined) return;
    this.#options.onForwarded?.(received, forwarded);
    if (forwarded.kind === 'unanswered') {
      response.writeHead(BAD_GATEWAY).end();
      return;
    }
    const { status, type, body } = forwarded;
    response.writeHead(status, type === undefined ? {} : { 'content-type': type }).end(body);
  }
}

/** Starts a receiver on `port` (default: any free one) of `host` (default: 127.0.0.1). */
export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  const issue = await issuer(options);
  const fallback = await issue(LOCAL_NAMES);
  const server = createTlsServer({
    ...fallback,
    ...versionsOf(options),
    // Any host name that `entrega.mapa` maps to this receiver gets a valid certificate.
    SNICallback: (name, done) => {
      issue([name]).then(
        (pair) => done(null, createSecureContext({ ...pair, ...versionsOf(options) })),
        (error: Error) => done(error),
      );
    },
  });
  const plain = options.httpPort === undefined ? undefined : createTcpServer();
  const receiver = new Receiver(server, plain, options);
  const host = options.host ?? '127.0.0.1';
  await listening(server, options.port ?? 0, host);
  if (plain !== undefined)
    await listening(plain, options.httpPort ?? 0, host).catch((error: unknown) => {
      server.close();
      throw error;
    });
  return receiver;
}

const listening = (server: TcpServer, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });

type Issue = (names: readonly string[]) => Promise<KeyPair>;

/** Issues the certificates of kind `options.certificate`, once per set of names. */
async function issuer({
  authority,
  certificate = 'good',
  clock = new SystemClock(),
}: ReceiverOptions): Promise<Issue> {
  const now = clock.now();
  const signer = certificate === 'unknown-ca' ? await createAuthority(now) : authority;
  const period = certificate === 'expired' ? { from: now - 2 * DAY_MS, to: now - DAY_MS } : serverPeriod(now);
  const issued = new Map<string, Promise<KeyPair>>();
  return (names) => {
    const key = names.join();
    const pair = issued.get(key) ?? signer.issue(certificate === 'wrong-name' ? WRONG_NAMES : names, period);
    issued.set(key, pair);
    return pair;
  };
}

const versionsOf = ({ minVersion, maxVersion }: ReceiverOptions) => ({
  ...(minVersion === undefined ? {} : { minVersion }),
  ...(maxVersion === undefined ? {} : { maxVersion }),
});

function readBody(request: IncomingMessage): Promise<Buffer | 'gone' | 'too large'> {
  const { promise, resolve } = Promise.withResolvers<Buffer | 'gone' | 'too large'>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= BODY_MAX_BYTES) chunks.push(chunk);
    else resolve('too large');
  });
  request.on('end', () => resolve(Buffer.concat(chunks)));
  request.on('error', () => resolve('gone'));
  request.on('close', () => resolve('gone'));
  return promise;
}

function refuseTooLarge({ socket }: IncomingMessage, response: ServerResponse): void {
  response.writeHead(TOO_LARGE, { connection: 'close' }).end();
  const cut = setTimeout(() => socket.destroy(), REFUSED_FOR_MS);
  socket.once('close', () => clearTimeout(cut));
}

function judgeSecret(sent: string | string[] | undefined, expected: string | undefined): SecretVerdict {
  if (expected === undefined) return 'unchecked';
  if (typeof sent !== 'string') return 'absent';
  return isSameSecret(sent, expected) ? 'matches' : 'differs';
}

function play(answer: Answer, response: ServerResponse): void {
  switch (answer.kind) {
    case 'status':
      setTimeout(() => answerWith(answer, response), answer.delayMs ?? 0);
      return;
    case 'hang':
      return;
    case 'reset':
      response.socket?.destroy();
      return;
    case 'drip':
      return drip(response);
    case 'cut':
      response.writeHead(200, { 'content-length': CUT_BODY_BYTES });
      response.write(Buffer.alloc(CUT_BODY_BYTES / 2, '.'), () => response.socket?.destroy());
  }
}

function answerWith(answer: Extract<Answer, { kind: 'status' }>, response: ServerResponse): void {
  const { status, bodyBytes = 0 } = answer;
  const isRedirect = status >= 300 && status < 400;
  response.writeHead(status, isRedirect ? { location: '/redirecionado' } : {});
  response.end(Buffer.alloc(bodyBytes, '.'));
}

function drip(response: ServerResponse): void {
  response.writeHead(200);
  const dripping = setInterval(() => response.write('.'), DRIP_EVERY_MS);
  response.once('close', () => clearInterval(dripping));
}
