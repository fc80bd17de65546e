/** Client of the public HTTP API, with the tokens of the session. All pages use it. */
import { type ApiError, type Result, errorOf, faultOf } from './result.ts';
import { Tokens } from './tokens.ts';
import { Observed } from './observed.ts';

/** Query parameters. Absent and empty members are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined | null>>;

export interface RequestOptions {
  readonly query?: Query;
  /** Aborts the request, for instance when the page is left. */
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  /** True for the request that ends the session: its answer is read although the user has signed out. */
  readonly endsSession?: true;
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
const PAGE_HEADERS = { Prefer: 'about', 'X-Catp-Pagina': '1' } as const;

/** Maximum attempts of a GET request while the server answers health checks. */
const ATTEMPTS = 3;

const NO_ANSWER =
  'O servidor não respondeu. Verifique a conexão e se o catp está em execução; depois tente de novo.';
const MAY_BE_DONE =
  'A conexão caiu antes da resposta, e não se sabe se o servidor gravou a mudança. Confira antes de repetir.';

export class Api {
  readonly tokens: Tokens;
  readonly connection: Connection;
  readonly #origin: string;
  /** Called when the server no longer accepts the session with this token. */
  onSessionEnd: (authorization: string) => void = () => {};
  /** Called when a session has begun or was extended. */
  onTokens: () => void = () => {};
  /** Number of sign-outs so far: a response to an earlier user is discarded. */
  #signOuts = 0;

  constructor(origin: string, storage: Storage) {
    this.#origin = origin;
    this.tokens = new Tokens(storage);
    this.connection = new Connection(() => fetch(`${origin}/healthz`, { cache: 'no-store' }));
  }

  get<T>(path: string, options: RequestOptions = {}): Promise<Result<T>> {
    return this.#json('GET', path, undefined, options);
  }

  post<T>(path: string, body?: unknown, options: RequestOptions = {}): Promise<Result<T>> {
    return this.#json('POST', path, body, options);
  }

  put<T>(path: string, body?: unknown, options: RequestOptions = {}): Promise<Result<T>> {
    return this.#json('PUT', path, body, options);
  }

  delete<T>(path: string, body?: unknown, options: RequestOptions = {}): Promise<Result<T>> {
    return this.#json('DELETE', path, body, options);
  }

