/**
 * Companies are warned of future requirements (event catp-prazo, job prazos); today is 2026-01-15, 09:00
 * in Brasília.
 */
import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { SETTINGS } from '../../../../src/settings/settings.ts';
import { type Client, type OpenAppOptions, type TestApp, openApp } from '../../../support/app.ts';
import { NOMENCLATURE, nomenclatureFile } from '../../../nomenclature/support.ts';
import {
  COMPANY,
  OTHER_COMPANY,
  activate,
  include,
  includeMany,
  load,
  product,
  tableFile,
} from '../support.ts';

const [SCREW, COFFEE] = ['73181500', '09012100'];

let server: TestApp;
let demo: Client;
let admin: Client;

async function open(settings: OpenAppOptions['settings'] = {}): Promise<void> {
  server = await openApp({ settings: { ambiente: 'producao', ...settings } });
  await signIn();
}

async function signIn(): Promise<void> {
  demo = await server.as('demo');
  admin = await server.as('admin');
}

afterEach(() => server.close());

/** Moves the clock, which runs the jobs that become due. */
async function move(to: object): Promise<void> {
  const reply = await (await server.as('admin')).call('POST', '/appliance/api/clock', to);
  if (reply.status !== 200) throw new Error(reply.text);
  await signIn();
}

/** Returns the publication day and the body of each event. */
const warnings = (): [day: string, body: Record<string, unknown>][] =>
  server.app.core.db
    .prepare<[], { at: number; conteudo: string }>(
      "SELECT published_at AS at, conteudo FROM event WHERE evento = 'catp-prazo' ORDER BY id",
    )
    .all()
    .map(({ at, conteudo }) => [new Date(at).toISOString().slice(0, 16), JSON.parse(conteudo)]);

const days = () => warnings().map(([day]) => day);

async function announce(to: string): Promise<void> {
  const pair = { codigo: 'ATT_1', obrigatorio: false, to };
  await activate(admin, await load(admin, tableFile('1', { '7318.15.00': [pair], '0901.21.00': [pair] })));
}

describe('a company', () => {
  beforeEach(() => open());

  test('is warned 30, 7 and 1 days before, at 06:00, about values that will be missing', async () => {
    await announce('2026-03-01');
    const screw = await include(demo, product(SCREW));
    const coffee = await include(demo, product(COFFEE));
    await include(demo, product(SCREW, 'ATT_1'));
    const other = await include(demo, product(SCREW), OTHER_COMPANY);
    await move({ advance: 'P40D' });
    expect(days()).toEqual([
      ...['2026-01-31T09:00', '2026-01-31T09:00'],
      ...['2026-02-23T09:00', '2026-02-23T09:00'],
    ]);
    const [[, first] = [], [, second] = []] = warnings();
    const warning = {
      data: '2026-03-02',
      tipo: 'ANUNCIADO',
      atributo: 'ATT_1',
      modalidade: 'IMPORTACAO',
    };
    expect(first).toEqual({
      cpfCnpjRaiz: COMPANY,
      ...warning,
      ncms: [
        { ncm: COFFEE, codigosProduto: [String(coffee)] },
        { ncm: SCREW, codigosProduto: [String(screw)] },
      ],
    });
    expect(second).toEqual({
      cpfCnpjRaiz: OTHER_COMPANY,
      ...warning,
      ncms: [{ ncm: SCREW, codigosProduto: [String(other)] }],
    });
    await demo.call('PUT', `/catp/api/ext/produto/${COMPANY}/${coffee}`, product(COFFEE, 'ATT_1'));
    await demo.call('PUT', `/catp/api/ext/produto/${COMPANY}/${screw}`, product(SCREW, 'ATT_1'));
    await move({ set: '2026-03-01T12:00:00-03:00' });
    expect(warnings().slice(-1)).toMatchObject([['2026-03-01T09:00', { cpfCnpjRaiz: OTHER_COMPANY }]]);
    expect(days().filter((day) => day.startsWith('2026-03'))).toHaveLength(1);
  });

  test('is warned once if several warnings are due, and not again by another run on the same day', async () => {
    await announce('2026-01-18');
    await include(demo, product(SCREW));
    const { app } = server;
    const job = app.core.jobs.find(({ name }) => name === 'prazos');
    expect(await job?.runOnce()).toEqual({ events: 1 });
    expect(await job?.runOnce()).toEqual({ events: 0 });
    await move({ advance: 'P2D' });
    expect(days()).toHaveLength(1);
    await move({ advance: 'P1D' });
    expect(days()).toEqual(['2026-01-15T12:00', '2026-01-18T09:00']);
  });

  test('is warned about at most 1000 products per event', async () => {
    await announce('2026-01-18');
    await includeMany(demo, 1001, product(SCREW));
    await move({ advance: 'P1D' });
    const counts = warnings().map(
      ([, { ncms }]) => (ncms as { codigosProduto: string[] }[])[0]?.codigosProduto.length,
    );
    expect(counts).toEqual([1000, 1]);
  });

  test('is warned about NCMs of its products that end, once, with one event per day', async () => {
    const file = nomenclatureFile([
      ['7318.15.00', 'Parafusos', '01/04/2022', '31/01/2026'],
      ['0901.21.00', 'Café', '01/04/2022', '31/01/2026'],
    ]);
    expect((await admin.call('POST', NOMENCLATURE, file)).status).toBe(200);
    const screw = await include(demo, product(SCREW));
    const coffee = await include(demo, { ...product(COFFEE), modalidade: 'EXPORTACAO' });
    await move({ advance: 'P5D' });
    expect(warnings()).toEqual([
      [
        '2026-01-16T09:00',
        {
          cpfCnpjRaiz: COMPANY,
          data: '2026-02-01',
          tipo: 'CERTO',
          atributo: null,
          modalidade: null,
          ncms: [
            { ncm: COFFEE, codigosProduto: [String(coffee)] },
            { ncm: SCREW, codigosProduto: [String(screw)] },
          ],
        },
      ],
    ]);
  });

  test('is not warned if no value is missing, or if the day is further away', async () => {
    await announce('2026-02-20');
    await include(demo, product(SCREW));
    await include(demo, product(COFFEE, 'ATT_1'));
    await move({ set: '2026-01-21T23:00:00-03:00' });
    expect(days()).toEqual([]);
  });

  test('is warned that a deadline is certain once a table confirms it', async () => {
    await announce('2026-01-18');
    await include(demo, product(SCREW));
    await move({ advance: 'P1D' });
    const certain = [{ codigo: 'ATT_1', from: '2026-01-19' }];
    await activate(admin, await load(admin, tableFile('2', { '7318.15.00': certain })), '2026-01-17');
    await move({ set: '2026-01-16T23:00:00-03:00' });
    expect(warnings().map(([, { tipo }]) => tipo)).toEqual(['ANUNCIADO']);
    await move({ advance: 'P1D' });
    expect(warnings().map(([, { tipo }]) => tipo)).toContain('CERTO');
  });
});

