/**
 * Attributes by their codes have the form of a request, in bulk changes and in sheets, with a table
 * and without (contract sections 3 and 4).
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { COMPANY, ended, importRows } from '../sheet/support.ts';

const PRODUCTS = '/catp/api/ext/produto';
const PLAIN = { denominacao: 'Caixa', modalidade: 'IMPORTACAO', ncm: '39269090' };
const [LONG_CODE, LONG] = ['C'.repeat(25), 'v'.repeat(3700)];

let server: TestApp;
let demo: Client;

/** Opens a server without a table in force, so that only the form is validated. */
beforeEach(async () => {
  server = await openApp();
  demo = await server.as('demo');
});

afterEach(() => server.close());

const ask = (atributos: object, codigos: readonly number[] = [1]) =>
  demo.call('POST', '/appliance/api/products/changes', {
    cpfCnpjRaiz: COMPANY,
    codigos,
    set: { atributos },
  });

const include = async (content: object = {}): Promise<number> =>
  (await demo.call('POST', `${PRODUCTS}/${COMPANY}`, { ...PLAIN, ...content })).json.codigo;

const get = async (codigo: number) =>
  (await demo.call('GET', `${PRODUCTS}?cpfCnpjRaiz=${COMPANY}&codigo=${codigo}`)).json[0];

describe('a bulk change', () => {
  test.each<readonly [what: string, object, path: string, said: string]>([
    ['a long code', { [`${LONG_CODE}X`]: 'a' }, `/${LONG_CODE}X`, 'com 26 caracteres; aceita de 1 a 25'],
    [
      'a long code to remove',
      { [`${LONG_CODE}X`]: null },
      `/${LONG_CODE}X`,
      'com 26 caracteres; aceita de 1 a 25',
    ],
    ['a code of blanks', { '  ': 'a' }, '/  ', 'com 0 caracteres'],
    ['NUL in a code', { 'A\0': 'a' }, '/A\0', 'NUL'],
    ['a long value', { A: `${LONG}v` }, '/A', '"A": valores: recebido "v'],
    ['NUL in a value', { A: 'a\0b' }, '/A', 'NUL'],
    ['half a character', { A: ['a', '\ud800'] }, '/A', 'substituto'],
    ['a long value of a part', { A: { B: `${LONG}v` } }, '/A/B', 'com 3701 caracteres; aceita de 1 a 3700'],
    ['NUL in a group', { A: [{ B: 'a' }, { B: '', C: 'a\0' }] }, '/A/C', '"C": valor: recebido'],
    ['a long code of a part', { A: { [`${LONG_CODE}X`]: 'a' } }, `/A/${LONG_CODE}X`, 'com 26 caracteres'],
  ])('refuses %s', async (_what, atributos, path, message) => {
    const { status, json } = await ask(atributos);
    expect(status).toBe(400);
    expect(json.detail).toMatchObject([
      {
        code: 'PUCX-ER0010',
        field: 'atributos',
        path: `/set/atributos${path}`,
        message: expect.stringContaining(message),
      },
    ]);
  });

  test('accepts the maximum length, and codes without the blanks around them', async () => {
    const codigo = await include();
    const atributos = { [` ${LONG_CODE} `]: LONG, A: ['a', ' '], B: { ' C ': '1', D: null }, E: 1.5 };
    const { rows } = await ended(demo, await ask(atributos, [codigo]));
    expect(rows).toMatchObject([{ outcome: 'newVersion', problems: [] }]);
    expect(await get(codigo)).toMatchObject({
      atributos: [
        { atributo: LONG_CODE, valor: LONG },
        { atributo: 'E', valor: '1.5' },
      ],
      atributosMultivalorados: [{ atributo: 'A', valores: ['a'] }],
      atributosCompostos: [{ atributo: 'B', valores: [{ atributo: 'C', valor: '1' }] }],
    });
  });
});

describe('a sheet', () => {
  test('reports the problem at its cells, compounds too', async () => {
    const codigo = await include();
    const row = (target: string, value: string) =>
      importRows(
        demo,
        [
          ['Código', 'Nome', 'x'],
          [String(codigo), 'Outra', value],
        ],
        { mapping: [{ index: 2, target }] },
      );
    expect((await row('atributo:ATT_1', `${LONG}v`)).rows[0].problems).toMatchObject([
      { code: 'PUCX-ER0010', cell: 'C2', member: 'atributo:ATT_1' },
    ]);
    expect((await row('atributo:ATT_1/ATT_2', `${LONG}v`)).rows[0].problems).toMatchObject([
      { code: 'PUCX-ER0010', cell: 'C2', member: 'atributo:ATT_1/ATT_2' },
    ]);
    expect((await row(`atributo:ATT_1/${LONG_CODE}X`, 'a')).rows[0].problems).toMatchObject([
      { code: 'PUCX-ER0010', cell: 'C2' },
    ]);
    expect((await row('atributo:ATT_1/ATT_2', LONG)).rows).toMatchObject([{ outcome: 'newVersion' }]);
    expect(await get(codigo)).toMatchObject({
      atributosCompostos: [{ atributo: 'ATT_1', valores: [{ atributo: 'ATT_2', valor: LONG }] }],
    });
  });
});
