/**
 * Other products to correct: those that a remote refused, and those with a future requirement
 * (toMend=refused, toMend=due).
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { MINUTE_MS } from '../../../src/clock.ts';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { compare, ran } from '../../remote/support.ts';
import { COMPANY, activate, include, load, product, tableFile } from '../attribute/support.ts';

const PAGE = '/appliance/api/products';
const REASONS = `${PAGE}/reasons`;
const [SCREW, COFFEE] = ['73181500', '09012100'];

let server: TestApp;
let demo: Client;
let admin: Client;

beforeEach(async () => {
  server = await openApp({ settings: { ambiente: 'producao' } });
  demo = await server.as('demo');
  admin = await server.as('admin');
});
afterEach(() => server.close());

const get = async (path: string, client = demo) => client.call('GET', `${path}cpfCnpjRaiz=${COMPANY}`);
const reasons = async (query: string) => (await get(`${REASONS}?${query}&`)).json;
const codes = async (query: string): Promise<number[]> => {
  const { json, text, status } = await get(`${PAGE}?${query}&`);
  if (status !== 200) throw new Error(text);
  return json.items.map(({ codigo }: { codigo: number }) => codigo);
};
const changeProduct = (codigo: number) =>
  demo.call('PUT', `/catp/api/ext/produto/${COMPANY}/${codigo}`, {
    ...product(COFFEE),
    denominacao: 'Mudado',
  });

describe('the refusals of a remote', () => {
  const LONG = 'denominacao: o texto tem mais de 100 caracteres e não cabe';

  /** Includes three products: one remote refuses two and gets the third, another one refuses the second. */
  async function refuseProducts() {
    const productCodes: number[] = [];
    for (const ncm of [COFFEE, SCREW, SCREW]) productCodes.push(await include(demo, product(ncm)));
    const [first = 0, second = 0, third = 0] = productCodes;
    for (const name of ['casa', 'portal'])
      await admin.call('POST', '/appliance/api/remotes', { name, companies: [COMPANY] });
    const [casa, portal] = [
      await compare(server, demo, {}, {}, 'casa'),
      await compare(server, demo, {}, {}, 'portal'),
    ];
    server.clock.moveTo(server.clock.now() + MINUTE_MS);
    const refusal = { outcome: 'refused', code: 'PUCX-ER1234', message: 'ncm: não existe' } as const;
    await ran(server, portal.id, [
      { codigo: first, ...refusal },
      { codigo: second, ...refusal },
      { codigo: third, outcome: 'sent', there: 1 },
    ]);
    await ran(server, casa.id, [{ codigo: second, outcome: 'refused', message: LONG }]);
    return { first, second };
  }

  test('require the right to write for the company', async () => {
    await refuseProducts();
    for (const key of ['publico', 'estranho', 'admin'] as const) {
      const client = await server.as(key);
      for (const path of [REASONS, PAGE, `${PAGE}.csv`]) {
        expect((await get(`${path}?toMend=refused&`, client)).status).toBe(403);
        expect((await get(`${path}?toMend=%20refused&`, client)).status).toBe(403);
      }
    }
    const agent = await server.as('publico');
    expect((await get(`${PAGE}?toMend=deactivated&`, agent)).status).toBe(200);
    expect((await get(`${PAGE}?toMend=deactivated&toMend=refused&`, agent)).status).toBe(400);
  });

  test('are grouped by the remote and by code or message, with the products', async () => {
    const { first, second } = await refuseProducts();
    expect(await reasons('toMend=refused')).toMatchObject({
      total: 2,
      ready: 0,
      reasons: [
        {
          reason: 'PUCX-ER1234',
          message: 'ncm: não existe',
          heading: 'Remoto portal',
          member: 'remoto:portal',
          count: 2,
          alone: 1,
          form: null,
          accepted: null,
          received: [],
        },
        { reason: LONG.slice(0, 40), message: LONG, member: 'remoto:casa', count: 1, alone: 0 },
      ],
    });
    expect(await codes('toMend=refused')).toEqual([first, second]);
    expect(await codes('toMend=refused&member=remoto:casa')).toEqual([second]);
    expect(await codes('toMend=refused&member=remoto:portal')).toEqual([first, second]);
    expect(await codes(`toMend=refused&reason=${encodeURIComponent(LONG.slice(0, 40))}`)).toEqual([second]);
    expect(await codes(`toMend=refused&ncm=${COFFEE}`)).toEqual([first]);
    expect(await codes('toMend=refused&remote=casa&remoteState=recusado')).toEqual([second]);
    expect(await reasons(`toMend=refused&ncm=${COFFEE}`)).toMatchObject({ total: 1 });
  });

  test('leave the queue when the product changes', async () => {
    const { first, second } = await refuseProducts();
    server.clock.moveTo(server.clock.now() + MINUTE_MS);
    expect((await changeProduct(first)).status).toBe(200);
    expect(await codes('toMend=refused')).toEqual([second]);
  });

  test('are empty without a refusal', async () => {
    await include(demo, product(COFFEE));
    expect(await reasons('toMend=refused')).toEqual({ total: 0, ready: 0, readyLosing: 0, reasons: [] });
  });
});

