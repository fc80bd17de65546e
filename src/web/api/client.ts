/** The one way from the pages to the server: its public HTTP API, with the tokens of the session. */
import { Connection } from './connection.ts';
import { type ApiError, type Result, errorOf, faultOf } from './result.ts';
import { sendWithProgress } from './send-with-progress.ts';
import { Tokens } from './tokens.ts';

/** Members that are absent or empty are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined | null>>;

export interface Asking {
  readonly query?: Query;
  /** Ends the request, for instance when the page is left. */
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of a file: how many bytes of how many have gone. */
  readonly onSent?: (sent: number, total: number) => void;
}

export interface Download {
  readonly name: string;
  readonly content: Blob;
}

const UNAUTHORIZED = 401;

/**
 * The specification's operations tell only who asks what a problem is about; ours tell it to everybody. And the journal of a
 * development instance knows what the pages ask by themselves from what somebody's program asks.
 */
const OF_PAGES = { Prefer: 'about', 'X-Catp-Pagina': '1' } as const;

/** How often a question is put again to a server that does answer others. */
const ATTEMPTS = 3;

const NO_ANSWER =
  'O servidor não respondeu. Verifique a conexão e se o catp está em execução; depois tente de novo.';
const PERHAPS_DONE =
  'A conexão caiu antes da resposta, e não se sabe se o servidor gravou a mudança. Confira antes de repetir.';

export class Api {
  readonly tokens: Tokens;
  readonly connection: Connection;
  readonly #origin: string;
  /** Called when the server no longer accepts the session that began with this token. */
  onSessionEnd: (authorization: string) => void = () => {};
  /** Called when a session began, or lasts longer than before. */
  onTokens: () => void = () => {};
  /** How often somebody has left: an answer to who is gone is nobody's. */
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

  /** The whole file passes through the memory of the browser: a plain link cannot send the two token headers. */
  async download(path: string, fallbackName: string, asking: Asking = {}): Promise<Result<Download>> {
    const answer = await this.#send('GET', path, undefined, asking);
    if (!answer.ok) return answer;
    const { headers } = answer;
    const name = /filename="([^"]+)"/.exec(headers.get('Content-Disposition') ?? '')?.[1] ?? fallbackName;
    return { ok: true, headers, value: { name, content: await answer.value.blob() } };
  }

  /** The answer itself, for what is neither JSON nor a file. */
  stream(path: string, asking: Asking = {}): Promise<Result<Response>> {
    return this.#send('GET', path, undefined, asking);
  }

  /** Whatever the answer is, a refusal too; for those who look at the API itself. */
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
    return { ok: true, headers: answer.headers, value: value as T }; // Held to these types by the contract tests.
  }

  async #send(method: string, path: string, body: unknown, asking: Asking): Promise<Result<Response>> {
    const headers = { ...OF_PAGES, ...asking.headers };
    const answer = await this.#reach(method, path + queryOf(asking.query), body, { ...asking, headers });
    if (!(answer instanceof Response)) return { ok: false, error: answer };
    if (answer.ok) return { ok: true, headers: answer.headers, value: answer };
    return { ok: false, error: await errorOf(answer) };
  }

  /** Nobody is signed in any more. */
  leave(): void {
    this.#leavings += 1;
    this.tokens.forget();
  }

  /**
   * Every answer renews the token, refusals included (contract section 2); one that refuses the session ends it. `sent`: whose
   * session it answers, which another may have replaced meanwhile.
   */
  #renew({ headers, status }: Response, sent: string | undefined): void {
    const isOfNow = sent !== undefined && sent === this.tokens.kept?.authorization;
    if (isOfNow && status === UNAUTHORIZED) {
      this.leave();
      this.onSessionEnd(sent);
    } else if ((isOfNow || headers.has('Set-Token')) && this.tokens.take(headers)) this.onTokens();
  }

  /** A question is put again when the server is back; a change is not, since it may have been made. */
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
      // A sign-in is somebody else's; a renewal is of whoever left.
      const isSignIn = own['Authorization'] === undefined && answer.headers.has('Set-Token');
      if (isLeft() && !isSignIn) return ABORTED;
      this.#renew(answer, own['Authorization']);
      return answer;
    }
  }
}

/** The page that asked is no longer there, or does not want it any more. */
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
