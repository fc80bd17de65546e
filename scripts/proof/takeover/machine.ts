/** One of the two machines: its folder, its fixed port, and its processes. */
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { toEnd } from '../to-end.ts';
import { type Client, signIn } from '../client.ts';
import { type Server, executableOf, startServer } from '../server.ts';
import {
  type Litestream,
  type Place,
  configText,
  follow,
  followed,
  litestreamPath,
  replicateBy,
} from './litestream.ts';

const TO_THE_END = join(import.meta.dir, '../../packaging/duas-maquinas/ate-o-fim');
/** The output of `catp takeover` after this line belongs to Litestream. */
const CONFIG_BEGINS = '# litestream.yml';

export interface MachineParts {
  readonly name: string;
  /** The common folder of both machines; each has its own in it. */
  readonly folder: string;
  readonly port: number;
  /** The port of the other machine; `undefined`: no partner is contacted. */
  readonly partnerPort: number | undefined;
  readonly mode: 'nunca' | 'sempre';
  readonly executable: string | undefined;
}

export class Machine {
  readonly name: string;
  readonly #parts: MachineParts;
  server: Server | undefined;
  litestream: Litestream | undefined;
  follower: Litestream | undefined;

  constructor(parts: MachineParts) {
    this.name = parts.name;
    this.#parts = parts;
  }

  get data(): string {
    return join(this.#parts.folder, this.name);
  }
  get database(): string {
    return join(this.data, 'catp.sqlite');
  }
  get socket(): string {
    return join(this.#parts.folder, `${this.name}.sock`);
  }
  get #config(): string {
    return join(this.#parts.folder, `${this.name}.yml`);
  }
  get #settings(): readonly string[] {
    const { partnerPort, mode } = this.#parts;
    return [
      ...['--set', `replica.socket=${this.socket}`, '--set', `replica.confirmar=${mode}`],
      ...(partnerPort === undefined ? [] : ['--set', `replica.par=http://127.0.0.1:${partnerPort}`]),
    ];
  }

  /** Creates the folder with a first start, without a replica: its first writes cannot wait for one. */
  async prepare(): Promise<void> {
    const server = startServer({ executable: this.#parts.executable, data: this.data });
    await server.ready;
    await server.stop();
  }

  serve(): Server {
    const { executable, port } = this.#parts;
    const flags = ['--port', String(port), '--set', 'log.nivel=warning', ...this.#settings];
    return (this.server = startServer({ executable, data: this.data, flags }));
  }

  /** Resolves to the address of the server once it accepts requests. */
  url(): Promise<string> {
    if (this.server === undefined) throw new Error(`${this.name} não serve`);
    return this.server.ready;
  }

  /** Resolves to a signed-in client once the server accepts requests. */
  async client(): Promise<Client> {
    return signIn(await this.url(), 'demo');
  }

  replicateTo(url: string): void {
    const place: Place = { database: this.database, socket: this.socket, url };
    writeFileSync(this.#config, configText(place));
    this.replicate();
  }

  /** Replicates to the last configured destination. */
  replicate(): void {
    rmSync(this.socket, { force: true }); // left by a killed process
    this.litestream = replicateBy(this.#config);
  }

  /** Creates the folder again with only the keys of the other machine, as the handbook describes. */
  async followFrom(other: Machine, url: string): Promise<void> {
    rmSync(this.data, { recursive: true, force: true });
    mkdirSync(this.data, { mode: 0o700 });
    copyFileSync(join(other.data, 'catp.key'), join(this.data, 'catp.key'));
    this.follower = follow(this.database, url);
    await followed(this.database);
  }

  /**
   * Gives the folder the identity of the other machine, so that both may write. The product prevents this.
   */
  pretendToBe(other: Machine): void {
    rmSync(`${this.database}-txid`, { force: true });
    copyFileSync(join(other.data, 'catp.writer'), join(this.data, 'catp.writer'));
  }

  /** Stops following the replica, and reads it up to its end. */
  async readToTheEnd(url: string): Promise<void> {
    await this.follower?.stop();
    this.follower = undefined;
    await done(TO_THE_END, [this.database, url]);
  }

  /** Takes over, with Litestream as the command prints it. */
  async takeOver(destination: string): Promise<void> {
    const words = ['takeover', '--data', this.data, ...this.#settings];
    const output = await done(executableOf(this.#parts.executable), words);
    const config = output.slice(output.indexOf(CONFIG_BEGINS)).replaceAll('DESTINO', destination);
    writeFileSync(this.#config, config);
    this.replicate();
  }

  /** Kills all running processes. */
  async kill9(): Promise<void> {
    await Promise.all([this.server?.kill9(), this.litestream?.kill9(), this.follower?.kill9()]);
  }
}

/** Returns the output. Throws when the exit code is not 0. */
async function done(program: string, words: readonly string[]): Promise<string> {
  const env = { PATH: `${dirname(litestreamPath ?? '')}:${process.env['PATH'] ?? ''}` };
  const { code, out, err } = await toEnd([program, ...words], { env });
  if (code !== 0) throw new Error(`${program} ${words.join(' ')} terminou com ${code}:\n${err}`);
  return out;
}