describe('the setting prazos.avisos', () => {
  test('sets the number of days before the deadline', async () => {
    await open({ 'prazos.avisos': '10' });
    await announce('2026-02-01');
    await include(demo, product(SCREW));
    await move({ advance: 'P30D' });
    expect(days()).toEqual(['2026-01-23T09:00']);
  });

  test.each(['0', '30,30', '367', ''])('"%s" is refused', (value) => {
    expect(() => SETTINGS['prazos.avisos'].parse(value)).toThrow(
      'números de dias de 1 a 366, cada um uma vez',
    );
  });

  test('with the value none warns no company', async () => {
    await open({ 'prazos.avisos': 'none' });
    await announce('2026-02-01');
    await include(demo, product(SCREW));
    await move({ advance: 'P30D' });
    expect(days()).toEqual([]);
  });
});

describe('a day on which the server was off at 06:00', () => {
  /** Stops the server, moves the clock to that moment, and starts it again. */
  async function startAgain(at: string): Promise<void> {
    const { folder, clock } = server;
    await server.close({ keepFolder: true });
    clock.moveTo(Date.parse(at));
    server = await openApp({ folder, clock, settings: { ambiente: 'producao' } });
  }

  const waitForWarning = async (): Promise<void> => {
    while (days().length === 0) await new Promise<void>((resolve) => setImmediate(resolve));
  };

  test('is caught up on at the next start', async () => {
    await open();
    await announce('2026-02-20');
    await include(demo, product(SCREW));
    await move({ set: '2026-01-21T23:00:00-03:00' });
    await startAgain('2026-01-22T11:00:00-03:00');
    await waitForWarning();
    expect(days()).toEqual(['2026-01-22T14:00']);
  });

  /** Returns whether the job runs at the start; its events follow later. */
  const runsAtStart = (): boolean | undefined => {
    const { atStart } = server.app.core.jobs.find(({ name }) => name === 'prazos') ?? {};
    return typeof atStart === 'function' ? atStart() : atStart;
  };

  test('is caught up on if the server was never on at that hour, from the day after its installation on', async () => {
    await open();
    await announce('2026-01-18');
    await include(demo, product(SCREW));
    await startAgain('2026-01-16T05:59:59-03:00');
    expect(runsAtStart()).toBe(false);
    await startAgain('2026-01-16T06:00:00-03:00');
    await waitForWarning();
    expect(days()).toEqual(['2026-01-16T09:00']);
  });

  test('is caught up on also after a clock that was ahead', async () => {
    await open();
    server.clock.moveTo(Date.parse('2027-01-15T07:00:00-03:00'));
    await server.app.core.jobs.find(({ name }) => name === 'prazos')?.runOnce();
    server.clock.moveTo(Date.parse('2026-01-16T07:00:00-03:00'));
    await signIn();
    await announce('2026-01-18');
    await include(demo, product(SCREW));
    await startAgain('2026-01-16T07:00:00-03:00');
    await waitForWarning();
    expect(days()).toEqual(['2026-01-16T10:00']);
  });
});

test('many warnings of a day are published in few transactions', async () => {
  await open();
  const codes = Array.from({ length: 60 }, (_, place) => `ATT_${place + 1}`);
  const pairs = codes.map((codigo) => ({ codigo, obrigatorio: false, to: '2026-01-31' }));
  await activate(admin, await load(admin, tableFile('1', { '7318.15.00': pairs })));
  await include(demo, product(SCREW));
  const writes = spyOn(server.app.core.writer, 'write');
  await server.app.core.jobs.find(({ name }) => name === 'prazos')?.runOnce();
  expect(warnings()).toHaveLength(60);
  // Transactions: fifty warnings, ten warnings, and the end of the job.
  expect(writes).toHaveBeenCalledTimes(3);
  writes.mockRestore();
});
