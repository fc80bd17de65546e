/** Three kinds of clients against a server with injected faults. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type TestApp, openApp } from '../../support/app.ts';
import { type Scheme, trusting } from '../../support/tls.ts';

export const FAULTS = '/appliance/api/faults';
export const LIST = '/catp/api/ext/produto?cpfCnpjRaiz=12345678';
export const PRODUCTS = '/catp/api/ext/produto/12345678';
export const PRODUCT = { denominacao: 'Café em grão', modalidade: 'IMPORTACAO', ncm: '09012100' } as const;

export interface RawAnswer {
  /** The status of the answer. `undefined`: no head arrived. */
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** True if the answer is complete. */
  readonly whole: boolean;
}

export interface RawRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request by node:http. Returns what arrived before the connection failed. */
export function byNode(
  url: string,
  { method = 'GET', path, headers = {}, body }: RawRequest,
): Promise<RawAnswer> {
  const { promise, resolve } = Promise.withResolvers<RawAnswer>();
  const send = url.startsWith('https:') ? httpsRequest : httpRequest;
  let isAnswered = false;
  const nothing = (): void => {
    if (!isAnswered) resolve({ status: undefined, headers: {}, body: '', whole: false });
  };
  const outgoing = send(
    `${url}${path}`,
    { method, headers, agent: false, rejectUnauthorized: false },
    (answer) => {
      isAnswered = true;
      let text = '';
      const end = (whole: boolean): void =>
        resolve({ status: answer.statusCode, headers: answer.headers, body: text, whole });
      answer.on('data', (chunk) => (text += String(chunk)));
      answer.on('error', () => end(false));
      answer.on('aborted', () => end(false));
      answer.on('end', () => end(answer.complete));
      answer.on('close', () => end(answer.complete));
    },
  );
  outgoing.on('error', nothing);
  outgoing.on('close', nothing);
  outgoing.end(body);
  return promise;
}

/** Sends a request by fetch. Returns `undefined` when it rejects, before or during the answer. */
export async function byFetch(url: string, { method = 'GET', path, headers = {}, body }: RawRequest) {
  try {
    const answer = await trusting(`${url}${path}`, { method, headers, ...(body !== undefined && { body }) });
    return { status: answer.status, body: await answer.text() };
  } catch {
    return undefined;
  }
}

/** Sends a request by curl. Returns its exit code and its output. */
export async function byCurl(url: string, { method = 'GET', path, headers = {}, body }: RawRequest) {
  const headerFlags = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const data = body === undefined ? [] : ['--data-binary', body];
  const child = Bun.spawn(['curl', '-sS', '-k', '-X', method, ...headerFlags, ...data, `${url}${path}`], {
    stdout: 'pipe',
    stderr: 'ignore',
  });
  return { body: await new Response(child.stdout).text(), code: await child.exited };
}

async function tokensFor(url: string, key: string): Promise<Record<string, string>> {
  const answer = await trusting(`${url}/portal/api/autenticar/chave-acesso`, {
    method: 'POST',
    headers: { 'client-id': key, 'client-secret': key, 'role-type': 'IMPEXP' },
  });
  return {
    authorization: answer.headers.get('set-token') ?? '',
    'x-csrf-token': answer.headers.get('x-csrf-token') ?? '',
  };
}

export interface Faulty {
  readonly server: TestApp;
  readonly url: string;
  readonly demo: Record<string, string>;
  /** Adds a rule. Returns its id. */
  readonly fail: (rule: object) => Promise<number>;
  readonly rules: () => Promise<Record<string, unknown>[]>;
  /** Returns the denominações of the products of company 12345678. */
  readonly products: () => Promise<string[]>;
  readonly close: () => Promise<void>;
}

export async function openFaulty(over: Scheme): Promise<Faulty> {
  const server = await openApp({ over });
  const url = server.url ?? '';
  const admin = await server.as('admin');
  const client = await server.as('demo');
  return {
    server,
    url,
    demo: await tokensFor(url, 'demo'),
    fail: async (rule) => {
      const reply = await admin.call('POST', FAULTS, rule);
      if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
      return reply.json.id as number;
    },
    rules: async () => (await admin.call('GET', FAULTS)).json as Record<string, unknown>[],
    products: async () => {
      const reply = await client.call('GET', LIST);
      return reply.status === 204
        ? []
        : (reply.json as { denominacao: string }[]).map(({ denominacao }) => denominacao);
    },
    close: () => server.close(),
  };
}
