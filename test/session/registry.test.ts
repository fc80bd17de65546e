/** Memory holds a limited number of signed-in users. */
import { expect, test } from 'bun:test';
import { REMEMBERED_CALLERS, jtiOf } from '../../src/session/registry.ts';
import { instanceNameOf } from '../../src/session/secrets.ts';
import { START, openApp } from '../support/app.ts';

test('a limited number of callers is cached, and an evicted one is loaded again', async () => {
  const server = await openApp();
  try {
    const { registry } = server.app.core.session;
    const instance = instanceNameOf(server.app.core.folder.keys.secrets);
    const find = (session: number) =>
      registry.find({
        documento: '00000000191',
        nome: 'Demo',
        perfil: 'IMPEXP',
        tipo: 'PRIV',
        ambiente: 'validacao',
        jti: jtiOf({ kind: 'key', name: 'demo' }, instance, String(session), START),
        expiresAt: START,
      });
    for (let session = 0; session < REMEMBERED_CALLERS; session += 1) find(session);
    expect(registry.size).toBe(REMEMBERED_CALLERS);
    find(REMEMBERED_CALLERS);
    expect(registry.size).toBe(REMEMBERED_CALLERS);
    expect(find(0)?.documento).toBe('00000000191');
  } finally {
    await server.close();
  }
});
