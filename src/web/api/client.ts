/** Client of the public HTTP API, with the tokens of the session. All pages use it. */
import { Connection } from './connection.ts';
import { type ApiError, type Result, errorOf, faultOf } from './result.ts';
import { sendWithProgress } from './send-with-progress.ts';
import { Tokens } from './tokens.ts';

/** Query parameters. Absent and empty members are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined | null>>;

export interface Asking {
  readonly query?: Query;
  /** Aborts the request, for instance when the page is left. */
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  /** The answer is read after the user has left, too: the request itself ends the session. */
  readonly isFarewell?: true;
  /** Reports the upload progress of a file, in bytes. */
  readonly onSent?: (sent: number, total: number) => void;
}

export interface Download {
  readonly name: string;
  readonly content: Blob;
}

const UNAUTHORIZED = 401;

/**
 * Headers of every request of the pages. Operations of the specification return the subject of a problem only
 * on request; other operations always do. The second header lets the journal of a development instance
 * separate requests of the pages from those of other programs.
 */
const OF_PAGES = { Prefer: 'about', 'X-Catp-Pagina': '1' } as const;

/** Maximum attempts of a GET request while the server answers health checks. */
const ATTEMPTS = 3;

const NO_ANSWER =
  'O servidor não respondeu. Verifique a conexão e se o catp está em execução; depois tente de novo.';
const PERHAPS_DONE =
  'A conexão caiu antes da resposta, e não se sabe se o servidor gravou a mudança. Confira antes de repetir.';

export class Api {
  readonly tokens: Tokens;
  readonly connection: Connection;
  readonly #origin: string;
  /** Called when the server no longer accepts the session with this token. */
  onSessionEnd: (authorization: string) => void = () => {};
  /** Called when a session has begun or was extended. */
  onTokens: () => void = () => {};
  /** Number of sign-outs: a response to an earlier user is discarded. */
  #leavings = 0;

  constructor(origin: string, storage: Storage) {
    this.#origin = origin;
    this.tokens = new Tokens(storage);
    this.connection = new Connection(() => fetch(`${origin}/healthz`, { cache: 'no-store' }));
  }

  get<T>(path: string, asking: Asking = {}): Promise<Result<T>> {
    return this.#json('GET', path, undefined, asking);
  }

  post<T>(path: string, body?: unknown, asking: Asking = {}): Promise<Result<T>> {
    return this.#json('POST', path, body, asking);
  }

  put<T>(path: string, body?: unknown, asking: Asking = {}): Promise<Result<T>> {
    return this.#json('PUT', path, body, asking);
  }

  delete<T>(path: string, body?: unknown, asking: Asking = {}): Promise<Result<T>> {
    return this.#json('DELETE', path, body, asking);
  }

