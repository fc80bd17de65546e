/** The executable for an operator: started, configured, managed, stopped (contract sections 1, 2 and 13). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { STOPPED_WITHIN_MS } from '../../scripts/proof/server.ts';
import { openForWriting } from '../../src/db/open.ts';
import { SCHEMES, trusting } from '../support/tls.ts';
import { type Sandbox, ask, openSandbox, tokensOf } from './support.ts';

/** Number of pairs of simultaneous starts. */
const ROUNDS = 20;

describe.each(SCHEMES)('over %s', (scheme) => {
  let sandbox: Sandbox;

  beforeEach(async () => {
    sandbox = await openSandbox(scheme);
  });

  afterEach(() => sandbox.close());

  describe('the start of a server is refused', () => {
    test('with every invalid setting at once, of any source, and creates no folder', () => {
      writeFileSync(join(sandbox.folder, 'catp.toml'), 'ambiente = "lua"\n[entrega]\ninexistente = 1\n');
      const flags = ['--config', 'catp.toml', '--port', '70000', '--set', 'perfil=outro'];
      const { code, stdout, stderr } = sandbox.run(['serve', ...flags], { CATP_CORPO_MAXIMO: 'muito' });
      expect([code, stdout]).toEqual([2, '']);
      for (const name of ['ambiente', 'entrega.inexistente', 'porta', 'perfil', 'corpo.maximo'])
        expect(stderr).toContain(name);
      expect(stderr).toContain("recebido '70000'");
      expect(readdirSync(sandbox.folder)).toEqual(['catp.toml']);
    });

    test('on a folder that another server uses: the first one still serves', async () => {
      const first = await sandbox.start('serve', '--port', '0', '--data', 'dados');
      const { code, stderr } = sandbox.run(['serve', '--port', '0', '--data', 'dados']);
      expect(code).toBe(1);
      expect(stderr).toContain('já está em uso por outro catp');
      expect((await trusting(`${first.url}/readyz`)).status).toBe(200);
    });

    test('on a folder that another takes at the same instant: always one of them serves', async () => {
      sandbox.init('dados');
      for (let round = 0; round < ROUNDS; round += 1) {
        const starts = await Promise.allSettled(
          [1, 2, 3].map(() => sandbox.start('serve', '--port', '0', '--data', 'dados')),
        );
        const serving = starts.filter((start) => start.status === 'fulfilled').map(({ value }) => value);
        expect(serving).toHaveLength(1);
        for (const start of starts)
          if (start.status === 'rejected')
            expect(String(start.reason)).toContain('já está em uso por outro catp');
        expect(await serving[0]?.stop()).toBe(0);
      }
    });

    test('in serve on a folder of dev, whose secrets are public', async () => {
      const dev = await sandbox.start('dev', '--port', '0', '--empty', '--data', 'dados');
      expect(await dev.stop()).toBe(0);
      const { code, stderr } = sandbox.run(['serve', '--port', '0', '--data', 'dados']);
      expect(code).toBe(1);
      expect(stderr).toContain('foi criada por catp dev');
    });

    test('in dev on a folder of serve', async () => {
      const server = await sandbox.start('serve', '--port', '0', '--data', 'dados');
      expect(await server.stop()).toBe(0);
      sandbox.run(['user', 'add', '00000000191', '--nome', 'Maria', '--data', 'dados']);
      const { code, stderr } = sandbox.run(['dev', '--port', '0', '--data', 'dados']);
      expect(code).toBe(1);
      expect(stderr).toContain('não foi criada por catp dev');
    });

    test('in dev on an empty folder of init: dev would add users with public secrets', async () => {
      sandbox.init('novos');
      const { code, stderr } = sandbox.run(['dev', '--port', '0', '--data', 'novos']);
      expect([code, stderr]).toEqual([1, expect.stringContaining('catp serve --data novos')]);
      const serving = await sandbox.start('serve', '--port', '0', '--data', 'novos');
      expect(await tokensOf(serving.url, 'demo', 'demo')).toBe(422);
      expect(await serving.stop()).toBe(0);
    });

    test('on a port in use', async () => {
      const first = await sandbox.start('serve', '--port', '0', '--data', 'um');
      const { port } = new URL(first.url);
      sandbox.init('dois');
      const { code, stderr } = sandbox.run(['serve', '--port', port, '--data', 'dois']);
      expect(code).toBe(1);
      expect(stderr).toContain('--port');
    });

    test('with an unknown option', () => {
      const { code, stderr } = sandbox.run(['dev', '--porta', '1']);
      expect(code).toBe(2);
      expect(stderr).toContain("não existe a opção '--porta'");
    });
  });

  describe('catp dev, alone in an empty folder with an empty environment', () => {
    test('logs first that it is ready, serves the demo from ./catp-dev, and ends with 0 on SIGTERM', async () => {
      const catp = await sandbox.start('dev', '--port', '0');
      expect(catp.stdout.split('\n').slice(0, -1)).toEqual([
        scheme === 'http' ? `catp: pronto em ${catp.url}` : expect.stringMatching(/^catp: pronto em http:/),
        ...(scheme === 'https' ? [`catp: TLS em ${catp.url}`] : []),
      ]);
      const tokens = await tokensOf(catp.url, 'demo', 'demo');
      const products = await ask(catp.url, '/catp/api/ext/produto?cpfCnpjRaiz=12345678', tokens);
      expect(products.status).toBe(200);
      expect((await trusting(catp.url)).headers.get('content-type')).toStartWith('text/html');

      const start = performance.now();
      expect(await catp.stop()).toBe(0);
      expect(performance.now() - start).toBeLessThan(STOPPED_WITHIN_MS);
      expect(readdirSync(sandbox.folder)).toEqual(['catp-dev']);
    });

    test('obeys its flags', async () => {
      writeFileSync(join(sandbox.folder, 'ca.pem'), '');
      const catp = await sandbox.start(
        ...[
          'dev',
          '--port',
          '0',
          '--data',
          'outra',
          '--empty',
          '--perfil',
          'portal',
          '--ambiente',
          'producao',
        ],
        ...[
          '--map',
          'erp.exemplo:443=127.0.0.1:8443',
          '--retry',
          '60s,10m',
          '--clock',
          '2026-01-31T09:00:00', // of Brasília, whatever the zone of the host
        ],
      );
      const ready = (await (await trusting(`${catp.url}/readyz`)).json()) as Record<string, unknown>;
      expect(ready).toMatchObject({
        ready: true,
        perfil: 'portal',
        ambiente: 'producao',
        attributeTable: null,
      });
      expect(existsSync(join(sandbox.folder, 'outra', 'catp.sqlite'))).toBe(true);
      const admin = await tokensOf(catp.url, 'admin', 'admin');
      const clock = await ask(catp.url, '/appliance/api/clock', admin);
      expect(await clock.json()).toEqual({ now: '2026-01-31T09:00:00.000-03:00', test: true });
      const demo = await tokensOf(catp.url, 'demo', 'demo');
      const products = await ask(catp.url, '/catp/api/ext/produto?cpfCnpjRaiz=12345678', demo);
      expect(products.status).toBe(204);
    });

    test('refuses invalid flags by name', () => {
      const invalid = [
        [['--clock', 'ontem'], '--clock', 2],
        [['--clock', '2026-02-30'], '--clock', 2],
        [['--set', 'perfil'], '--set', 2],
        [['--retry', 'às vezes'], 'entrega.repeticoes', 2],
        [['--map', 'sem destino'], 'entrega.mapa', 2],
        [['--perfil', 'meu'], 'perfil', 2],
      ] as const;
      for (const [flags, hint, exitCode] of invalid) {
        const { code, stderr } = sandbox.run(['dev', '--port', '0', ...flags]);
        expect([flags[0], code]).toEqual([flags[0], exitCode]);
        expect(stderr).toContain(hint);
      }
    });

    test('repairs a first start, or a reset, that was killed before its end', async () => {
      const first = await sandbox.start('dev', '--port', '0', '--empty', '--data', 'dados');
      expect(await first.stop()).toBe(0);
      const db = openForWriting(join(sandbox.folder, 'dados', 'catp.sqlite'));
      db.exec("INSERT INTO folder_mark (name, value) VALUES ('filling', 'true')");
      db.exec("DELETE FROM access_key WHERE client_id = 'demo'");
      db.close();

      const second = await sandbox.start('dev', '--port', '0', '--empty', '--data', 'dados');
      expect(await tokensOf(second.url, 'demo', 'demo')).toBeObject();
      expect(await second.stop()).toBe(0);
      const { code, stderr } = sandbox.run(['serve', '--port', '0', '--data', 'dados']);
      expect([code, stderr]).toEqual([1, expect.stringContaining('foi criada por catp dev')]);
    });

    test('finishes accepted requests before it ends, and stores them', async () => {
      const catp = await sandbox.start('dev', '--port', '0', '--empty');
      const tokens = await tokensOf(catp.url, 'demo', 'demo');
      if (typeof tokens === 'number') throw new Error(`not signed in: ${tokens}`);
      const posts = Array.from({ length: 20 }, (_, index) =>
        trusting(`${catp.url}/catp/api/ext/produto/12345678`, {
          method: 'POST',
          headers: tokens,
          body: JSON.stringify({ denominacao: `${index}`, modalidade: 'IMPORTACAO', ncm: '39269090' }),
        }).then(
          (response) => response.status,
          () => undefined,
        ),
      );
      await posts[0];
      const exitCode = catp.stop();
      const acknowledged = (await Promise.all(posts)).filter((status) => status === 200).length;
      expect(await exitCode).toBe(0);
      expect(acknowledged).toBeGreaterThan(0);

      const restarted = await sandbox.start('dev', '--port', '0', '--empty');
      const list = await ask(
        restarted.url,
        '/catp/api/ext/produto?cpfCnpjRaiz=12345678',
        await tokensOf(restarted.url, 'demo', 'demo'),
      );
      expect(((await list.json()) as unknown[]).length).toBeGreaterThanOrEqual(acknowledged);
    });
  });

  describe('catp serve', () => {
    test('has no users of dev, and its key file is readable only by its owner', async () => {
      const catp = await sandbox.start('serve', '--port', '0', '--data', 'dados');
      expect(await tokensOf(catp.url, 'demo', 'demo')).toBe(422);
      expect(await tokensOf(catp.url, 'admin', 'admin')).toBe(422);
      expect(statSync(join(sandbox.folder, 'dados', 'catp.key')).mode & 0o077).toBe(0);
      expect((await trusting(`${catp.url}/appliance/api/clock`)).status).toBe(404);
    });

    test('reads catp.toml, the environment over it, and the command line over both', async () => {
      writeFileSync(
        join(sandbox.folder, 'catp.toml'),
        'ambiente = "producao"\nperfil = "portal"\nporta = 1\n',
      );
      const flags = ['--config', 'catp.toml', '--port', '0', '--set', 'perfil=especificacao'];
      const catp = await sandbox.start('serve', ...flags);
      const ready = await (await trusting(`${catp.url}/readyz`)).json();
      expect(ready).toMatchObject({ ambiente: 'producao', perfil: 'especificacao' });
      expect(existsSync(join(sandbox.folder, 'catp-dados', 'catp.sqlite'))).toBe(true);
    });

    test('applies users, companies, representations and keys of the command line to the next request', async () => {
      const catp = await sandbox.start('serve', '--port', '0', '--data', 'dados');
      const command = (...args: string[]): string => {
        const { code, stdout } = sandbox.run([...args, '--data', 'dados']);
        expect([args.join(' '), code]).toEqual([args.join(' '), 0]);
        return stdout;
      };
      command('company', 'add', '12345678', '--nome', 'Exemplo S.A.', '--cnpj', '12345678000195');
      command('user', 'add', '00000000191', '--nome', 'Maria');
      command('representation', 'add', '00000000191', '12345678');
      const key = command('key', 'add', '00000000191');
      const [, clientId = '', clientSecret = ''] = /Client-Id: (\S+)\nClient-Secret: (\S+)/.exec(key) ?? [];
      expect(command('key', 'list')).not.toContain(clientSecret);

      const tokens = await tokensOf(catp.url, clientId, clientSecret);
      const status = async (): Promise<number> =>
        (await ask(catp.url, '/catp/api/ext/produto?cpfCnpjRaiz=12345678', tokens)).status;
      expect(await status()).toBe(204);
      command('representation', 'remove', '00000000191', '12345678');
      expect(await status()).toBe(403);
      const result = command('representation', 'add', '00000000191', '12345678', '--papel', 'leitura');
      expect(result).toContain('com o papel leitura');
      expect(command('representation', 'list')).toMatch(/00000000191 +12345678 +IMPEXP +leitura/);
      expect(await status()).toBe(204);
      const unknown = sandbox.run([
        'representation',
        'add',
        '00000000191',
        '12345678',
        '--papel',
        'dono',
        '--data',
        'dados',
      ]);
      expect([unknown.code, unknown.stderr]).toMatchObject([2, expect.stringContaining('papel')]);
      command('key', 'revoke', clientId);
      expect(await status()).toBe(401);
    });

    test('keeps the number of a company that is added again without one', async () => {
      await (await sandbox.start('serve', '--port', '0', '--data', 'dados')).stop();
      const command = (...args: string[]): string => sandbox.run([...args, '--data', 'dados']).stdout;
      command('company', 'add', '12345678', '--nome', 'Exemplo', '--cnpj', '12345678000195');
      command('company', 'add', '12345678', '--nome', 'Outro nome');
      expect(command('company', 'list')).toMatch(/12345678 +Outro nome +12345678000195/);
      command('company', 'add', '12345678', '--nome', 'Outro nome', '--cnpj', '12345678000276');
      expect(command('company', 'list')).toContain('12345678000276');
    });

    test('keeps the number of a company that is added again without one', async () => {
      const catp = await sandbox.start('serve', '--port', '0', '--data', 'dados');
      expect(await catp.stop()).toBe(0);
      const command = (...args: string[]): string => sandbox.run([...args, '--data', 'dados']).stdout;
      command('company', 'add', '12345678', '--nome', 'Exemplo', '--cnpj', '12345678000195');
      command('company', 'add', '12345678', '--nome', 'Outro nome');
      expect(command('company', 'list')).toMatch(/12345678 +Outro nome +12345678000195/);
      command('company', 'add', '12345678', '--nome', 'Outro nome', '--cnpj', '12345678000276');
      expect(command('company', 'list')).toContain('12345678000276');
    });

    test('ends the session of a user that the command line removes', async () => {
      const catp = await sandbox.start('serve', '--port', '0', '--data', 'dados');
      const command = (...args: string[]): string => sandbox.run([...args, '--data', 'dados']).stdout;
      command('user', 'add', '00000000515', '--nome', 'Ana', '--administrador');
      const [, clientId = '', secret = ''] =
        /Client-Id: (\S+)\nClient-Secret: (\S+)/.exec(command('key', 'add', '00000000515')) ?? [];
      const tokens = await tokensOf(catp.url, clientId, secret);
      expect((await ask(catp.url, '/appliance/api/users', tokens)).status).toBe(200);
      command('user', 'remove', '00000000515');
      expect((await ask(catp.url, '/appliance/api/users', tokens)).status).toBe(401);
      expect(await tokensOf(catp.url, clientId, secret)).toBe(422);
    });
  });
});

describe('the command line', () => {
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await openSandbox();
  });
  afterEach(() => sandbox.close());

  test('prints its help in Portuguese only', () => {
    for (const args of [['--help'], ['dev', '--help'], ['serve', '--help'], ['user', 'add', '--help']]) {
      const { code, stdout } = sandbox.run(args);
      expect([args, code]).toEqual([args, 0]);
      expect(stdout).toStartWith('Uso: catp');
      expect(stdout).not.toMatch(/Usage|Options:|Commands:|Arguments:|default:|display help|\[options\]/);
    }
  });

  test('does not list the option of the power-loss check', () => {
    expect(sandbox.run(['dev', '--help']).stdout).not.toContain('synchronous');
    expect(sandbox.run(['serve', '--synchronous', 'NORMAL']).code).toBe(2);
  });

  test('prints its version', () => {
    const { code, stdout } = sandbox.run(['--version']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+(\+\S+)?\n$/)]);
  });

  test('prints the next step for a missing folder', () => {
    const { code, stderr } = sandbox.run(['user', 'list', '--data', 'nada']);
    expect(code).toBe(1);
    expect(stderr).toContain('não é uma pasta de dados');
    expect(existsSync(join(sandbox.folder, 'nada'))).toBe(false);
  });
});
