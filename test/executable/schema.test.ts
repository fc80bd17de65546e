/**
 * Two versions of catp and one folder (contract section 16, "Upgrades"): only `serve` and `catp migrate`
 * migrate.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { openForWriting } from '../../src/db/open.ts';
import { SCHEMES, trusting } from '../support/tls.ts';
import { type Sandbox, openSandbox } from './support.ts';

describe.each(SCHEMES)('over %s', (scheme) => {
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await openSandbox(scheme);
  });
  afterEach(() => sandbox.close());

  /** Runs `work` on the database, to change the migration history to that of another version. */
  function inDatabase<T>(work: (db: ReturnType<typeof openForWriting>) => T): T {
    const db = openForWriting(join(sandbox.folder, 'dados', 'catp.sqlite'));
    try {
      return work(db);
    } finally {
      db.close();
    }
  }

  const historyOf = (): unknown[] =>
    inDatabase((db) =>
      db.prepare('SELECT number, name, applied_by FROM migration ORDER BY number').raw().all(),
    );

  const COMMANDS = [
    ['user', 'list'],
    ['job', 'run', 'retencao'],
    ['company', 'add', '12345678', '--nome', 'X'],
  ];

  describe('a command next to a running server', () => {
    test('with an older schema is refused in one line, ends with 1 and migrates nothing', async () => {
      const server = await sandbox.start('serve', '--port', '0', '--data', 'dados');
      // Simulates a server of the version before the newest migration.
      inDatabase((db) => db.exec('DELETE FROM migration WHERE number = (SELECT max(number) FROM migration)'));
      const before = historyOf();
      for (const words of COMMANDS) {
        const { code, stdout, stderr } = sandbox.run([...words, '--data', 'dados']);
        expect([words, code, stdout]).toEqual([words, 1, '']);
        expect(stderr).toMatch(
          /^catp: A pasta de dados dados está em uso por um catp de outra versão \(este é o \S+; falta a migração \d+ \w+\)\. Use o executável desse servidor, ou pare-o e inicie-o com este\.\n$/,
        );
      }
      expect(historyOf()).toEqual(before);
      expect((await trusting(`${server.url}/readyz`)).status).toBe(200);
    });

    test('is refused when it is `catp migrate`, which works after the server has stopped', async () => {
      const server = await sandbox.start('serve', '--port', '0', '--data', 'dados');
      const words = ['migrate', '--data', 'dados', '--config', 'dados/catp.toml'];
      expect(sandbox.run(words).code).toBe(1);
      expect(await server.stop()).toBe(0);
      expect(sandbox.run(words)).toMatchObject({ code: 0, stderr: '' });
    });

    test('with the same schema works', async () => {
      await sandbox.start('serve', '--port', '0', '--data', 'dados');
      expect(sandbox.run(['user', 'list', '--data', 'dados'])).toMatchObject({ code: 0, stderr: '' });
    });
  });

  test('an older executable refuses a newer folder and names the required version, in one line', async () => {
    const server = await sandbox.start('serve', '--port', '0', '--data', 'dados');
    expect(await server.stop()).toBe(0);
    inDatabase((db) =>
      db.exec(
        "INSERT INTO migration (number, name, checksum, applied_at, applied_by) VALUES (999, 'future', 'x', 1, '9.8.7')",
      ),
    );
    for (const words of [...COMMANDS, ['serve', '--port', '0']]) {
      const { code, stdout, stderr } = sandbox.run([...words, '--data', 'dados']);
      expect([words, code, stdout]).toEqual([words, 1, '']);
      expect(stderr).toMatch(
        /^catp: O banco de dados foi usado pelo catp 9\.8\.7: .*\. Use o catp 9\.8\.7 ou um mais novo, ou restaure uma cópia de segurança\.\n$/,
      );
    }
  });

  test('every migration records the version that applied it', async () => {
    const server = await sandbox.start('serve', '--port', '0', '--data', 'dados');
    expect(await server.stop()).toBe(0);
    const version = sandbox.run(['--version']).stdout.trim();
    const history = historyOf() as [number, string, string][];
    expect(history.length).toBeGreaterThan(0);
    expect(history.map(([, , by]) => by)).toEqual(history.map(() => version));
  });
});
