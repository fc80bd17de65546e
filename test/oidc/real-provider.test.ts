/** Sign-in by a real provider, as in a browser (contract section 27). */
import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApp } from '../support/app.ts';
import { codeOf, cookieOf } from '../support/provider-sign-in.ts';
import { REAL_CLIENT, openRealProvider } from '../support/real-provider.ts';

test('a person signs in at a real provider, and is recognised by a claim of its userinfo', async () => {
  const home = 'http://catalogo.exemplo:8080';
  await using provider = await openRealProvider(home);
  const folder = mkdtempSync(join(tmpdir(), 'catp-oidc-'));
  writeFileSync(join(folder, 'segredo'), REAL_CLIENT.secret);
  const app = await openApp({
    settings: {
      'oidc.emissor': provider.issuer,
      'oidc.clienteId': REAL_CLIENT.id,
      'oidc.segredo': join(folder, 'segredo'),
      'servidor.endereco': home,
    },
  });
  const start = await app.anybody.call('GET', '/entrar/oidc');
  const returned = await signedInAt(start.headers.get('location') ?? '', home);
  const { pathname, search } = new URL(returned);
  expect(pathname).toBe('/entrar/oidc/retorno');
  const cookie = cookieOf(start);
  const back = await app.anybody.call('GET', `${pathname}${search}`, undefined, { cookie });
  const code = codeOf(back);
  const traded = await app.anybody.call('POST', '/appliance/api/session/oidc', { code }, { cookie });
  const session = await app.anybody.call('GET', '/appliance/api/session', undefined, {
    authorization: traded.headers.get('set-token') ?? '',
    'x-csrf-token': traded.headers.get('x-csrf-token') ?? '',
  });
  expect(session.json).toMatchObject({ documento: '00000000191', perfil: 'IMPEXP' });
  await app.close();
  rmSync(folder, { recursive: true });
});

/** Goes through the provider as a browser does. Returns the address to which it leads back. */
async function signedInAt(start: string, home: string): Promise<string> {
  const cookies = new Map<string, string>();
  let [address, method] = [start, 'GET'];
  for (let steps = 0; steps < 10; steps += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(address, { method, redirect: 'manual', headers: { cookie } });
    for (const text of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    // The page of the provider has one button.
    method = location === null ? 'POST' : 'GET';
    if (location === null && response.status !== 200) throw new Error(await response.text());
    if (location !== null) address = new URL(location, address).href;
    if (address.startsWith(home)) return address;
  }
  throw new Error(`the provider leads nowhere: ${address}`);
}