  /** Downloads a file into the memory of the browser: a plain link cannot send the two token headers. */
  async download(
    path: string,
    fallbackName: string,
    options: RequestOptions = {},
  ): Promise<Result<Download>> {
    const answer = await this.#send('GET', path, undefined, options);
    if (!answer.ok) return answer;
    const { headers } = answer;
    const name = /filename="([^"]+)"/.exec(headers.get('Content-Disposition') ?? '')?.[1] ?? fallbackName;
    return { ok: true, headers, value: { name, content: await answer.value.blob() } };
  }

  /** Returns the response itself, for content that is neither JSON nor a file. */
  stream(path: string, options: RequestOptions = {}): Promise<Result<Response>> {
    return this.#send('GET', path, undefined, options);
  }

  /** Returns any response, including a refusal. Used by pages that show the API itself. */
  async exchange(
    method: string,
    path: string,
    body?: unknown,
    options: RequestOptions = {},
  ): Promise<Result<Response>> {
    const answer = await this.#reach(method, path, body, options);
    if (!(answer instanceof Response)) return { ok: false, error: answer };
    return { ok: true, headers: answer.headers, value: answer };
  }

  async #json<T>(method: string, path: string, body: unknown, options: RequestOptions): Promise<Result<T>> {
    const answer = await this.#send(method, path, body, options);
    if (!answer.ok) return answer;
    const text = await answer.value.text().catch(() => undefined);
    if (text === undefined) return { ok: false, error: faultOf(method === 'GET' ? NO_ANSWER : MAY_BE_DONE) };
    const value = parsed(text);
    if (value === NOT_JSON)
      return { ok: false, error: faultOf('A resposta do servidor chegou incompleta ou não é JSON.') };
    return { ok: true, headers: answer.headers, value: value as T }; // The contract tests check these types.
  }

  async #send(
    method: string,
    path: string,
    body: unknown,
    options: RequestOptions,
  ): Promise<Result<Response>> {
    const headers = { ...PAGE_HEADERS, ...options.headers };
    const answer = await this.#reach(method, path + queryOf(options.query), body, { ...options, headers });
    if (!(answer instanceof Response)) return { ok: false, error: answer };
    if (answer.ok) return { ok: true, headers: answer.headers, value: answer };
    return { ok: false, error: await errorOf(answer) };
  }

  /** Signs the user out of this client. */
  signOut(): void {
    this.#signOuts += 1;
    this.tokens.forget();
  }

  /**
   * Takes the renewed token from every response, including refusals (contract section 2). A 401 ends the
   * session. `sent`: token of the request; another session may have replaced it in the meantime.
   */
  #renew({ headers, status }: Response, requestToken: string | undefined): void {
    const isCurrent = requestToken !== undefined && requestToken === this.tokens.current?.authorization;
    if (isCurrent && status === UNAUTHORIZED) {
      this.signOut();
      this.onSessionEnd(requestToken);
    } else if ((isCurrent || headers.has('Set-Token')) && this.tokens.take(headers)) this.onTokens();
  }

  /**
   * Retries a GET request when the server is back. Other methods are not retried, since the change may
   * already be stored.
   */
  async #reach(
    method: string,
    path: string,
    body: unknown,
    options: RequestOptions,
  ): Promise<Response | ApiError> {
    const isFile = body instanceof FormData || body instanceof Blob;
    const json = body === undefined || isFile ? {} : { 'Content-Type': 'application/json' };
    const signOutsBefore = this.#signOuts;
    const isSignedOut = (): boolean => signOutsBefore !== this.#signOuts;
    for (let attempt = 1; ; attempt += 1) {
      const sessionHeaders = this.tokens.headers();
      const headers = { ...json, ...options.headers, ...sessionHeaders };
      const { signal, onSent } = options;
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
        if (signal?.aborted === true || isSignedOut()) return ABORTED;
        const isBack = this.connection.waitForServer();
        if (method !== 'GET') return faultOf(MAY_BE_DONE);
        if (attempt === ATTEMPTS) return faultOf(NO_ANSWER);
        await isBack;
        if (isSignedOut()) return ABORTED;
        continue;
      }
      // A response to a sign-in starts a new session. Any other response belongs to the user who has signed out.
      const isSignIn = sessionHeaders['Authorization'] === undefined && answer.headers.has('Set-Token');
      if (isSignedOut() && !isSignIn && options.endsSession !== true) return ABORTED;
      this.#renew(answer, sessionHeaders['Authorization']);
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

const CHECK_INTERVAL_MS = 1000;

/** Connection state. While the server is unreachable, one health check per second detects its return. */
class Connection {
  readonly state = new Observed<'up' | 'lost'>('up');
  readonly #checkHealth: () => Promise<unknown>;
  #back: Promise<void> | undefined;

  /** `ask` resolves when the server answers. */
  constructor(checkHealth: () => Promise<unknown>) {
    this.#checkHealth = checkHealth;
  }

  /** Reports a request without response. Resolves when the server answers again. */
  waitForServer(): Promise<void> {
    this.state.set('lost');
    return (this.#back ??= this.#wait());
  }

  async #wait(): Promise<void> {
    for (;;) {
      const answered = await this.#checkHealth().then(
        () => true,
        () => false,
      );
      if (answered) break;
      await new Promise((resolve) => setTimeout(resolve, CHECK_INTERVAL_MS));
    }
    this.#back = undefined;
    this.state.set('up');
  }
}

interface SendingOptions {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: FormData | Blob;
  readonly signal: AbortSignal | undefined;
  /** Called with the number of sent bytes and of all bytes of the body. */
  readonly onSent: (sent: number, total: number) => void;
}

/** Sends the body. Rejects if no response arrives. */
function sendWithProgress(address: string, options: SendingOptions): Promise<Response> {
  const { method, headers, body, signal, onSent } = options;
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const request = new XMLHttpRequest();
  request.open(method, address);
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  request.upload.onprogress = ({ loaded, total }) => onSent(loaded, total);
  request.onload = () => resolve(answerOf(request));
  request.onerror = request.onabort = request.ontimeout = () => reject(new TypeError('no answer came'));
  const abort = (): void => request.abort();
  signal?.addEventListener('abort', abort);
  request.onloadend = () => signal?.removeEventListener('abort', abort);
  if (signal?.aborted === true) reject(new TypeError('not sent'));
  else request.send(body);
  return promise;
}

/** Statuses that have no body, not even an empty one. */
const WITHOUT_BODY: readonly number[] = [204, 205, 304];

function answerOf(request: XMLHttpRequest): Response {
  const { status, responseText } = request;
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return new Response(WITHOUT_BODY.includes(status) ? null : responseText, { status, headers });
}
