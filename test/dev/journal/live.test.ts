/** The live stream of the journal to a slow reader. */
import { expect, test } from 'bun:test';
import { type TestApp, openApp } from '../../support/app.ts';

const REQUESTS = '/appliance/api/requests';
const KEY_SIGN_IN = '/portal/api/autenticar/chave-acesso';

/** Opens the stream. The follower begins to read on command. */
async function openStream(server: TestApp, key: 'admin' | 'demo', query = '') {
  const { headers } = await server.anybody.call('POST', KEY_SIGN_IN, undefined, {
    'client-id': key,
    'client-secret': key,
    'role-type': 'IMPEXP',
  });
  const { body } = await server.app.fetch(
    new Request(`http://catp.test${REQUESTS}/live${query}`, {
      headers: {
        authorization: headers.get('set-token') ?? '',
        'x-csrf-token': headers.get('x-csrf-token') ?? '',
      },
    }),
  );
  if (body === null) throw new Error('no stream');
  return () => body.pipeThrough(new TextDecoderStream()).getReader();
}

test('a user who is no administrator follows only its own requests, and those of pages on request', async () => {
  const server = await openApp();
  const demo = await server.as('demo');
  const readers = [await openStream(server, 'demo'), await openStream(server, 'demo', '?pages=true')];
  await server.anybody.call('GET', '/nada/de-outro');
  await demo.call('GET', '/nada/da-pagina', undefined, { 'x-catp-pagina': '1' });
  await demo.call('GET', '/nada/meu');
  for (const [at, begin] of readers.entries()) {
    const reader = begin();
    let stream = '';
    while (!stream.includes('/nada/meu')) stream += (await reader.read()).value ?? '';
    expect(stream).not.toContain('/nada/de-outro');
    expect(stream.includes('/nada/da-pagina')).toBe(at === 1);
    await reader.cancel();
  }
  await server.close();
});

test('a follower who does not read loses the oldest rows, and gets their number', async () => {
  const server = await openApp();
  const begin = await openStream(server, 'admin');
  for (let at = 1; at <= 1005; at += 1) await server.anybody.call('GET', `/nada/${at}`);
  const reader = begin();
  let stream = '';
  while (!stream.includes('/nada/1005"')) stream += (await reader.read()).value ?? '';
  expect(stream).toStartWith(': catp\n\nevent: lost\ndata: {"count":5}\n\nid: ');
  expect(stream.match(/^data: \{"id"/gm)).toHaveLength(1000);
  await reader.cancel();
  await server.close();
});
