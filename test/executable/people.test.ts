/** `catp user import` and `catp user invite`: access for people (contract section 27). */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Sandbox, openSandbox } from './support.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
  for (const args of [
    ['init'],
    ['company', 'add', '12345678', '--nome', 'Exemplo S.A.'],
    ['company', 'add', '87654321', '--nome', 'Outra Ltda.'],
    ['user', 'add', '00000000191', '--nome', 'Maria', '--email', 'maria@exemplo.com.br'],
  ])
    expect(run(...args)).toMatchObject({ code: 0 });
});
afterAll(() => sandbox.close());

const run = (...args: string[]) => sandbox.run([...args, '--data', 'dados']);
const list = (text: string, name = 'pessoas.csv'): string => {
  writeFileSync(join(sandbox.folder, name), text);
  return name;
};
const PEOPLE = `documento;nome;email;empresa;papel
11144477735;Ana Souza;ana@exemplo.com.br;12345678;preenchimento
11144477735;Ana Souza;;87654321;leitura
52998224725;Bia;maria@exemplo.com.br;12345678;leitura
52998224725;Bia;;99999999;leitura
52998224725;Bia;;12345678;dono
`;

test('a dry run reports the failures and writes nothing; then the valid lines are executed', () => {
  const file = list(PEOPLE);
  const dryRun = run('user', 'import', file, '--simular');
  expect([dryRun.code, dryRun.stdout]).toMatchObject([
    1,
    expect.stringContaining('nada foi gravado: 2 acessos'),
  ]);
  expect(run('user', 'list').stdout).not.toContain('11144477735');
  const result = run('user', 'import', file);
  expect(result.code).toBe(1);
  expect(result.stdout).toContain('2 acessos dados; 3 linhas com erro.');
  expect(result.stderr).toMatch(/linha 4: email: .*já é do usuário 00000000191/);
  expect(result.stderr).toMatch(/linha 5: .*99999999/);
  expect(result.stderr).toMatch(/linha 6: papel: .*dono/);
  const representations = run('representation', 'list').stdout;
  expect(representations).toMatch(/11144477735 +12345678 +IMPEXP +preenchimento/);
  expect(representations).toMatch(/11144477735 +87654321 +IMPEXP +leitura/);
  expect(run('user', 'list').stdout).not.toContain('52998224725');
});

test.each([
  ['documento;nome;papel\n1;A;leitura\n', 'não tem a coluna empresa'],
  ['documento;nome;empresa;papel;cargo\n1;A;12345678;leitura;x\n', 'cargo'],
  ['documento;nome;empresa;papel\n', 'não tem linhas'],
  ['documento;documento;nome;empresa;papel\n1;1;A;12345678;leitura\n', 'documento'],
])('a list %j is refused with its requirements', (text, reason) => {
  const { code, stderr } = run('user', 'import', list(text, 'outra.csv'));
  expect([code, stderr]).toMatchObject([1, expect.stringContaining(reason)]);
  expect(stderr).toContain('documento;nome;email;empresa;papel');
});

test('wrong check digits are refused in the profile portal, as user add refuses them', () => {
  const file = list('documento;nome;empresa;papel\n52998224726;Bia;12345678;leitura\n', 'digitos.csv');
  const refusal = sandbox.run(['user', 'import', file, '--data', 'dados', '--set', 'perfil=portal']);
  expect([refusal.code, refusal.stderr]).toMatchObject([1, expect.stringContaining('dígitos verificadores')]);
  expect(run('user', 'list').stdout).not.toContain('52998224726');
});

test.each(['especificacao', 'portal'])(
  'a punctuated CPF is refused by its form alone: perfil %s',
  (perfil) => {
    const file = list('documento;nome;empresa;papel\n529.982.247-25;Bia;12345678;leitura\n', 'pontos.csv');
    const refusal = sandbox.run(['user', 'import', file, '--data', 'dados', '--set', `perfil=${perfil}`]);
    expect([refusal.code, refusal.stderr]).toMatchObject([
      1,
      expect.stringMatching(/^linha 2: documento: recebido "529\.982\.247-25"; aceita CPF com 11/),
    ]);
  },
);

test('a list without errors ends with 0, also when a setting is given', () => {
  const file = list('documento;nome;empresa;papel\n52998224725;Bia;12345678;aprovacao\n', 'boa.csv');
  list('porta = 0\n', 'catp.toml');
  const result = sandbox.run([
    'user',
    'import',
    file,
    '--data',
    'dados',
    '--config',
    'catp.toml',
    '--set',
    'perfil=portal',
  ]);
  expect([result.code, result.stdout]).toEqual([0, '1 acesso dado; 0 linhas com erro.\n']);
});

test('invites a person to set a password, and prints the address once', () => {
  const { code, stdout } = run('user', 'invite', '00000000191');
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(
      /^http:\/\/127\.0\.0\.1:8080\/convite#[\w-]{43}\nVale uma vez, até \d{4}-.*-03:00\. Entregue-o só à pessoa/,
    ),
  ]);
  const invitation = sandbox.run([
    ...['user', 'invite', '00000000191', '--data', 'dados', '--config', 'dados/catp.toml'],
    ...['--set', 'servidor.endereco=https://catalogo.empresa.exemplo'],
  ]);
  expect(invitation.stdout).toMatch(/^https:\/\/catalogo\.empresa\.exemplo\/convite#[\w-]{43}\n/);
  expect(run('user', 'invite', '98765432100')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Não existe usuário'),
  });
});
