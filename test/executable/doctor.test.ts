/** `catp doctor` for an operator (contract section 16). */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Sandbox, openSandbox } from './support.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await openSandbox();
  sandbox.init('dados');
});
afterEach(() => sandbox.close());

interface Finding {
  readonly check: string;
  readonly level: string;
  readonly message: string;
  readonly remedy: string | null;
}

const DOCTOR = ['doctor', '--json', '--data', 'dados'] as const;

function examine(...words: string[]): {
  readonly code: number;
  readonly levels: Readonly<Record<string, string>>;
} {
  const { code, stdout, stderr } = sandbox.run(words);
  expect(stderr).toBe('');
  const findings = JSON.parse(stdout) as Finding[];
  for (const { message, remedy, level } of findings) {
    expect(message.length).toBeGreaterThan(10);
    expect(remedy === null).toBe(level === 'ok');
  }
  return { code, levels: Object.fromEntries(findings.map(({ check, level }) => [check, level])) };
}

const CHECKS = [
  ...[
    'integrity',
    'foreign-keys',
    'schema',
    'writer',
    'durability',
    'permissions',
    'folders',
    'disk',
    'clock',
    'tls',
    'attribute-table',
  ],
  ...['backup', 'drill', 'audit', 'settings'],
];

test('a new instance has warnings; a tested backup removes them, also next to a running server', async () => {
  const first = examine(...DOCTOR);
  expect(Object.keys(first.levels)).toEqual(CHECKS);
  expect([first.code, first.levels]).toMatchObject([
    1,
    { integrity: 'ok', backup: 'warning', drill: 'warning', 'attribute-table': 'notice', settings: 'ok' },
  ]);
  const server = await sandbox.start('serve', '--port', '0', '--data', 'dados');
  for (const words of [['backup'], ['job', 'run', 'teste-de-restauracao']])
    expect(sandbox.run([...words, '--data', 'dados']).code).toBe(0);
  expect(examine(...DOCTOR)).toMatchObject({ code: 0, levels: { backup: 'ok', drill: 'ok', schema: 'ok' } });
  expect(examine(...DOCTOR, '--receivers').levels).toMatchObject({ receivers: 'ok' });
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
});

test.each(['doctor', 'migrate'])('catp %s creates no file in a folder that no server uses', (name) => {
  const folder = join(sandbox.folder, 'dados');
  const content = () => [readdirSync(folder).sort(), readFileSync(join(folder, 'catp.sqlite'))];
  const before = content();
  expect(sandbox.run([name, '--data', 'dados']).stdout).not.toBe('');
  expect(content()).toEqual(before);
});

test('prints one line for each check, and the next step under each failed one', () => {
  const { code, stdout } = sandbox.run(['doctor', '--data', 'dados']);
  expect(code).toBe(1);
  expect(stdout).toContain('bom     integrity: O banco de dados está inteiro.\n');
  expect(stdout).toMatch(
    /^ALERTA {2}backup: Nenhuma cópia de segurança foi feita\.\n {8}→ Faça uma com catp backup/m,
  );
});

test('an error ends with 2: broken settings are reported and do not hide the other checks', () => {
  expect(examine(...DOCTOR, '--set', 'porta=muito')).toMatchObject({
    code: 2,
    levels: { settings: 'error', integrity: 'ok' },
  });
  writeFileSync(join(sandbox.folder, 'ruim.toml'), 'ambiente = "lua"\n');
  expect(examine(...DOCTOR, '--config', 'ruim.toml')).toMatchObject({
    code: 2,
    levels: { settings: 'error' },
  });
});

test('a folder without an instance is refused', () => {
  const { code, stdout, stderr } = sandbox.run(['doctor', '--data', 'nada']);
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('não é uma pasta de dados')]);
});
