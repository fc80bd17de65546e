/**
 * The control: a client that only retries failed requests. It does not look at the remote, and stores no
 * intent.
 */
import { type Client, signIn } from '../client.ts';
import { type Catalogue, type Standing, catalogueOf } from './catalogue.ts';
import { COMPANY } from './sides.ts';
import type { World } from './world.ts';

const TRIES = 6;
/** A minute of the clocks, which run fast while it waits. */
const PATIENCE_MS = 300;
const BASE = '/catp/api/ext';

export class Naive {
  readonly #world: World;
  /** The remote records that were reported to it. */
  readonly #sent = new Map<string, { readonly codigo: string; readonly content: string }>();
  #client: Client | undefined;

  constructor(world: World) {
    this.#world = world;
  }

  async send(meanwhile: () => Promise<void>): Promise<void> {
    const ours = await catalogueOf(this.#world.here, 'demo');
    let isOver = false;
    const work = this.#all(ours).finally(() => (isOver = true));
    await this.#world.until<void>(
      async () => (isOver ? { over: undefined } : { restsUntil: null }),
      meanwhile,
    );
    await work;
  }

  async #all({ records }: Catalogue): Promise<void> {
    for (const [name, [standing]] of records) {
      if (standing === undefined || standing.situacao !== 'ATIVADO') continue;
      if (this.#sent.get(name)?.content === standing.content) continue;
      await this.#one(name, standing);
    }
  }

  async #one(name: string, { kind, content }: Standing): Promise<void> {
    const earlier = this.#sent.get(name);
    const root =
      kind === 'produto' ? `${BASE}/produto/${COMPANY}` : `${BASE}/operador-estrangeiro/${COMPANY}/DE`;
    const [first, second, third, fourth] = [...(JSON.parse(content) as unknown[])];
    const body =
      kind === 'produto'
        ? { denominacao: first, descricao: second, modalidade: third, ncm: fourth }
        : { nome: first, logradouro: second, nomeCidade: third, identificacoesAdicionais: [] };
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const method = earlier === undefined ? 'POST' : 'PUT';
      const answer = await this.#ask(
        method,
        earlier === undefined ? root : `${root}/${earlier.codigo}`,
        body,
      );
      const codigo = (answer?.body as { codigo?: string | number } | undefined)?.codigo;
      if (answer?.status !== 200 || codigo === undefined) continue;
      this.#sent.set(name, { codigo: String(codigo), content });
      return;
    }
  }

  async #ask(method: string, path: string, body: object) {
    try {
      this.#client ??= await signIn(this.#world.witness.url, 'demo', { connection: 'close' });
    } catch {
      return undefined;
    }
    const answer = await Promise.race([
      this.#client.call(method, path, body),
      Bun.sleep(PATIENCE_MS).then(() => undefined),
    ]);
    if (answer?.status === 401) this.#client = undefined;
    return answer;
  }
}
