/** Requests to the server under check. A missing answer is a value: the server is killed often. */

import { SLOWNESS } from './slowness.ts';

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** The parsed body; `undefined` when it is missing. */
  readonly body: unknown;
}

export interface Client {
  /** `undefined`: no answer arrived, so the effect of the request is unknown. */
  call(method: string, path: string, body?: unknown): Promise<Answer | undefined>;
}

const ANSWER_WITHIN_MS = 20_000 * SLOWNESS;

/** Signs in with one of the fixed users of `dev`. `always`: headers of each request. Throws when it fails. */
export async function signIn(
  url: string,
  key: string,
  always: Readonly<Record<string, string>> = {},
): Promise<Client> {
  const response = await fetch(`${url}/portal/api/autenticar/chave-acesso`, {
    method: 'POST',
    headers: { ...always, 'client-id': key, 'client-secret': key, 'role-type': 'IMPEXP' },
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${key} não pôde entrar: ${response.status} ${text}`);
  const headers = {
    ...always,
    authorization: response.headers.get('set-token') ?? '',
    'x-csrf-token': response.headers.get('x-csrf-token') ?? '',
  };
  return { call: (method, path, body) => call(`${url}${path}`, method, headers, body) };
}

async function call(
  address: string,
  method: string,
  headers: Record<string, string>,
  body: unknown,
): Promise<Answer | undefined> {
  const isForm = body instanceof FormData;
  try {
    const response = await fetch(address, {
      method,
      headers: isForm || body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    const text = await response.text();
    return { status: response.status, text, body: text === '' ? undefined : parsed(text) };
  } catch {
    return undefined;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
