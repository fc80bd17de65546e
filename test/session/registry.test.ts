/** Memory does not keep every user that ever signed in. */
import { expect, test } from 'bun:test';
import { REMEMBERED_CALLERS, jtiOf } from '../../src/session/registry.ts';
import { instanceNameOf } from '../../src/session/secrets.ts';
import { START, openApp } from '../support/app.ts';

test('so many callers are remembered and no more, and one that was forgotten is found again', async () => {
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
