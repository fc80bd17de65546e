/**
 * `catp dev --report`: the requests that the public service would have refused, in a file at the end of the
 * run (contract section 21).
 */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { RunningCatp } from '../support/executable.ts';
import { refusalOf } from './outcome.ts';
import { type Sandbox, openSandbox, tokensOf } from './support.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await openSandbox();
});
afterEach(() => sandbox.close());

const DEV = ['dev', '--empty', '--port', '0', '--data', 'dados'];
const at = (name: string): string => join(sandbox.folder, name);

async function include({ url }: RunningCatp, modalidade: string): Promise<void> {
  const tokens = (await tokensOf(url, 'demo', 'demo')) as Record<string, string>;
  const { status } = await fetch(`${url}/catp/api/ext/produto/12345678`, {
    method: 'POST',
    headers: { ...tokens, 'content-type': 'application/json' },
    body: JSON.stringify({ denominacao: 'Caixa', modalidade, ncm: '39269090' }),
  });
  expect(status).toBe(200);
}

test('SIGTERM writes JSON over an earlier report, which is deleted at the start', async () => {
  writeFileSync(at('achados.json'), 'de ontem');
  const catp = await sandbox.start(...DEV, '--report', 'achados.json');
  expect(existsSync(at('achados.json'))).toBe(false);
  await include(catp, 'AMBOS');
  expect(await catp.stop()).toBe(0);
  expect(JSON.parse(readFileSync(at('achados.json'), 'utf8'))).toMatchObject({
    findings: [{ rule: 'modalidade', count: 1, users: ['00000000191'], requests: [expect.any(Number)] }],
  });
});

test('Ctrl+C writes JUnit to a name that ends in .xml, without a failure when there is none', async () => {
  const catp = await sandbox.start(...DEV, '--report', 'achados.XML');
  await include(catp, 'IMPORTACAO');
  catp.process.kill('SIGINT');
  expect(await catp.process.exited).toBe(0);
  expect(readFileSync(at('achados.XML'), 'utf8')).toContain('failures="0"');
});

test('a symbolic link is kept: its target is empty during the run, and has the report at the end', async () => {
  mkdirSync(at('pasta'));
  writeFileSync(at('pasta/achados.json'), 'de ontem');
  symlinkSync('pasta/achados.json', at('atalho.json'));
  const catp = await sandbox.start(...DEV, '--report', 'atalho.json');
  expect(readFileSync(at('pasta/achados.json'), 'utf8')).toBe('');
  expect(await catp.stop()).toBe(0);
  expect(lstatSync(at('atalho.json')).isSymbolicLink()).toBe(true);
  expect(JSON.parse(readFileSync(at('pasta/achados.json'), 'utf8'))).toEqual({ findings: [] });
});

test('a pipe gets the report for its reader; without a reader the end logs it and is not delayed', async () => {
  expect(Bun.spawnSync(['mkfifo', at('cano')]).exitCode).toBe(0);
  const withoutReader = await sandbox.start(...DEV, '--report', 'cano');
  expect(await withoutReader.stop()).toBe(1);
  expect(await withoutReader.allStderr()).toContain('--report: cano não pode ser gravado');
  const withReader = await sandbox.start(...DEV, '--report', 'cano');
  const reader = openSync(at('cano'), constants.O_RDONLY | constants.O_NONBLOCK);
  expect(await withReader.stop()).toBe(0);
  expect(JSON.parse(readFileSync(reader, 'utf8'))).toEqual({ findings: [] });
  closeSync(reader);
});

test('an unwritable path is reported before anything is created', () => {
  mkdirSync(at('pasta'));
  for (const place of ['nada/achados.json', 'pasta']) {
    expect(refusalOf(sandbox, [...DEV, '--report', place])).toContain(
      `--report: ${place} não pode ser gravado`,
    );
    expect(existsSync(at('dados'))).toBe(false);
  }
});
