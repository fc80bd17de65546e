/**
 * Sign-in by a provider on the compiled executable, in which the library is loaded late (contract section
 * 27).
 */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HostileProvider } from '../support/hostile-provider.ts';
import { certificateFiles, issue } from '../support/tls.ts';
import { type Sandbox, ask, openSandbox } from './support.ts';

const PERSON = '52998224725';
const HOME = 'http://catalogo.exemplo:8080';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await openSandbox();
});
afterEach(() => sandbox.close());

test('a server with an issuer signs a person in, with a secret and an authority from files', async () => {
  const [tls, { ca }] = await Promise.all([issue(), certificateFiles()]);
  await using provider = new HostileProvider({ tls });
  writeFileSync(join(sandbox.folder, 'segredo'), HostileProvider.client.secret);
  provider.person = { sub: 'pessoa-1', documento: '529.982.247-25' };
  const settings = [
    '--set',
    `oidc.emissor=${provider.issuer}`,
    '--set',
    `oidc.clienteId=${HostileProvider.client.id}`,
    '--set',
    'oidc.segredo=segredo',
    '--set',
    'oidc.documento=documento',
    '--set',
    'oidc.rotulo=Entrar pelo diretório',
    '--set',
    'oidc.grupos=grupos',
    '--set',
    'oidc.criar=true',
    '--set',
    'oidc.escopos=openid profile',
    '--set',
    `oidc.ca=${ca}`,
    '--set',
    `servidor.endereco=${HOME}`,
  ];
  const { url } = await sandbox.start('serve', '--port', '0', '--data', 'dados', ...settings);
  for (const words of [
    ['company', 'add', '12345678', '--nome', 'Exemplo', '--cnpj', '12345678000195'],
    ['user', 'add', PERSON, '--nome', 'Maria'],
    ['representation', 'add', PERSON, '12345678'],
  ])
    expect(sandbox.run([...words, '--data', 'dados'])).toMatchObject({ code: 0 });
  const identity = [`documento=${PERSON}`, 'issuer=https://outro.exemplo', 'sub=1'];
  for (const operation of ['bindIdentity', 'unbindIdentity'])
    expect(sandbox.run(['call', operation, ...identity, '--data', 'dados'])).toMatchObject({ code: 0 });
  const page = await (await fetch(`${url}/entrar`, { headers: { accept: 'text/html' } })).text();
  expect(page).toContain('content="Entrar pelo diretório"');
  // `sandbox.run` would block the provider, which runs in this process.
  const doctor = Bun.spawn([sandbox.executable, 'doctor', '--data', 'dados', ...settings], {
    cwd: sandbox.folder,
    env: {},
    stdout: 'pipe',
  });
  expect(await new Response(doctor.stdout).text()).toContain('os relógios concordam');
  const redirect = await fetch(`${url}/entrar/oidc`, { redirect: 'manual' });
  const address = redirect.headers.get('location') ?? '';
  expect(new URL(address).searchParams.get('scope')).toBe('openid profile');
  const [cookie = ''] = (redirect.headers.get('set-cookie') ?? '').split(';', 1);
  const back = await fetch(`${url}/entrar/oidc/retorno?${provider.authorize(address).toString()}`, {
    redirect: 'manual',
    headers: { cookie },
  });
  const [, code] = /#codigo=(.+)$/.exec(back.headers.get('location') ?? '') ?? [];
  const sessionAnswer = await fetch(`${url}/appliance/api/session/oidc`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  const tokens = {
    authorization: sessionAnswer.headers.get('set-token') ?? '',
    'x-csrf-token': sessionAnswer.headers.get('x-csrf-token') ?? '',
  };
  expect(await (await ask(url, '/appliance/api/session', tokens)).json()).toMatchObject({
    documento: PERSON,
  });
});

test('a server with an issuer does not start without the address for the redirect of the provider', () => {
  sandbox.init('dados');
  const settings = ['--set', 'oidc.emissor=https://login.exemplo', '--set', 'oidc.clienteId=catp'];
  const { code, stderr } = sandbox.run(['serve', '--port', '0', '--data', 'dados', ...settings]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('oidc.emissor pede servidor.endereco')]);
});
