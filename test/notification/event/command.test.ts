/** `catp event` on the data folder of a running server (contract section 10). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { eventCommand } from '../../../src/cli/event.ts';
import { type TestApp, openApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { ENDPOINT, subscribed } from '../support.ts';

const MAIN = join(import.meta.dir, '../../../src/main.ts');

let server: TestApp;

beforeAll(async () => {
  server = await openApp({
    settings: { 'entrega.mapa': 'erp.empresa.example:443=127.0.0.1:1', ambiente: 'producao' },
  });
  await subscribed(await server.as('demo'), { evento: 'duex-historico', endpoint: ENDPOINT });
});

afterAll(() => server.close());

interface Result {
  readonly out: string;
  /** The message of the refusal. */
  readonly error: string;
}

/** Runs the command in this process: a new process for each call would take most of the time. */
async function run(...args: string[]): Promise<Result> {
  let out = '';
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = (chunk) => {
    out += String(chunk);
    return true;
  };
  try {
    await eventCommand().parseAsync(args, { from: 'user' });
    return { out, error: '' };
  } catch (error) {
    return { out, error: error instanceof Error ? error.message : String(error) };
  } finally {
    process.stdout.write = write;
  }
}

const publish = (...args: string[]): Promise<Result> => run('publish', ...args, '--data', server.folder);

const published = async (): Promise<Record<string, unknown>[]> =>
  (await (await server.as('admin')).call('GET', '/appliance/api/events')).json;

test.each([
  [
    'an event with a space',
    ['a b', '--para', 'CPF:00000000191', '--conteudo', '{}'],
    'evento: recebido "a b"',
  ],
  ['a recipient without its kind', ['a', '--para', '12345678', '--conteudo', '{}'], 'aceita TIPO:ID'],
  [
    'an unknown kind',
    ['a', '--para', 'RUC:12345678', '--conteudo', '{}'],
    'destinatarioTipo: recebido "RUC"',
  ],
  [
    'a recipient of another form',
    ['a', '--para', 'CNPJ:123', '--conteudo', '{}'],
    'destinatarioId: recebido "123"',
  ],
  [
    'a body that is no JSON',
    ['a', '--para', 'CPF:00000000191', '--conteudo', '{"a":1,}'],
    'O corpo do evento não é JSON (linha 1, coluna 8): encontrado "}"',
  ],
  [
    'a body with a member twice',
    ['a', '--para', 'CPF:00000000191', '--conteudo', '{"a":1,"a":2}'],
    'Membro "a" recebido mais de uma vez',
  ],
  ['no body', ['a', '--para', 'CPF:00000000191'], '--conteudo, --arquivo ou --exemplo'],
  ['two bodies', ['a', '--para', 'CPF:00000000191', '--conteudo', '{}', '--exemplo'], 'um só'],
  [
    'a file that is not there',
    ['a', '--para', 'CPF:00000000191', '--arquivo', 'nada.json'],
    'nada.json não pode ser lido (não existe, ENOENT)',
  ],
  [
    'a sample of an unknown event',
    ['nada', '--para', 'CPF:00000000191', '--exemplo'],
    "'nada' não é um evento conhecido",
  ],
])('publish refuses %s', async (_, args, message) => {
  expect(await publish(...args)).toEqual({ out: '', error: expect.stringContaining(message) });
});

test('a folder without an instance is refused, and not created', async () => {
  const nowhere = join(server.folder, 'nada');
  expect((await run('list', '--data', nowhere)).error).toContain('não é uma pasta de dados');
  expect(await Bun.file(nowhere).exists()).toBe(false);
});

test('publish writes the event and its deliveries while the server runs, with the body unchanged', async () => {
  const conteudo = '{ "valor": 1.10, "numero": 12345678901234567890 }';
  expect(await publish('duex-historico', '--para', 'CNPJ:12345678', '--conteudo', conteudo)).toEqual({
    out: 'Evento 1 publicado; entregas: 1.\n',
    error: '',
  });
  expect(await published()).toMatchObject([{ id: 1, destinatarioId: '12345678000195', deliveries: 1 }]);
  const stored = server.app.core.db.prepare('SELECT conteudo FROM event WHERE id = 1').pluck().get();
  expect(stored).toBe(conteudo);
});

test('publish accepts the invented sample, or a file', async () => {
  await publish('talp-inclusao-exig', '--para', 'CPF:00000000191', '--exemplo');
  const file = join(server.folder, 'corpo.json');
  await Bun.write(file, '{"de":"arquivo"}');
  await publish('meu-evento', '--para', 'ORGAO:RECEITA', '--arquivo', file);
  expect((await published()).slice(0, 2)).toMatchObject([
    {
      evento: 'meu-evento',
      destinatarioTipo: 'ORGAO',
      destinatarioId: 'RECEITA',
      conteudo: { de: 'arquivo' },
    },
    { evento: 'talp-inclusao-exig', conteudo: { numeroLPCO: expect.any(String) } },
  ]);
});

