/** Runs the server under a fault: records all writes, and checks them afterwards. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Answer, type Client, signIn } from '../client.ts';
import { structureProblems } from '../database.ts';
import { type Server, startServer } from '../server.ts';

const COMPANY = '12345678';
const PRODUCTS = `/catp/api/ext/produto/${COMPANY}`;
const CLIENTS = 8;
/** Size of a product, about one page of the database, so that checkpoints come soon. */
const DESCRIPTION = 'Peça inventada para encher o disco. '.repeat(100).trim();
/** A higher share of a processor without requests shows that the server retries a refused write in a busy loop. */
const IDLE_CPU_MAX = 0.5;
/** The server checks for free space every second; half a second more for a busy machine. */
const FREE_SPACE_DETECTED_WITHIN_MS = 1500;
const CLOCK_TICKS_PER_SECOND = 100;

interface Written {
  readonly mark: string;
  readonly answer: Answer | undefined;
}

export class FaultBench {
  readonly #data: string;
  readonly #executable: string | undefined;
  readonly #written: Written[] = [];
  readonly problems: string[] = [];
  #server: Server | undefined;
  #demo: Client | undefined;
  #writes = 0;

  constructor(data: string, executable: string | undefined) {
    this.#data = data;
    this.#executable = executable;
  }

  get pid(): number {
    return this.#server?.pid ?? 0;
  }

  get acknowledged(): number {
    return this.#written.filter(({ answer }) => answer?.status === 200).length;
  }

  get refused(): number {
    return this.#written.filter(({ answer }) => answer?.status === 503).length;
  }

  get output(): string {
    return this.#server?.output() ?? '';
  }

  async start(): Promise<void> {
    this.#server = startServer({
      executable: this.#executable,
      data: this.#data,
      flags: ['--set', 'log.nivel=warning'],
    });
    this.#demo = await signIn(await this.#server.ready, 'demo');
  }

  /** Writes one product. The answer must be 200 or a refusal that states its reason. */
  async write(): Promise<Answer | undefined> {
    const mark = `falha-${++this.#writes}`;
    const product = { denominacao: mark, descricao: DESCRIPTION, modalidade: 'IMPORTACAO', ncm: '39269090' };
    const answer = await this.#demo?.call('POST', PRODUCTS, product);
    this.#written.push({ mark, answer });
    if (answer?.status !== 200 && answer?.status !== 503)
      this.problem(`gravação respondeu ${answer?.status ?? 'nada'} ${answer?.text.slice(0, 200) ?? ''}`);
    return answer;
  }

  /** Writes in parallel until `enough` returns true, or `most` writes were sent. */
  async writeUntil(enough: () => boolean, most: number): Promise<void> {
    const last = this.#writes + most;
    const one = async (): Promise<void> => {
      while (!enough() && this.#writes < last) await this.write();
    };
    await Promise.all(Array.from({ length: CLIENTS }, one));
  }

  /** Checks that a write succeeds within the second in which the server detects free space. */
  async writeAgain(when: string): Promise<void> {
    const until = Date.now() + FREE_SPACE_DETECTED_WITHIN_MS;
    for (;;) {
      const answer = await this.write();
      if (answer?.status === 200) return;
      if (Date.now() > until)
        return this.problem(
          `não grava ${when} (${answer?.status ?? 'nada'} depois de ${FREE_SPACE_DETECTED_WITHIN_MS} ms)`,
        );
      await Bun.sleep(50);
    }
  }

  async read(): Promise<void> {
    const write = this.#written.find(({ answer }) => answer?.status === 200);
    const { codigo } = (write?.answer?.body ?? { codigo: 0 }) as { codigo: number };
    const answer = await this.#demo?.call('GET', `${PRODUCTS}/${codigo}/1`);
    if (answer?.status !== 200) this.problem(`uma consulta respondeu ${answer?.status ?? 'nada'}`);
  }

  async readiness(): Promise<{ readonly status: number; readonly notices: readonly string[] }> {
    const answer = await this.#demo?.call('GET', '/readyz');
    // An instance that is not ready answers in `message`, like every refusal.
    const { notices, message } = (answer?.body ?? {}) as { notices?: string[]; message?: string };
    return { status: answer?.status ?? 0, notices: notices ?? [message ?? ''] };
  }

  /** Measures the processor load over one second without requests. */
  async idle(): Promise<void> {
    const before = cpuTicks(this.pid);
    await Bun.sleep(1000);
    const share = (cpuTicks(this.pid) - before) / CLOCK_TICKS_PER_SECOND;
    if (share > IDLE_CPU_MAX)
      this.problem(`sem pedidos gasta ${Math.round(share * 100)} % de um processador`);
  }

  /** Returns the messages of refused writes. */
  get refusals(): ReadonlySet<string> {
    const bodies = this.#written.flatMap(({ answer }) => (answer?.status === 503 ? [answer.body] : []));
    return new Set(bodies.map((body) => (body as { message: string }).message));
  }

  async kill9(): Promise<void> {
    await this.#server?.kill9();
  }

  async stop(): Promise<void> {
    await this.#server?.stop().catch((error: Error) => this.problem(error.message));
  }

  /**
   * Checks on a healthy disk that all acknowledged writes exist, and that no write exists whose refusal
   * states that it was not stored.
   */
  async verifyStored(): Promise<void> {
    const answer = await this.#demo?.call('GET', `/catp/api/ext/produto?cpfCnpjRaiz=${COMPANY}`);
    const products = (answer?.body ?? []) as readonly {
      denominacao: string;
      descricao: string;
      codigo: number;
    }[];
    const stored = new Map(products.map((product) => [product.denominacao, product]));
    for (const { mark, answer: writeAnswer } of this.#written) {
      const product = stored.get(mark);
      if (writeAnswer?.status === 200) {
        const { codigo } = writeAnswer.body as { codigo: number };
        const isThere = product?.codigo === codigo && product.descricao === DESCRIPTION;
        if (!isThere) this.problem(`${mark} foi confirmado e não está no banco`);
      } else if (
        writeAnswer !== undefined &&
        product !== undefined &&
        /nada desta requisição foi gravado/.test(writeAnswer.text)
      ) {
        this.problem(`${mark}: a resposta disse que nada foi gravado, e está no banco`);
      }
    }
    for (const problem of structureProblems(join(this.#data, 'catp.sqlite'))) this.problem(problem);
  }

  /** Counts refused writes with unknown outcome that were stored. */
  async countStoredDespiteRefusal(): Promise<number> {
    const answer = await this.#demo?.call('GET', `/catp/api/ext/produto?cpfCnpjRaiz=${COMPANY}`);
    const names = new Set(((answer?.body ?? []) as { denominacao: string }[]).map((one) => one.denominacao));
    return this.#written.filter(
      ({ mark, answer: writeAnswer }) => writeAnswer?.status !== 200 && names.has(mark),
    ).length;
  }

  problem(text: string): void {
    this.problems.push(text);
  }
}

/** Returns the processor time of a process, in ticks of 10 ms. */
function cpuTicks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
}
