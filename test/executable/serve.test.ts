/** The executable for an operator: started, configured, managed, stopped (contract sections 1, 2 and 13). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { STOPPED_WITHIN_MS } from '../../scripts/proof/server.ts';
import { openForWriting } from '../../src/db/open.ts';
import { SCHEMES, trusting } from '../support/tls.ts';
import { type Alone, ask, openAlone, tokensOf } from './support.ts';

/** Number of pairs of simultaneous starts. */
const ROUNDS = 20;

describe.each(SCHEMES)('over %s', (over) => {
  let alone: Alone;

  beforeEach(async () => {
    alone = await openAlone(over);
  });

  afterEach(() => alone.close());

  describe('the start of a server is refused', () => {
    test('with every invalid setting at once, of any source, and creates no folder', () => {
      writeFileSync(join(alone.folder, 'catp.toml'), 'ambiente = "lua"\n[entrega]\ninexistente = 1\n');
      const flags = ['--config', 'catp.toml', '--port', '70000', '--set', 'perfil=outro'];
      const { code, stdout, stderr } = alone.run(['serve', ...flags], { CATP_CORPO_MAXIMO: 'muito' });
      expect([code, stdout]).toEqual([2, '']);
      for (const named of ['ambiente', 'entrega.inexistente', 'porta', 'perfil', 'corpo.maximo'])
        expect(stderr).toContain(named);
      expect(stderr).toContain("recebido '70000'");
      expect(readdirSync(alone.folder)).toEqual(['catp.toml']);
    });

    test('on a folder that another server uses: the first one still serves', async () => {
      const first = await alone.start('serve', '--port', '0', '--data', 'dados');
      const { code, stderr } = alone.run(['serve', '--port', '0', '--data', 'dados']);
      expect(code).toBe(1);
      expect(stderr).toContain('já está em uso por outro catp');
      expect((await trusting(`${first.url}/readyz`)).status).toBe(200);
    });

    test('on a folder that another takes at the same instant: always one of them serves', async () => {
      alone.init('dados');
      for (let round = 0; round < ROUNDS; round += 1) {
        const starts = await Promise.allSettled(
          [1, 2, 3].map(() => alone.start('serve', '--port', '0', '--data', 'dados')),
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
      const dev = await alone.start('dev', '--port', '0', '--empty', '--data', 'dados');
      expect(await dev.stop()).toBe(0);
      const { code, stderr } = alone.run(['serve', '--port', '0', '--data', 'dados']);
      expect(code).toBe(1);
      expect(stderr).toContain('foi criada por catp dev');
    });

    test('in dev on a folder of serve', async () => {
      const server = await alone.start('serve', '--port', '0', '--data', 'dados');
      expect(await server.stop()).toBe(0);
      alone.run(['user', 'add', '00000000191', '--nome', 'Maria', '--data', 'dados']);
      const { code, stderr } = alone.run(['dev', '--port', '0', '--data', 'dados']);
      expect(code).toBe(1);
      expect(stderr).toContain('não foi criada por catp dev');
    });

    test('in dev on an empty folder of init: dev would add users with public secrets', async () => {
      alone.init('novos');
      const { code, stderr } = alone.run(['dev', '--port', '0', '--data', 'novos']);
      expect([code, stderr]).toEqual([1, expect.stringContaining('catp serve --data novos')]);
      const serving = await alone.start('serve', '--port', '0', '--data', 'novos');
      expect(await tokensOf(serving.url, 'demo', 'demo')).toBe(422);
      expect(await serving.stop()).toBe(0);
    });

    test('on a port in use', async () => {
      const first = await alone.start('serve', '--port', '0', '--data', 'um');
      const { port } = new URL(first.url);
      alone.init('dois');
      const { code, stderr } = alone.run(['serve', '--port', port, '--data', 'dois']);
      expect(code).toBe(1);
      expect(stderr).toContain('--port');
    });

    test('with an unknown option', () => {
      const { code, stderr } = alone.run(['dev', '--porta', '1']);
      expect(code).toBe(2);
      expect(stderr).toContain("não existe a opção '--porta'");
    });
  });

  describe('catp dev, alone in an empty folder with an empty environment', () => {
    test('logs first that it is ready, serves the demo from ./catp-dev, and ends with 0 on SIGTERM', async () => {
      const catp = await alone.start('dev', '--port', '0');
      expect(catp.stdout.split('\n').slice(0, -1)).toEqual([
        over === 'http' ? `catp: pronto em ${catp.url}` : expect.stringMatching(/^catp: pronto em http:/),
        ...(over === 'https' ? [`catp: TLS em ${catp.url}`] : []),
      ]);
      const tokens = await tokensOf(catp.url, 'demo', 'demo');
      const products = await ask(catp.url, '/catp/api/ext/produto?cpfCnpjRaiz=12345678', tokens);
      expect(products.status).toBe(200);
      expect((await trusting(catp.url)).headers.get('content-type')).toStartWith('text/html');

      const start = performance.now();
      expect(await catp.stop()).toBe(0);
      expect(performance.now() - start).toBeLessThan(STOPPED_WITHIN_MS);
      expect(readdirSync(alone.folder)).toEqual(['catp-dev']);
    });

    test('obeys its flags', async () => {
      writeFileSync(join(alone.folder, 'ca.pem'), '');
      const catp = await alone.start(
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
      expect(existsSync(join(alone.folder, 'outra', 'catp.sqlite'))).toBe(true);
      const admin = await tokensOf(catp.url, 'admin', 'admin');
      const clock = await ask(catp.url, '/appliance/api/clock', admin);
      expect(await clock.json()).toEqual({ now: '2026-01-31T09:00:00.000-03:00', test: true });
      const demo = await tokensOf(catp.url, 'demo', 'demo');
      const products = await ask(catp.url, '/catp/api/ext/produto?cpfCnpjRaiz=12345678', demo);
      expect(products.status).toBe(204);
    });

    test('refuses invalid flags by name', () => {
      const bad = [
        [['--clock', 'ontem'], '--clock', 2],
        [['--clock', '2026-02-30'], '--clock', 2],
        [['--set', 'perfil'], '--set', 2],
        [['--retry', 'às vezes'], 'entrega.repeticoes', 2],
        [['--map', 'sem destino'], 'entrega.mapa', 2],
        [['--perfil', 'meu'], 'perfil', 2],
      ] as const;
      for (const [flags, named, exitCode] of bad) {
        const { code, stderr } = alone.run(['dev', '--port', '0', ...flags]);
        expect([flags[0], code]).toEqual([flags[0], exitCode]);
        expect(stderr).toContain(named);
      }
    });

    test('repairs a first start, or a reset, that was killed before its end', async () => {
      const first = await alone.start('dev', '--port', '0', '--empty', '--data', 'dados');
      expect(await first.stop()).toBe(0);
      const db = openForWriting(join(alone.folder, 'dados', 'catp.sqlite'));
      db.exec("INSERT INTO folder_mark (name, value) VALUES ('filling', 'true')");
      db.exec("DELETE FROM access_key WHERE client_id = 'demo'");
      db.close();

      const second = await alone.start('dev', '--port', '0', '--empty', '--data', 'dados');
      expect(await tokensOf(second.url, 'demo', 'demo')).toBeObject();
      expect(await second.stop()).toBe(0);
      const { code, stderr } = alone.run(['serve', '--port', '0', '--data', 'dados']);
      expect([code, stderr]).toEqual([1, expect.stringContaining('foi criada por catp dev')]);
    });

    test('finishes accepted requests before it ends, and stores them', async () => {
      const catp = await alone.start('dev', '--port', '0', '--empty');
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
      const stopped = catp.stop();
      const acknowledged = (await Promise.all(posts)).filter((status) => status === 200).length;
      expect(await stopped).toBe(0);
      expect(acknowledged).toBeGreaterThan(0);

      const again = await alone.start('dev', '--port', '0', '--empty');
      const list = await ask(
        again.url,
        '/catp/api/ext/produto?cpfCnpjRaiz=12345678',
        await tokensOf(again.url, 'demo', 'demo'),
      );
      expect(((await list.json()) as unknown[]).length).toBeGreaterThanOrEqual(acknowledged);
    });
  });

  describe('catp serve', () => {
    test('has no users of dev, and its key file is readable only by its owner', async () => {
      const catp = await alone.start('serve', '--port', '0', '--data', 'dados');
      expect(await tokensOf(catp.url, 'demo', 'demo')).toBe(422);
      expect(await tokensOf(catp.url, 'admin', 'admin')).toBe(422);
      expect(statSync(join(alone.folder, 'dados', 'catp.key')).mode & 0o077).toBe(0);
      expect((await trusting(`${catp.url}/appliance/api/clock`)).status).toBe(404);
    });

    test('reads catp.toml, the environment over it, and the command line over both', async () => {
      writeFileSync(join(alone.folder, 'catp.toml'), 'ambiente = "producao"\nperfil = "portal"\nporta = 1\n');
      const flags = ['--config', 'catp.toml', '--port', '0', '--set', 'perfil=especificacao'];
      const catp = await alone.start('serve', ...flags);
      const ready = await (await trusting(`${catp.url}/readyz`)).json();
      expect(ready).toMatchObject({ ambiente: 'producao', perfil: 'especificacao' });
      expect(existsSync(join(alone.folder, 'catp-dados', 'catp.sqlite'))).toBe(true);
    });

    test('applies users, companies, representations and keys of the command line to the next request', async () => {
      const catp = await alone.start('serve', '--port', '0', '--data', 'dados');
      const command = (...args: string[]): string => {
        const { code, stdout } = alone.run([...args, '--data', 'dados']);
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
      const added = command('representation', 'add', '00000000191', '12345678', '--papel', 'leitura');
      expect(added).toContain('com o papel leitura');
      expect(command('representation', 'list')).toMatch(/00000000191 +12345678 +IMPEXP +leitura/);
      expect(await status()).toBe(204);
      const unknown = alone.run([
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
      await (await alone.start('serve', '--port', '0', '--data', 'dados')).stop();
      const command = (...args: string[]): string => alone.run([...args, '--data', 'dados']).stdout;
      command('company', 'add', '12345678', '--nome', 'Exemplo', '--cnpj', '12345678000195');
      command('company', 'add', '12345678', '--nome', 'Outro nome');
      expect(command('company', 'list')).toMatch(/12345678 +Outro nome +12345678000195/);
      command('company', 'add', '12345678', '--nome', 'Outro nome', '--cnpj', '12345678000276');
      expect(command('company', 'list')).toContain('12345678000276');
    });

    test('keeps the number of a company that is added again without one', async () => {
      const catp = await alone.start('serve', '--port', '0', '--data', 'dados');
      expect(await catp.stop()).toBe(0);
      const command = (...args: string[]): string => alone.run([...args, '--data', 'dados']).stdout;
      command('company', 'add', '12345678', '--nome', 'Exemplo', '--cnpj', '12345678000195');
      command('company', 'add', '12345678', '--nome', 'Outro nome');
      expect(command('company', 'list')).toMatch(/12345678 +Outro nome +12345678000195/);
      command('company', 'add', '12345678', '--nome', 'Outro nome', '--cnpj', '12345678000276');
      expect(command('company', 'list')).toContain('12345678000276');
    });

    test('ends the session of a user that the command line removes', async () => {
      const catp = await alone.start('serve', '--port', '0', '--data', 'dados');
      const command = (...args: string[]): string => alone.run([...args, '--data', 'dados']).stdout;
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
  let alone: Alone;
  beforeEach(async () => {
    alone = await openAlone();
  });
  afterEach(() => alone.close());

  test('prints its help in Portuguese only', () => {
    for (const args of [['--help'], ['dev', '--help'], ['serve', '--help'], ['user', 'add', '--help']]) {
      const { code, stdout } = alone.run(args);
      expect([args, code]).toEqual([args, 0]);
      expect(stdout).toStartWith('Uso: catp');
      expect(stdout).not.toMatch(/Usage|Options:|Commands:|Arguments:|default:|display help|\[options\]/);
    }
  });

  test('does not list the option of the power-loss check', () => {
    expect(alone.run(['dev', '--help']).stdout).not.toContain('synchronous');
    expect(alone.run(['serve', '--synchronous', 'NORMAL']).code).toBe(2);
  });

  test('prints its version', () => {
    const { code, stdout } = alone.run(['--version']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+(\+\S+)?\n$/)]);
  });

  test('prints the next step for a missing folder', () => {
    const { code, stderr } = alone.run(['user', 'list', '--data', 'nada']);
    expect(code).toBe(1);
    expect(stderr).toContain('não é uma pasta de dados');
    expect(existsSync(join(alone.folder, 'nada'))).toBe(false);
  });
});