test('list refuses a limit out of bounds, and shows the newest first', async () => {
  for (const limit of ['0', '1001', 'x']) {
    expect((await run('list', '--limite', limit, '--data', server.folder)).error).toContain('--limite');
  }
  for (let i = 0; i < 2; i += 1) await publish('listado', '--para', 'ORGAO:RECEITA', '--conteudo', '[]');
  const { out } = await run('list', '--evento', 'listado', '--limite', '2', '--data', server.folder);
  const [head, first, second] = out.split('\n').map((line) => line.split(/ {2,}/));
  expect(head).toEqual(['Id', 'Evento', 'Destinatário', 'Publicado em', 'Entregas']);
  expect(Number(first?.[0])).toBe(Number(second?.[0]) + 1);
  expect(first?.slice(1, 3)).toEqual(['listado', 'ORGAO:RECEITA']);
});

describe('trigger', () => {
  const trigger = (...args: string[]): Promise<Result> => run('trigger', ...args, '--data', server.folder);

  test('sends a sample to each active subscription only, about a company of its subscriber', async () => {
    for (const key of ['demo', 'demo2', 'estranho'] as const)
      await subscribed(await server.as(key), { evento: 'catp-oper-alterado', endpoint: ENDPOINT });
    expect((await trigger('catp-oper-alterado')).out.split('\n')).toEqual([
      'Evento catp-oper-alterado publicado para CNPJ:12345678000195; entregas: 1.',
      'Evento catp-oper-alterado publicado para CNPJ:12345678000195; entregas: 1.',
      'Evento catp-oper-alterado publicado para CNPJ:11222333000181; entregas: 1.',
      '',
    ]);
    expect((await published()).slice(0, 3)).toMatchObject([
      { destinatarioId: '11222333000181', conteudo: { cpfCnpjRaiz: '11222333' }, deliveries: 1 },
      { destinatarioId: '12345678000195', conteudo: { cpfCnpjRaiz: '12345678' }, deliveries: 1 },
      { destinatarioId: '12345678000195', conteudo: { cpfCnpjRaiz: '12345678' }, deliveries: 1 },
    ]);
  });

  test('is delivered at any time of the clock of the server', async () => {
    // The command uses the clock of the machine, which is later than the test clock of this server.
    const client = await server.as('demo');
    await trigger('catp-oper-alterado');
    const attempts = async (): Promise<unknown> => {
      const { json } = await client.call(
        'GET',
        '/appliance/api/deliveries?evento=catp-oper-alterado&limit=1',
      );
      return json[0]?.attempts;
    };
    await eventually(attempts).toHaveLength(1);
  });

  test('accepts another body, unchanged, also for an unknown event', async () => {
    await subscribed(await server.as('publico'), { evento: 'meu-evento', endpoint: ENDPOINT });
    expect(await trigger('meu-evento', '--conteudo', '{"valor": 1.10}')).toEqual({
      out: 'Evento meu-evento publicado para ORGAO:RECEITA; entregas: 1.\n',
      error: '',
    });
    const stored = server.app.core.db.prepare('SELECT conteudo FROM event ORDER BY id DESC').pluck().get();
    expect(stored).toBe('{"valor": 1.10}');
  });

  test.each([
    ['nobody subscribes to', ['catp-vinc-alterado'], "Ninguém assina o evento 'catp-vinc-alterado'"],
    ['nobody knows, without a body', ['nada'], "'nada' não é um evento conhecido"],
    ['has two bodies', ['nada', '--conteudo', '{}', '--arquivo', 'x'], 'um só'],
    ['has a broken body', ['nada', '--conteudo', '{'], 'não é JSON'],
  ])('refuses an event that %s', async (_, args, message) => {
    expect(await trigger(...args)).toEqual({ out: '', error: expect.stringContaining(message) });
  });
});

test('types shows the known events, and the sample of one', async () => {
  expect((await run('types')).out).toContain('catp-prod-desativado');
  const { out } = await run('types', '--evento', 'duex-historico');
  expect(out).toContain('Exemplo inventado');
  expect((await run('types', '--evento', 'nada')).error).toContain("'nada' não é um evento conhecido");
});

test('the command line of the executable has it', async () => {
  const child = Bun.spawn([process.execPath, MAIN, 'event', 'types'], {
    stdout: 'pipe',
    stderr: 'pipe',
    env: {},
  });
  expect([await new Response(child.stdout).text(), await child.exited]).toEqual([
    (await run('types')).out,
    0,
  ]);
});
