/** The reason of a refused sign-in by access key, only for the operator (contract section 2). */
import { afterEach, expect, test } from 'bun:test';
import { DAY_MS } from '../../src/clock.ts';
import { type Secured, openSecured } from '../tls/secured.ts';

const PATH = '/portal/api/autenticar/chave-acesso';
const SECRET = 'segredo-que-ninguem-pode-ver';
const ROLE = { 'role-type': 'IMPEXP' };

let secured: Secured;
afterEach(() => secured.close());

interface Refusal {
  /** Reasons in the log, the terminal and the journal. */
  readonly reasons: readonly string[];
  readonly body: object;
}

async function refusal(
  headers: Record<string, string>,
  { body, query = '' }: { readonly body?: string; readonly query?: string } = {},
): Promise<Refusal> {
  const before = secured.printed.length;
  const reply = await fetch(`${secured.plain.url}${PATH}${query}`, {
    method: 'POST',
    headers: { ...ROLE, ...headers },
    ...(body !== undefined && { body }),
  });
  const answered = (await reply.json()) as object;
  expect(reply.status).toBe(422);
  const line = secured.exchanges.findLast(({ code }) => code === 'PLAT-ER8008');
  const [row] = await journal();
  const lines = secured.printed.slice(before);
  expect(lines).toHaveLength(1);
  expect([row.notices.length, row.notices[0].path]).toEqual([1, null]);
  const place = 'Entrada por chave de acesso de 127.0.0.1 recusada (PLAT-ER8008): ';
  expect(lines[0]).toStartWith(place);
  const text = JSON.stringify([lines, line, row.notices, answered]);
  expect(text).not.toContain(SECRET);
  return {
    reasons: [String(line?.['reason']), lines[0]?.slice(place.length) ?? '', row.notices[0].message],
    body: { ...answered, tag: '' },
  };
}

const journal = async () =>
  (
    await (
      await secured.server.as('admin')
    ).call('GET', `/appliance/api/requests?path=chave-acesso&status=422`)
  ).json;

/** Expects the same reason in each place, containing this part. */
function expectReason({ reasons: [first = '', ...others] }: Refusal, part: string): void {
  expect(others).toEqual([first, first]);
  expect(first).toContain(part);
}

test('an unknown key, a revoked one, an expired one and a wrong secret have different reasons and the same answer', async () => {
  secured = await openSecured();
  const { accounts } = secured.server.app.core.session;
  const documento = '00000000191';
  const keyOf = (expiresAt: number | null = null) => accounts.addKey({ documento, expiresAt }, 'teste');
  const [revoked, short] = [await keyOf(), await keyOf(secured.server.clock.now() + DAY_MS)];
  await accounts.revokeKey(revoked.clientId, 'teste');
  const user = {
    documento: '00000000606',
    nome: 'Sai',
    tipo: 'PRIV',
    orgao: null,
    administrador: false,
  } as const;
  await accounts.putUser(user, 'teste');
  const orphan = await accounts.addKey({ documento: user.documento }, 'teste');
  await accounts.removeUser(user.documento, 'teste');
  secured.server.clock.moveTo(secured.server.clock.now() + 2 * DAY_MS);

  const keyHeaders = (id: string, secret = SECRET) => ({ 'client-id': id, 'client-secret': secret });
  const refusals = [
    await refusal(keyHeaders('ninguem')),
    await refusal(keyHeaders(revoked.clientId)),
    await refusal(keyHeaders(orphan.clientId, orphan.clientSecret)),
    await refusal(keyHeaders(short.clientId, short.clientSecret)),
    await refusal(keyHeaders('demo')),
  ];
  const parts = ['desconhecida', 'revogada', 'revogada', 'venceu', 'segredo está errado'];
  refusals.forEach((one, at) => expectReason(one, parts[at] ?? ''));
  for (const { body } of refusals) expect(body).toEqual(refusals[0]?.body ?? {});
});

test.each<[string, Record<string, string>, { body?: string; query?: string }, string[]]>([
  ['nothing', {}, {}, ['nem o cabeçalho Client-Id nem Client-Secret']],
  ['no secret', { 'client-id': 'demo' }, {}, ['Não veio o cabeçalho Client-Secret']],
  ['no id', { 'client-secret': SECRET }, {}, ['Não veio o cabeçalho Client-Id']],
  [
    'a key in a JSON body',
    { 'content-type': 'application/json' },
    { body: JSON.stringify({ clientId: 'demo', client_secret: SECRET, outro: 1 }) },
    ['O corpo tem clientId, client_secret, e o corpo é ignorado'],
  ],
  [
    'a key in a form',
    { 'content-type': 'application/x-www-form-urlencoded' },
    { body: `client_id=demo&client_secret=${SECRET}` },
    ['O corpo tem client_id, client_secret'],
  ],
  ['a key in the query', {}, { query: `?client-secret=${SECRET}` }, ['O endereço tem client-secret']],
  ['a body that is no JSON', {}, { body: `{"clientId": "${SECRET}` }, ['nem o cabeçalho Client-Id']],
  ['basic authentication', { authorization: `Basic ${btoa(`demo:${SECRET}`)}` }, {}, ['Veio Authorization']],
])('%s instead of the headers is named', async (_, headers, more, parts) => {
  secured = await openSecured();
  const refused = await refusal(headers, more);
  for (const part of parts) expectReason(refused, part);
  expect(refused.reasons[0]).not.toContain('outro');
});

test('a sign-in that succeeds has no reason', async () => {
  secured = await openSecured();
  await secured.server.as('demo');
  expect(secured.printed).toEqual([]);
  expect(secured.exchanges.at(-1)).not.toHaveProperty('reason');
});
