/**
 * HTTP client of one remote (contract section 18): signed in, one request at a time, within the limits of
 * the remote.
 */
import { type Clock, MINUTE_MS } from '../../clock.ts';
import type { FolderLock } from '../../db/lock.ts';
import type { Writer } from '../../db/writer.ts';
import { type Exchanged, isUntrusted } from '../../outgoing/exchange.ts';
import { nodeTls } from '../../system/builtin.ts';
import { tryParseJson } from '../../validation/json.ts';
import { textMemberIn } from '../../validation/json-value.ts';
import { formatValue } from '../../validation/format-value.ts';
import { bytesText, foreignText } from '../../validation/text.ts';
import { exchange, maxBytesOf } from './exchange.ts';
import { Governor, SIGN_IN, SIGN_IN_PACE_MS, endOfDowntime, endOfFullHour } from './governor.ts';
import type { ConnectionStore } from './store.ts';
import type { Connection, SignInTest, Wire, WireAnswer, WireRequest } from './model.ts';
import { type Session, signIn, tlsOf } from './session.ts';
import { LIST_MAX_ITEMS, TOO_MANY_ITEMS, listIn } from './list.ts';
import { waitForTurn } from './turn.ts';

export interface WireOptions {
  readonly store: ConnectionStore;
  readonly writer: Writer;
  readonly clock: Clock;
  /** Returns the connection with its secret. `undefined`: the remote has no `url`. */
  readonly connectionOf: (remoteId: number) => Connection | undefined;
  readonly ambiente: string;
  /**
   * Takes the request turn of the remote among all processes on the folder. `undefined`: another process
   * has it.
   */
  readonly takeTurn: (remoteId: number) => FolderLock | undefined;
  /** Resolves to true when this instance issued the token. */
  readonly isOwnToken: (token: string) => Promise<boolean>;
}

const SIGN_INS_REFUSED_MAX = 3;
const DAILY_STOP = new Set(['PUCX-ER0401', 'PUCX-ER0014']);
/** Time until the next attempt when the end of a daily stop is unknown. */
const STOP_MS = 5 * MINUTE_MS;
const TOO_SOON = 'PLAT-ER2033';
const HOURLY_LIMIT = 'PUCX-ER1001';
const [OK, UNAUTHORIZED, TOO_MANY, SERVER_ERROR] = [200, 401, 429, 500] as const;
/** Gateway errors. The server behind the gateway may recover within moments. */
const GATEWAY_ERRORS: ReadonlySet<number> = new Set([502, 503, 504]);

/** Codes of failures before the connection: nothing was sent. */
const NOT_CONNECTED =
  /^(ECONNREFUSED|ConnectionRefused|ENOTFOUND|EAI_AGAIN|EAI_NODATA|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN)$/;

export class HttpWire implements Wire {
  readonly #clock: Clock;
  readonly #connectionOf: (remoteId: number) => Connection | undefined;
  readonly #ambiente: string;
  readonly #takeTurn: (remoteId: number) => FolderLock | undefined;
  readonly #isOwnToken: (token: string) => Promise<boolean>;
  readonly #remoteId: number;
  readonly #governor: Governor;
  #session: Session | undefined;
  #signInsRefused = 0;
  #turn: Promise<unknown> = Promise.resolve();
  readonly #stopping: AbortSignal;

  constructor(
    { store, writer, clock, connectionOf, ambiente, takeTurn, isOwnToken }: WireOptions,
    remoteId: number,
    stopping: AbortSignal,
  ) {
    this.#stopping = stopping;
    this.#clock = clock;
    this.#connectionOf = connectionOf;
    this.#ambiente = ambiente;
    this.#takeTurn = takeTurn;
    this.#isOwnToken = isOwnToken;
    this.#remoteId = remoteId;
    this.#governor = new Governor(store, writer, clock, remoteId);
  }

  get hasSession(): boolean {
    return this.#session !== undefined;
  }