  /** Downloads a file into the memory of the browser: a plain link cannot send the two token headers. */
  async download(path: string, fallbackName: string, asking: Asking = {}): Promise<Result<Download>> {
    const answer = await this.#send('GET', path, undefined, asking);
    if (!answer.ok) return answer;
    const { headers } = answer;
    const name = /filename="([^"]+)"/.exec(headers.get('Content-Disposition') ?? '')?.[1] ?? fallbackName;
    return { ok: true, headers, value: { name, content: await answer.value.blob() } };
  }

  /** Returns the response itself, for content that is neither JSON nor a file. */
  stream(path: string, asking: Asking = {}): Promise<Result<Response>> {
    return this.#send('GET', path, undefined, asking);
  }

  /** Returns any response, including a refusal. Used by pages that show the API itself. */
  async exchange(
    method: string,
    path: string,
    body?: unknown,
    asking: Asking = {},
  ): Promise<Result<Response>> {
    const answer = await this.#reach(method, path, body, asking);
    if (!(answer instanceof Response)) return { ok: false, error: answer };
    return { ok: true, headers: answer.headers, value: answer };
  }

  async #json<T>(method: string, path: string, body: unknown, asking: Asking): Promise<Result<T>> {
    const answer = await this.#send(method, path, body, asking);
    if (!answer.ok) return answer;
    const text = await answer.value.text().catch(() => undefined);
    if (text === undefined) return { ok: false, error: faultOf(method === 'GET' ? NO_ANSWER : PERHAPS_DONE) };
    const value = parsed(text);
    if (value === NOT_JSON)
      return { ok: false, error: faultOf('A resposta do servidor chegou incompleta ou não é JSON.') };
    return { ok: true, headers: answer.headers, value: value as T }; // The contract tests check these types.
  }

  async #send(method: string, path: string, body: unknown, asking: Asking): Promise<Result<Response>> {
    const headers = { ...OF_PAGES, ...asking.headers };
    const answer = await this.#reach(method, path + queryOf(asking.query), body, { ...asking, headers });
    if (!(answer instanceof Response)) return { ok: false, error: answer };
    if (answer.ok) return { ok: true, headers: answer.headers, value: answer };
    return { ok: false, error: await errorOf(answer) };
  }

  /** Signs the user out of this client. */
  leave(): void {
    this.#leavings += 1;
    this.tokens.forget();
  }

  /**
   * Takes the renewed token from every response, including refusals (contract section 2). A 401 ends the
   * session. `sent`: token of the request; another session may have replaced it in the meantime.
   */
  #renew({ headers, status }: Response, sent: string | undefined): void {
    const isOfNow = sent !== undefined && sent === this.tokens.kept?.authorization;
    if (isOfNow && status === UNAUTHORIZED) {
      this.leave();
      this.onSessionEnd(sent);
    } else if ((isOfNow || headers.has('Set-Token')) && this.tokens.take(headers)) this.onTokens();
  }

  /**
   * Retries a GET request when the server is back. Other methods are not retried, since the change may
   * already be stored.
   */
  async #reach(method: string, path: string, body: unknown, asking: Asking): Promise<Response | ApiError> {
    const isFile = body instanceof FormData || body instanceof Blob;
    const json = body === undefined || isFile ? {} : { 'Content-Type': 'application/json' };
    const leavings = this.#leavings;
    const isLeft = (): boolean => leavings !== this.#leavings;
    for (let attempt = 1; ; attempt += 1) {
      const own = this.tokens.headers();
      const headers = { ...json, ...asking.headers, ...own };
      const { signal, onSent } = asking;
      let answer: Response;
      try {
        answer =
          isFile && onSent !== undefined
            ? await sendWithProgress(this.#origin + path, { method, headers, body, signal, onSent })
            : await fetch(this.#origin + path, {
                method,
                headers,
                ...(body !== undefined && { body: isFile ? body : JSON.stringify(body) }),
                ...(signal && { signal }),
              });
      } catch {
        if (signal?.aborted === true || isLeft()) return ABORTED;
        const back = this.connection.lost();
        if (method !== 'GET') return faultOf(PERHAPS_DONE);
        if (attempt === ATTEMPTS) return faultOf(NO_ANSWER);
        await back;
        if (isLeft()) return ABORTED;
        continue;
      }
      // A sign-in starts a new session; a renewal belongs to the user who left.
      const isSignIn = own['Authorization'] === undefined && answer.headers.has('Set-Token');
      if (isLeft() && !isSignIn && asking.isFarewell !== true) return ABORTED;
      this.#renew(answer, own['Authorization']);
      return answer;
    }
  }
}

/** Error of a request whose page was left or that was aborted. */
export const ABORTED = faultOf('A página foi deixada antes da resposta.');

const NOT_JSON = Symbol('not JSON');

function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return NOT_JSON;
  }
}

export function queryOf(query: Query = {}): string {
  const filled = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  return filled.length === 0
    ? ''
    : `?${new URLSearchParams(filled.map(([name, value]) => [name, String(value)]))}`;
}
