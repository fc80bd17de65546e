/**
 * A proxy between the two sides: forwards every byte, and records requests, times and answers. It may hold a
 * request until a process was killed.
 */
import { type Server as TcpServer, type Socket, connect, createServer } from 'node:net';

export interface Passage {
  /** Counted from 0. */
  readonly n: number;
  readonly operation: string;
  readonly path: string;
  readonly body: string;
  /** The times of both clocks: the latest time of departure and, while the clocks are moved, the earliest. */
  readonly at: number;
  readonly since: number;
  /** The answer, once it was forwarded completely. */
  answer: string | undefined;
}

/**
 * Moment of a kill. `requested`: before the server receives the request. `answered`: before the client gets the
 * answer.
 */
export type Phase = 'requested' | 'answered';

export interface RecordingProxyParts {
  readonly now: () => { readonly at: number; readonly since: number };
  readonly portThere: () => number | undefined;
  /** May hold a request; `false`: the connection is cut. */
  readonly meet: (passage: Passage, phase: Phase) => Promise<boolean>;
  readonly onRequest: (passage: Passage) => void;
  /** Called before the client has the last byte. */
  readonly onAnswered: (passage: Passage, answer: string) => void;
}

/** Exports are longer, and this drill does not read them. */
const KEPT_CHARACTERS = 64 * 1024;
const HEAD_END = '\r\n\r\n';

export class RecordingProxy {
  readonly passages: Passage[] = [];
  /** Time of the last traffic, by `performance.now()`. */
  movedAt = 0;
  underWay = 0;
  readonly #parts: RecordingProxyParts;
  readonly #sockets = new Set<Socket>();
  #server: TcpServer | undefined;
  #port = 0;

  constructor(parts: RecordingProxyParts) {
    this.#parts = parts;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Listens on the same port each time. */
  async open(): Promise<void> {
    const server = createServer((socket) => this.#pass(socket));
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#port, '127.0.0.1', resolve);
    });
    const address = server.address();
    if (typeof address === 'object' && address !== null) this.#port = address.port;
  }

  /** Stops: cuts all connections, and accepts no new one. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    for (const socket of this.#sockets) socket.destroy();
    if (server !== undefined) await new Promise((resolve) => server.close(resolve));
  }

  #pass(client: Socket): void {
    this.#keep(client);
    let text = '';
    const take = (bytes: Buffer): void => {
      text += bytes.toString('latin1'); // as many bytes as characters
      if (!isWhole(text)) return;
      client.off('data', take);
      void this.#forward(client, text);
    };
    client.on('data', take);
  }

  async #forward(client: Socket, request: string): Promise<void> {
    const { onRequest, meet, portThere, now } = this.#parts;
    const passage = passageOf(request, this.passages.length, now());
    this.passages.push(passage);
    this.underWay += 1;
    client.once('close', () => (this.underWay -= 1));
    this.#moved();
    onRequest(passage);
    const port = (await meet(passage, 'requested')) ? portThere() : undefined;
    if (port === undefined) return void client.destroy();
    const upstream = connect(port, '127.0.0.1');
    this.#keep(upstream);
    client.once('close', () => upstream.destroy());
    upstream.write(Buffer.from(request, 'latin1'));
    let passageMet: Promise<boolean> | undefined;
    let answer = '';
    let passing: Promise<void> = Promise.resolve();
    upstream.on('data', (bytes: Buffer) => {
      this.#moved();
      passageMet ??= meet(passage, 'answered');
      const meeting = passageMet;
      passing = passing.then(async () => {
        if (!(await meeting)) return void client.destroy();
        if (answer.length < KEPT_CHARACTERS) answer += bytes.toString('latin1');
        if (passage.answer === undefined && !client.destroyed && isWhole(answer)) {
          passage.answer = Buffer.from(answer, 'latin1').toString('utf8');
          this.#parts.onAnswered(passage, passage.answer);
        }
        client.write(bytes);
      });
    });
    upstream.once('close', () => {
      void passing.then(() => client.destroySoon());
    });
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined); // `close` follows
    socket.once('close', () => this.#sockets.delete(socket));
  }

  #moved(): void {
    this.movedAt = performance.now();
  }
}

function isWhole(text: string): boolean {
  const end = text.indexOf(HEAD_END);
  if (end === -1) return false;
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end))?.[1] ?? 0);
  return text.length >= end + HEAD_END.length + length;
}

function passageOf(request: string, n: number, now: Pick<Passage, 'at' | 'since'>): Passage {
  const [, method = '', path = ''] = /^(\S+) (\S+)/.exec(request) ?? [];
  const body = Buffer.from(request.slice(request.indexOf(HEAD_END) + HEAD_END.length), 'latin1');
  const operation = operationOf(method, path);
  return { n, operation, path, body: body.toString('utf8'), ...now, answer: undefined };
}

const OPERATIONS: readonly (readonly [pattern: RegExp, operation: string])[] = [
  [/^\S+ \/portal\/api\/autenticar/, 'authenticate'],
  [/^GET .*\/produto\/exportar/, 'exportProducts'],
  [/^GET .*\/operador-estrangeiro\/exportar/, 'exportForeignOperators'],
  [/^GET .*\/fabricante\/exportar/, 'exportLinks'],
  [/^GET .*\/ext\/produto/, 'listProducts'],
  [/^GET .*\/ext\/operador-estrangeiro/, 'listForeignOperators'],
  [/^PUT .*\/produto\/desativar/, 'deactivateProduct'],
  [/^PUT .*\/operador-estrangeiro\/desativar/, 'deactivateForeignOperator'],
  [/^POST .*\/ext\/produto/, 'includeProduct'],
  [/^PUT .*\/ext\/produto/, 'newProductVersion'],
  [/^POST .*\/operador-estrangeiro/, 'includeForeignOperator'],
  [/^PUT .*\/operador-estrangeiro/, 'newForeignOperatorVersion'],
  [/^POST .*\/fabricante/, 'linkManufacturer'],
  [/^PUT .*\/fabricante/, 'unlinkManufacturer'],
];

/** Returns the operation as the hourly limit counts it. */
function operationOf(method: string, path: string): string {
  const request = `${method} ${path}`;
  return OPERATIONS.find(([pattern]) => pattern.test(request))?.[1] ?? request;
}