  ask(request: WireRequest, abandonSignal?: AbortSignal): Promise<WireAnswer> {
    return this.#inTurn(
      (connection, abortSignal) => this.#ask(connection, request, abortSignal),
      abandonSignal,
    );
  }

  download(request: WireRequest, file: string, abandonSignal?: AbortSignal): Promise<WireAnswer> {
    return this.#inTurn(
      (connection, abortSignal) => this.#ask(connection, request, abortSignal, file),
      abandonSignal,
    );
  }

  /**
   * Signs in again at a person's request and returns the result. It also signs in during a rest or the
   * downtime of the remote, but waits a minute after the previous sign-in. Throws `unavailable`.
   */
  async try(): Promise<SignInTest> {
    let session: Session | undefined;
    const answer = await this.#inTurn(async (connection, abortSignal): Promise<WireAnswer> => {
      this.#session = undefined;
      this.#signInsRefused = 0;
      const refused = await this.#signIn(connection, abortSignal, true);
      session = this.#session;
      return refused ?? { kind: 'answer', status: 200, body: null };
    });
    const { documento = null, nome = null, ambiente = null, until = null } = session ?? {};
    const message = 'reason' in answer ? answer.reason : 'Entrou.';
    return { ok: answer.kind === 'answer', message, documento, nome, ambiente, until };
  }

  #inTurn(
    work: (connection: Connection, abortSignal: AbortSignal) => Promise<WireAnswer>,
    abandonSignal?: AbortSignal,
  ): Promise<WireAnswer> {
    const abortSignal =
      abandonSignal === undefined ? this.#stopping : AbortSignal.any([this.#stopping, abandonSignal]);
    const answer = this.#turn.then(async (): Promise<WireAnswer> => {
      const connection = this.#connectionOf(this.#remoteId);
      if (connection === undefined) return stopped('O remoto não tem endereço: é comparado por arquivos.');
      if (connection.secret === null)
        return stopped('O remoto está sem o segredo, que se foi com as chaves da pasta; grave-o de novo.');
      using turn = await waitForTurn(() => this.#takeTurn(this.#remoteId), this.#clock, abortSignal);
      // The caller no longer waits for the answer, and nothing was sent.
      if (turn === undefined) return this.#noLongerAwaited();
      return await work(connection, abortSignal); // holds the turn
    });
    this.#turn = answer.catch(() => undefined); // the caller gets the error
    return answer;
  }

  #noLongerAwaited(): WireAnswer {
    return { kind: 'rest', until: this.#clock.now(), operation: 'all', reason: NO_LONGER_AWAITED };
  }

  async #ask(
    connection: Connection,
    request: WireRequest,
    abortSignal: AbortSignal,
    file?: string,
  ): Promise<WireAnswer> {
    for (let isFirst = true; ; isFirst = false) {
      if (this.#session === undefined) {
        const refused = await this.#signIn(connection, abortSignal);
        // Without a session no operation is possible, so the rest covers all.
        if (refused !== undefined)
          return refused.kind === 'rest' ? { ...refused, operation: 'all' } : refused;
      }
      const rest = await this.#governor.admit(request.operation, connection);
      if (rest !== undefined) return rest;
      const exchanged = await this.#send(connection, request, abortSignal, file);
      // An aborted GET is no failure of the remote. The effect of any other aborted request is unknown.
      if (exchanged.kind === 'broken' && abortSignal.aborted && request.method === 'GET')
        return this.#noLongerAwaited();
      if (exchanged.kind === 'answered' && exchanged.status === UNAUTHORIZED) {
        this.#session = undefined;
        if (isFirst) continue;
        return stopped(`O remoto recusa a sessão que acaba de abrir: ${wordsOf(exchanged)}`);
      }
      return this.#answerOf(connection, request, exchanged, file);
    }
  }

  async #send(
    connection: Connection,
    { method, path, body, isList }: WireRequest,
    abortSignal: AbortSignal,
    to?: string,
  ): Promise<Exchanged> {
    const { token = '', csrf = '' } = this.#session ?? {};
    const text = body === undefined ? undefined : JSON.stringify(body);
    const exchanged = await exchange(
      {
        url: new URL(connection.url + path),
        method,
        body: text,
        to,
        isList,
        tls: this.#tls(connection),
        headers: {
          Authorization: token,
          'X-CSRF-Token': csrf,
          Accept: to === undefined ? 'application/json' : '*/*',
          ...(text !== undefined && {
            'Content-Type': 'application/json',
            'Content-Length': String(Buffer.byteLength(text)),
          }),
        },
      },
      this.#clock,
      abortSignal,
    );
    const renewed = exchanged.kind === 'answered' ? exchanged.headers['x-csrf-token'] : undefined;
    if (this.#session !== undefined && typeof renewed === 'string') this.#session.csrf = renewed;
    return exchanged;
  }

  #tls(connection: Connection) {
    return tlsOf(connection, nodeTls().rootCertificates);
  }

  /** Signs in. `undefined`: it succeeded. */
  async #signIn(
    connection: Connection,
    abortSignal: AbortSignal,
    isByPerson = false,
  ): Promise<WireAnswer | undefined> {
    const rest = await this.#governor.admitSignIn(connection, isByPerson);
    if (rest !== undefined) return rest;
    const result = await signIn(connection, this.#tls(connection), this.#clock, abortSignal);
    await this.#governor.recordSignIn();
    if (result.kind === 'exchanged' && result.exchanged.kind === 'broken' && abortSignal.aborted)
      return this.#noLongerAwaited();
    if (result.kind === 'exchanged') return this.#signInFailure(connection, result.exchanged);
    const { session } = result;
    if (await this.#isOwnToken(session.token))
      return stopped(`${connection.url} é esta própria instância; um remoto é outra.`);
    if (session.ambiente !== null && session.ambiente !== this.#ambiente && !connection.otherEnvironment)
      return stopped(
        `O remoto é do ambiente ${formatValue(session.ambiente)} e esta instância é de ${this.#ambiente}: códigos de atributos diferem. Se é isso que quer, diga no cadastro do remoto que ele é de outro ambiente.`,
      );
    this.#signInsRefused = 0;
    this.#governor.resetFailures();
    this.#session = session;
    return undefined;
  }

  async #signInFailure(connection: Connection, exchanged: Exchanged): Promise<WireAnswer> {
    const code = codeOf(exchanged);
    const isRefusal =
      exchanged.kind === 'answered' && exchanged.status >= 400 && exchanged.status < SERVER_ERROR;
    if (!isRefusal || exchanged.status === TOO_MANY || DAILY_STOP.has(code) || code === HOURLY_LIMIT) {
      const answer = await this.#answerOf(
        connection,
        { operation: SIGN_IN, method: 'GET', path: '' },
        exchanged,
      );
      if (answer.kind !== 'answer' && answer.kind !== 'unknown') return answer;
      const reason = answer.kind === 'unknown' ? answer.reason : 'a entrada não deu um token';
      return this.#governor.rest('all', this.#governor.endOfWait(undefined), reason);
    }
    const until = this.#clock.now() + SIGN_IN_PACE_MS;
    if (code === TOO_SOON)
      return this.#governor.rest('all', until, 'o remoto pede 60 segundos entre entradas');
    this.#signInsRefused += 1;
    const reason = `O remoto recusou a entrada: ${wordsOf(exchanged)}`;
    if (this.#signInsRefused < SIGN_INS_REFUSED_MAX) return { kind: 'rest', until, operation: 'all', reason };
    // A person checks the key before the next attempt; then the refusals are counted from 0.
    this.#signInsRefused = 0;
    return stopped(
      `${reason} Foram ${SIGN_INS_REFUSED_MAX} recusas; confira a chave ou o certificado do remoto.`,
    );
  }

  async #answerOf(
    connection: Connection,
    { operation, method, isList }: WireRequest,
    exchanged: Exchanged,
    to?: string,
  ): Promise<WireAnswer> {
    const now = this.#clock.now();
    if (exchanged.kind === 'broken') {
      const { code, unsent } = exchanged;
      if (unsent === true)
        return stopped(
          `Nada pôde ser pedido a ${connection.url} (${code}); grave de novo a ca e a credencial do remoto.`,
        );
      if (code === 'HUGE') return tooLarge(`passa de ${bytesText(maxBytesOf({ to, isList }))}`);
      if (isUntrusted(code))
        return stopped(`O certificado de ${connection.url} não foi aceito (${code}); nada foi enviado.`);
      const until = this.#governor.endOfWait(undefined);
      if (NOT_CONNECTED.test(code))
        return this.#governor.rest('all', until, `${connection.url} não pôde ser alcançado (${code})`);
      return { kind: 'unknown', reason: BROKEN[code] ?? `a conexão falhou (${code})`, until };
    }
    const { status, headers } = exchanged;
    if (status >= 300 && status < 400)
      return stopped(
        `O remoto respondeu com o redirecionamento ${status}, que nunca é seguido; confira o endereço do cadastro.`,
      );
    const code = codeOf(exchanged);
    if (code === HOURLY_LIMIT) {
      const [, time] = /após as (\d\d:\d\d)/.exec(exchanged.body.toString('utf8')) ?? [];
      const until =
        time === undefined
          ? this.#governor.endOfWait(headers['retry-after']) + MINUTE_MS
          : endOfFullHour(time, now);
      return this.#governor.rest(operation, until, 'limite por hora do remoto');
    }
    if (DAILY_STOP.has(code)) {
      const until = endOfDowntime(connection.downtime, now) ?? now + STOP_MS;
      return this.#governor.rest('all', until, 'parada programada do remoto');
    }
    if (status === TOO_MANY || GATEWAY_ERRORS.has(status)) {
      const until = this.#governor.endOfWait(headers['retry-after']);
      const reason = `o remoto respondeu ${status}`;
      if (status === TOO_MANY || method === 'GET') return this.#governor.rest('all', until, reason);
      await this.#governor.rest('all', until, reason);
      return { kind: 'unknown', reason, until };
    }
    if (status >= SERVER_ERROR) return { kind: 'unknown', reason: `o remoto respondeu ${status}` };
    const body = isList && status === OK ? await listIn(exchanged.body) : bodyOf(exchanged);
    if (body === TOO_MANY_ITEMS)
      return tooLarge(`tem mais de ${LIST_MAX_ITEMS.toLocaleString('pt-BR')} registros`);
    if (body === undefined) return { kind: 'unknown', reason: 'a resposta não é JSON' };
    this.#governor.resetFailures();
    return { kind: 'answer', status, body };
  }
}