describe('the future requirements', () => {
  const ANNOUNCED = { codigo: 'ATT_1', obrigatorio: false, to: '2026-01-31' };
  const CERTAIN = { codigo: 'ATT_2', from: '2026-03-01' };

  async function includeIncomplete() {
    await activate(
      admin,
      await load(admin, tableFile('1', { '7318.15.00': [ANNOUNCED, CERTAIN], '0901.21.00': [ANNOUNCED] })),
    );
    const screw = await include(demo, product(SCREW));
    const coffee = await include(demo, { ...product(COFFEE), denominacao: 'Café' });
    const ready = await include(demo, { ...product(COFFEE, 'ATT_1'), denominacao: 'Café pronto' });
    return { screw, coffee, ready };
  }

  test('require the right to read the company', async () => {
    await includeIncomplete();
    for (const path of [REASONS, PAGE]) {
      expect((await get(`${path}?toMend=due&`, server.anybody)).status).toBe(401);
      expect((await get(`${path}?toMend=due&`, await server.as('estranho'))).status).toBe(403);
      expect((await get(`${path}?toMend=due&`, await server.as('publico'))).status).toBe(200);
    }
  });

  test('are grouped by attribute, announced or certain, with the products that lack it', async () => {
    const { screw, coffee } = await includeIncomplete();
    expect(await reasons('toMend=due')).toMatchObject({
      total: 2,
      ready: 0,
      reasons: [
        {
          reason: 'CATP-ER1101',
          member: 'atributo:ATT_1',
          heading: 'Inventado ATT_1',
          count: 2,
          alone: 1,
          received: [{ value: '', count: 2 }],
          ncmCount: 2,
          message:
            'Atributo ATT_1 (Inventado ATT_1): não informado, e anunciado como exigido a partir de 2026-02-01, se a tabela pública confirmar.',
          form: { formaPreenchimento: 'TEXTO', tamanhoMaximo: 10 },
        },
        {
          reason: 'CATP-ER1101',
          member: 'atributo:ATT_2',
          count: 1,
          alone: 0,
          message: 'Atributo ATT_2 (Inventado ATT_2): não informado, e exigido a partir de 2026-03-01.',
        },
      ],
    });
    expect(await codes('toMend=due')).toEqual([screw, coffee]);
    expect(await codes('toMend=due&reason=CATP-ER1101&member=atributo:ATT_2')).toEqual([screw]);
    expect(await codes('toMend=due&deadline=2026-03-01')).toEqual([screw]);
    expect(await codes(`toMend=due&ncm=${COFFEE}`)).toEqual([coffee]);
    // The requirement is in the future, so the system deactivated none of them.
    expect(await codes('toMend=deactivated')).toEqual([]);
  });

  test('leave the queue when a whole group is filled in', async () => {
    const { screw } = await includeIncomplete();
    const filter = { toMend: 'due', reason: 'CATP-ER1101', member: 'atributo:ATT_1' };
    const set = { atributos: { ATT_1: 'x' } };
    const started = await demo.call('POST', `${PAGE}/changes`, { cpfCnpjRaiz: COMPANY, filter, set });
    for (let state = ''; state !== 'done'; await new Promise((resolve) => setImmediate(resolve)))
      state = (await demo.call('GET', `/appliance/api/imports/${started.json.id}`)).json.state;
    expect(await codes('toMend=due')).toEqual([screw]);
    expect(await reasons('toMend=due')).toMatchObject({ total: 1, reasons: [{ member: 'atributo:ATT_2' }] });
  });
});
