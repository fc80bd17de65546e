/** The two instances: started, killed, restarted in the same folder, and called by a signed-in user. */
import { join } from 'node:path';
import { type Answer, type Client, signIn } from '../client.ts';
import { type Server, startServer } from '../server.ts';

export const COMPANY = '12345678';

/** Comes before the rules: a request with this header meets no fault, and no rule counts it. */
const SPARED = { 'x-simular-falha': 'delay=0' };

export interface SideParts {
  readonly folder: string;
  readonly name: string;
  readonly executable: string | undefined;
  readonly flags: readonly string[];
}

export class Side {
  readonly #parts: SideParts;
  readonly #clients = new Map<string, Client>();
  #server: Server | undefined;
  url = '';

  constructor(parts: SideParts) {
    this.#parts = parts;
  }

  /** `undefined` when it does not run; otherwise the same each time. */
  get port(): number | undefined {
    return this.#server === undefined ? undefined : Number(new URL(this.url).port);
  }

  async start(now: number): Promise<void> {
    const { folder, name, executable, flags } = this.#parts;
    const clock = ['--clock', new Date(now).toISOString()];
    const again = this.url === '' ? [] : ['--port', new URL(this.url).port];
    const server = startServer({
      executable,
      data: join(folder, name),
      flags: [...flags, ...clock, ...again, '--set', 'log.nivel=error'],
    });
    this.url = await server.ready;
    this.#server = server;
  }

  async kill9(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    await server?.kill9();
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
    this.#server = undefined;
  }

  /** Calls as a signed-in user; signs in again after the session has ended. Throws when no answer arrives. */
  async call(who: string, method: string, path: string, body?: object): Promise<Answer> {
    const client = this.#clients.get(who);
    const answer = await (client ?? (await this.#signIn(who))).call(method, path, body);
    const again = answer?.status === 401 ? await (await this.#signIn(who)).call(method, path, body) : answer;
    if (again === undefined) throw new Error(`${this.#parts.name}: ${method} ${path} ficou sem resposta`);
    return again;
  }

  /** Calls like `call`. Throws also when it is refused. */
  async done<T>(who: string, method: string, path: string, body?: object): Promise<T> {
    const answer = await this.call(who, method, path, body);
    if (answer.status >= 300)
      throw new Error(
        `${this.#parts.name}: ${method} ${path} respondeu ${answer.status} ${answer.text.slice(0, 500)}`,
      );
    return answer.body as T;
  }

  async #signIn(who: string): Promise<Client> {
    const client = await signIn(this.url, who, SPARED);
    this.#clients.set(who, client);
    return client;
  }
}
