/** The one way from the pages to the server: its public HTTP API, with the tokens of the session. */

export interface Company {
  readonly cpfCnpjRaiz: string;
  readonly nome: string;
}

export interface Session {
  readonly documento: string;
  readonly nome: string;
  readonly perfil: string;
  readonly tipo: 'PRIV' | 'PUBL';
  readonly administrador: boolean;
  readonly companies: readonly Company[];
}

export interface Readiness {
  readonly attributeTable: { readonly versao: string } | null;
}

export type ImportKind = 'produto' | 'operador-estrangeiro' | 'fabricante' | 'ato-concessorio';
export type ImportMode = 'lote' | 'espelho';

export interface ImportRequest {
  readonly file: File;
  readonly kind: ImportKind;
  readonly mode: ImportMode;
  /** Validates everything and keeps nothing. */
  readonly dryRun: boolean;
}

export interface ImportProgress {
  readonly id: number;
  readonly tipo: ImportKind;
  readonly simular: boolean;
  readonly fileName: string;
  readonly state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  /** Unknown until the file has been read. */
  readonly total: number | null;
  readonly processed: number;
  readonly created: number;
  readonly newVersion: number;
  readonly unchanged: number;
  readonly failed: number;
  readonly error: string | null;
  /** `yyyy-MM-ddTHH:mm:ss`, Brasília time. */
  readonly createdAt: string;
}

export interface ImportResult {
  readonly index: number;
  readonly seq: number | null;
  readonly codigo: string | null;
  readonly versao: string | null;
  readonly outcome: 'created' | 'newVersion' | 'unchanged' | 'failed';
  readonly errors: readonly string[];
  readonly name: string | null;
  readonly file: string;
  readonly line: number;
  readonly problems: readonly { readonly path: string; readonly message: string }[];
}

export interface Download {
  readonly name: string;
  readonly content: Blob;
}

/** What the server refused, in its own words. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface Tokens {
  readonly authorization: string;
  readonly csrf: string;
}

const IMPORTS = '/appliance/api/imports';
const TOKENS = 'catp.session';
const UNAUTHORIZED = 401;

export class Api {
  readonly #origin: string;
  /**
   * sessionStorage: a reload keeps the session, closing the tab ends it, no other tab sees it. Only a script of
   * this page could read it, and the Content-Security-Policy lets none in but ours.
   */
  readonly #storage: Storage;
  /** Called when the server no longer accepts the session. */
  onSessionEnd: () => void = () => {};

  constructor(origin: string, storage: Storage) {
    this.#origin = origin;
    this.#storage = storage;
  }

  get hasSession(): boolean {
    return this.#tokens() !== undefined;
  }

  async signIn(clientId: string, clientSecret: string, roleType: string): Promise<void> {
    const headers = { 'Client-Id': clientId, 'Client-Secret': clientSecret, 'Role-Type': roleType };
    const answer = await this.#fetch('/portal/api/autenticar/chave-acesso', { method: 'POST', headers });
    const authorization = answer.headers.get('Set-Token');
    const csrf = answer.headers.get('X-CSRF-Token');
    if (authorization === null || csrf === null)
      throw new Refusal(answer.status, 'O servidor não enviou os tokens.');
    this.#keep({ authorization, csrf });
  }

  signOut(): void {
    this.#storage.removeItem(TOKENS);
  }

  session(): Promise<Session> {
    return this.#json('/appliance/api/session');
  }

  readiness(): Promise<Readiness> {
    return this.#json('/readyz');
  }

  /** Starts an import and answers its id; the work goes on at the server. */
  async startImport({ file, kind, mode, dryRun }: ImportRequest): Promise<number> {
    const body = new FormData();
    body.set('tipo', kind);
    body.set('modo', mode);
    body.set('simular', String(dryRun));
    body.set('file', file);
    const { id } = await this.#json<{ id: number }>(IMPORTS, { method: 'POST', body });
    return id;
  }

  /** The user's own imports, newest first. */
  imports(limit: number): Promise<readonly ImportProgress[]> {
    return this.#json(`${IMPORTS}?limit=${limit}`);
  }

  importProgress(id: number): Promise<ImportProgress> {
    return this.#json(`${IMPORTS}/${id}`);
  }

  importResults(id: number, onlyFailed: boolean): Promise<readonly ImportResult[]> {
    return this.#json(`${IMPORTS}/${id}/results${onlyFailed ? '?outcome=failed' : ''}`);
  }

  async cancelImport(id: number): Promise<void> {
    await this.#fetch(`${IMPORTS}/${id}`, { method: 'DELETE' });
  }

  importErrors(id: number): Promise<Download> {
    return this.download(`${IMPORTS}/${id}/errors.csv`, 'errors.csv');
  }

  /**
   * The whole file passes through the memory of the browser: a plain link cannot send the two token headers.
   */
  async download(path: string, fallbackName: string): Promise<Download> {
    const answer = await this.#fetch(path);
    const name = /filename="([^"]+)"/.exec(answer.headers.get('Content-Disposition') ?? '')?.[1];
    return { name: name ?? fallbackName, content: await answer.blob() };
  }

  async #json<T>(path: string, init: RequestInit = {}): Promise<T> {
    const answer = await this.#fetch(path, init);
    return (await answer.json()) as T; // The server's answers are held to these types by its contract tests.
  }

  async #fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    const tokens = this.#tokens();
    if (tokens !== undefined) {
      headers.set('Authorization', tokens.authorization);
      headers.set('X-CSRF-Token', tokens.csrf);
    }
    const answer = await this.#reach(path, { ...init, headers });
    // Every answer renews the token, refusals included (contract section 2).
    const csrf = answer.headers.get('X-CSRF-Token');
    const current = this.#tokens();
    if (csrf !== null && current !== undefined) this.#keep({ ...current, csrf });
    if (answer.ok) return answer;
    if (answer.status === UNAUTHORIZED && current !== undefined) {
      this.signOut();
      this.onSessionEnd();
    }
    throw new Refusal(answer.status, await messageOf(answer));
  }

  async #reach(path: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(this.#origin + path, init);
    } catch (cause) {
      throw new Error('O servidor não respondeu. Verifique se o catp está em execução e tente de novo.', {
        cause,
      });
    }
  }

  #tokens(): Tokens | undefined {
    const kept = this.#storage.getItem(TOKENS);
    return kept === null ? undefined : (JSON.parse(kept) as Tokens); // Only #keep writes it.
  }

  #keep(tokens: Tokens): void {
    this.#storage.setItem(TOKENS, JSON.stringify(tokens));
  }
}

export type ExportKind = 'produto' | 'operador-estrangeiro' | 'fabricante';

/** The path of an export (contract section 7); links have no deactivated ones to show. */
export function exportPath(kind: ExportKind, cpfCnpjRaiz: string, withDeactivated: boolean): string {
  const path = `/catp/api/ext/${kind}/exportar/${encodeURIComponent(cpfCnpjRaiz)}`;
  return kind === 'fabricante' ? path : `${path}/${withDeactivated}`;
}

/** All that was violated, or the title of a failure without our body. */
async function messageOf(answer: Response): Promise<string> {
  const body = (await answer.json().catch(() => null)) as {
    message?: string;
    detail?: readonly { message: string }[];
  } | null;
  const details = body?.detail?.map(({ message }) => message) ?? [];
  if (details.length > 0) return details.join(' ');
  return body?.message ?? `O servidor respondeu ${answer.status}.`;
}
