/** The live stream of the journal to a reader who is slow. */
import { expect, test } from 'bun:test';
import { openApp } from '../../support/app.ts';

const REQUESTS = '/appliance/api/requests';
const KEY_SIGN_IN = '/portal/api/autenticar/chave-acesso';

test('whoever follows and does not read loses the oldest rows, and is told how many', async () => {
  const server = await openApp();
  const { headers } = await server.anybody.call('POST', KEY_SIGN_IN, undefined, {
    'client-id': 'admin',
    'client-secret': 'admin',
    'role-type': 'IMPEXP',
  });
  const { body } = await server.app.fetch(
    new Request(`http://catp.test${REQUESTS}/live`, {
      headers: {
        authorization: headers.get('set-token') ?? '',
        'x-csrf-token': headers.get('x-csrf-token') ?? '',
      },
    }),
  );
  for (let at = 1; at <= 1005; at += 1) await server.anybody.call('GET', `/nada/${at}`);
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let said = '';
  while (!said.includes('/nada/1005"')) said += (await reader?.read())?.value ?? '';
  expect(said).toStartWith(': catp\n\nevent: lost\ndata: {"count":5}\n\nid: ');
  expect(said.match(/^data: \{"id"/gm)).toHaveLength(1000);
  await reader?.cancel();
  await server.close();
});