const NO_LONGER_AWAITED = 'ninguém espera mais a resposta';

const BROKEN: Readonly<Record<string, string>> = {
  LATE: 'não houve resposta em 60 segundos',
  CUT: 'a resposta foi interrompida',
};

const stopped = (reason: string): WireAnswer => ({ kind: 'stopped', reason });

const tooLarge = (description: string): WireAnswer => ({
  kind: 'tooLarge',
  reason: `A resposta do remoto ${description}, o limite do que se lê de uma; ela foi cortada e não é pedida de novo.`,
});

/** Parses the body. `undefined`: it is not JSON, or is nested too deeply. */
function bodyOf({ body }: { readonly body: Buffer }): unknown {
  const text = body.toString('utf8');
  return text.trim() === '' ? null : tryParseJson(text);
}

const member = (exchanged: Exchanged, name: 'code' | 'message'): string | undefined =>
  exchanged.kind === 'answered' ? textMemberIn(bodyOf(exchanged), name) : undefined;

/** Returns the code of a refusal, or an empty text for any other answer. */
const codeOf = (exchanged: Exchanged): string =>
  exchanged.kind === 'answered' && exchanged.status >= 400 ? (member(exchanged, 'code') ?? '') : '';

/** Returns the remote's message of a refusal, as far as it can be shown. */
function wordsOf(exchanged: Exchanged): string {
  if (exchanged.kind === 'broken') return exchanged.code;
  const message = member(exchanged, 'message');
  return message === undefined
    ? `status ${exchanged.status}`
    : `${formatValue(message)} (${foreignText(codeOf(exchanged))})`;
}
