/**
 * Endless files, or files far above the size of their kind (contract section 16): each command refuses
 * them before it reads them completely, in seconds.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { copyFileSync, cpSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Sandbox, type Finished, openSandbox } from './support.ts';

const GIB = 2 ** 30;
const MIB = 2 ** 20;

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
  writeFileSync(place('enorme'), '');
  truncateSync(place('enorme'), 3 * GIB);
  expect(sandbox.run(['init', '--data', 'dados', '--empresa', '12345678', '--nome', 'Exemplo']).code).toBe(0);
});
afterAll(() => sandbox.close());

const place = (...names: string[]): string => join(sandbox.folder, ...names);

/** Timeout of a command, so that it cannot fill the memory. */
const bounded = (...args: string[]): Finished => sandbox.run(args, {}, ['timeout', '--signal=KILL', '20']);

const refusal = (exit: number, ...args: string[]): string => {
  const { code, stderr } = bounded(...args);
  expect([args, code, stderr.trim().split('\n').length]).toEqual([args, exit, 1]);
  return stderr;
};

/** Returns a copy of the data folder in which a huge file takes the place of `name`. */
function folderWithHuge(name: string): string {
  rmSync(place('copia'), { recursive: true, force: true });
  cpSync(place('dados'), place('copia'), { recursive: true });
  rmSync(place('copia', name), { force: true });
  symlinkSync(place('enorme'), place('copia', name));
  return 'copia';
}

describe('a configuration file', () => {
  test('of 1 MiB is read; a larger one and an endless one are refused', () => {
    copyFileSync(place('dados', 'catp.toml'), place('grande.toml'));
    const { size } = statSync(place('grande.toml'));
    writeFileSync(place('grande.toml'), `\n${'#'.repeat(MIB - size - 1)}`, { flag: 'a' });
    expect(bounded('user', 'list', '--data', 'dados', '--config', 'grande.toml').code).toBe(0);
    writeFileSync(place('grande.toml'), '#', { flag: 'a' });
    expect(refusal(2, 'user', 'list', '--data', 'dados', '--config', 'grande.toml')).toContain(
      `o arquivo de configuração grande.toml não pode ser lido (tem ao menos ${MIB + 1} bytes; são aceitos até ${MIB} (1 MiB)). Corrija-o`,
    );
    expect(refusal(2, 'init', '--data', 'nova', '--config', '/dev/zero')).toContain('/dev/zero');
  });
});

describe('a file of the data folder', () => {
  test('that should have the keys is reported as damaged', () => {
    const data = folderWithHuge('catp.key');
    expect(refusal(1, 'serve', '--port', '0', '--data', data)).toContain('catp.key está danificado');
  });

  test('that should have the writer is reported as the writer of another folder', () => {
    const data = folderWithHuge('catp.writer');
    expect(refusal(1, 'serve', '--port', '0', '--data', data)).toContain('catp takeover');
  });

  test('that should have the seal of the trail is reported as an invalid seal', () => {
    const { code, stderr } = bounded('audit', 'verify', '--data', folderWithHuge('catp.seal'));
    expect([code, stderr]).toEqual([1, expect.stringContaining('catp.seal')]);
  });

  test('that should name another machine is reported as damaged', () => {
    const data = folderWithHuge('catp.superseded');
    expect(refusal(1, 'serve', '--port', '0', '--data', data)).toContain('está danificado');
  });
});

describe('a file of an option or a setting is refused', () => {
  test.each(['enorme', '/dev/zero'])('as the key of tokens: %s', (file) => {
    expect(refusal(2, 'init', '--data', 'nova', '--token-key', file)).toContain(
      'não tem uma chave de tokens',
    );
  });

  test.each(['enorme', '/dev/zero'])('as the secret of a proxy: %s', (file) => {
    const settings = ['--set', `proxy.segredo=${file}`, '--set', 'proxy.confiavel=127.0.0.1/32'];
    const message = refusal(1, 'serve', '--port', '0', '--data', 'dados', ...settings);
    expect(message).toContain('não tem um segredo que caiba em um cabeçalho');
  });
});

describe('a file that is read more than once', () => {
  const reading = [
    ['a table', 2, (file: string) => ['attributes', 'load', file]],
    ['the nomenclature', 2, (file: string) => ['ncm', 'load', file]],
    ['an import', 2, (file: string) => ['import', 'produto', file]],
    [
      'an export to compare',
      1,
      (file: string) => {
        const files = ['--produtos', file, '--operadores', file, '--vinculos', file];
        return ['remote', 'compare', 'portal', '--empresa', '12345678', ...files];
      },
    ],
  ] as const;

  test.each(reading)('is not a device: %s', (_, exit, args) => {
    const message = refusal(exit, ...args('/dev/zero'), '--data', 'dados');
    expect(message).toContain('O arquivo /dev/zero é um dispositivo ou um pipe, e é lido mais de uma vez.');
  });

  test('is not a pipe: the file of an import', () => {
    expect(Bun.spawnSync(['mkfifo', place('cano.csv')]).exitCode).toBe(0);
    expect(refusal(2, 'import', 'produto', 'cano.csv', '--data', 'dados')).toContain('ou um pipe');
  });
});
