/**
 * A client that follows the page of faults: it repeats only safe requests, and looks before it repeats a
 * change.
 */
import { trusting } from '../../support/tls.ts';

export interface CarefulParts {
  readonly url: string;
  readonly timeoutMs: number;
  /** Waits before the next try; a test does not wait. */
  readonly pause: (seconds: number) => Promise<void>;
  readonly triesMax: number;
}

interface Product {
  readonly denominacao: string;
  readonly modalidade: string;
  readonly ncm: string;
  readonly codigosInterno: readonly [string];
}

/** The result of a request. `unknown`: it may have been done. */
type Outcome =
  | { readonly kind: 'answered'; readonly status: number; readonly body: unknown; readonly headers: Headers }
  | { readonly kind: 'unknown' };

const STOPPED_FOR_NOW = ['PUCX-ER0401', 'PUCX-ER1001'];

export class CarefulClient {
  readonly #parts: CarefulParts;
  #tokens: Record<string, string> | undefined;

  constructor(parts: CarefulParts) {
    this.#parts = parts;
  }

  /** Includes the product once, despite all faults. Returns its code. */
  async include(cpfCnpjRaiz: string, product: Product): Promise<number> {
    for (let tries = 0; tries < this.#parts.triesMax; tries += 1) {
      const outcome = await this.#ask('POST', `/catp/api/ext/produto/${cpfCnpjRaiz}`, product);
      if (outcome.kind === 'answered' && outcome.status === 200)
        return (outcome.body as { codigo: number }).codigo;
      if (outcome.kind === 'answered' && (await this.#mayBeRepeated(outcome))) continue;
      if (outcome.kind === 'answered') throw new Error(`refused: ${JSON.stringify(outcome.body)}`);
      // It may have been done: look before the next try.
      const [code] = await this.list(cpfCnpjRaiz, product.codigosInterno[0]);
      if (code !== undefined) return code;
    }
    throw new Error('given up');
  }

  /** Returns the codes of the products with that internal code. A read can always be repeated. */
  async list(cpfCnpjRaiz: string, codigoInterno: string): Promise<number[]> {
    const path = `/catp/api/ext/produto?cpfCnpjRaiz=${cpfCnpjRaiz}&codigoInterno=${codigoInterno}`;
    for (let tries = 0; tries < this.#parts.triesMax; tries += 1) {
      const outcome = await this.#ask('GET', path);
      if (outcome.kind === 'unknown') continue;
      if (outcome.status === 204) return [];
      if (outcome.status === 200) return (outcome.body as { codigo: number }[]).map(({ codigo }) => codigo);
      if (!(await this.#mayBeRepeated(outcome))) throw new Error(`refused: ${JSON.stringify(outcome.body)}`);
    }
    throw new Error('given up');
  }

  /** Returns true if nothing was done and another try may succeed. Waits as long as the answer requires. */
  async #mayBeRepeated({ status, body, headers }: Extract<Outcome, { kind: 'answered' }>): Promise<boolean> {
    const { code = '' } = body as { code?: string };
    if (status === 401) {
      this.#tokens = undefined; // one more sign-in; the number of tries is limited
      return true;
    }
    const waits = status === 503 || status === 429 || STOPPED_FOR_NOW.includes(code);
    if (waits) await this.#parts.pause(Number(headers.get('retry-after') ?? '60'));
    return waits || status >= 500;
  }

  async #ask(method: string, path: string, body?: unknown): Promise<Outcome> {
    const tokens = await this.#signedIn();
    if (tokens === undefined) return { kind: 'unknown' };
    return this.#exchange(method, path, tokens, body);
  }

  async #signedIn(): Promise<Record<string, string> | undefined> {
    for (let tries = 0; this.#tokens === undefined && tries < this.#parts.triesMax; tries += 1) {
      const outcome = await this.#exchange('POST', '/portal/api/autenticar/chave-acesso', {
        'client-id': 'demo',
        'client-secret': 'demo',
        'role-type': 'IMPEXP',
      });
      if (outcome.kind === 'unknown') continue;
      if (outcome.status === 200)
        this.#tokens = {
          authorization: outcome.headers.get('set-token') ?? '',
          'x-csrf-token': outcome.headers.get('x-csrf-token') ?? '',
        };
      else await this.#mayBeRepeated(outcome);
    }
    return this.#tokens;
  }

  /** An answer that is incomplete, no JSON, or late does not show what was done. */
  async #exchange(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<Outcome> {
    try {
      const answer = await trusting(`${this.#parts.url}${path}`, {
        method,
        headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(this.#parts.timeoutMs),
      });
      const { status, headers: received } = answer;
      if (status === 204) return { kind: 'answered', status, body: null, headers: received };
      if (!received.get('content-type')?.startsWith('application/json')) return { kind: 'unknown' };
      return { kind: 'answered', status, body: JSON.parse(await answer.text()), headers: received };
    } catch {
      return { kind: 'unknown' };
    }
  }
}
