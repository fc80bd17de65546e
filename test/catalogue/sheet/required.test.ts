/**
 * Required members of an active product, for every activation and change (contract sections 4, 5, 24 and
 * 25): sheets and bulk changes too.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { COMPANY, ended, importRows } from './support.ts';

const PRODUCTS = '/catp/api/ext/produto';
const PLAIN = { denominacao: 'Caixa', modalidade: 'IMPORTACAO', ncm: '39269090' };

let server: TestApp;
let demo: Client;

beforeEach(async () => {
  server = await openApp({ demo: true });
  demo = await server.as('demo');
});

afterEach(() => server.close());

const get = async (codigo: number) =>
  (await demo.call('GET', `${PRODUCTS}?cpfCnpjRaiz=${COMPANY}&codigo=${codigo}`)).json[0];

const include = async (content: object = PLAIN): Promise<number> =>
  (await demo.call('POST', `${PRODUCTS}/${COMPANY}`, content)).json.codigo;

const draft = async (content: object = {}): Promise<number> =>
  (
    await demo.call('POST', '/appliance/api/products/drafts', {
      cpfCnpjRaiz: COMPANY,
      denominacao: 'Rascunho',
      ...content,
    })
  ).json.codigo;

const deactivate = (codigo: number) => demo.call('PUT', `${PRODUCTS}/desativar/${COMPANY}/${codigo}`);

const change = async (order: object) =>
  ended(demo, await demo.call('POST', '/appliance/api/products/changes', { cpfCnpjRaiz: COMPANY, ...order }));

const MISSING = [
  { code: 'CATP-ER1040', path: '/modalidade', message: expect.stringContaining('EXPORTACAO') },
  {
    code: 'CATP-ER1040',
    path: '/ncm',
    message: 'ncm: membro obrigatório ausente; informe um texto: 8 dígitos.',
  },
];

describe('a draft without NCM and modality', () => {
  test('is activated by a sheet only if it has both', async () => {
    const codigo = await draft();
    const { rows } = await importRows(demo, [
      ['Código', 'Situação'],
      [String(codigo), 'Ativado'],
    ]);
    expect(rows).toMatchObject([{ outcome: 'failed', problems: MISSING }]);
    expect(await get(codigo)).toMatchObject({ situacao: 'RASCUNHO', ncm: null });
    const whole = await importRows(demo, [
      ['Código', 'Situação', 'NCM', 'Modalidade'],
      [String(codigo), 'Ativado', '39269090', 'Importação'],
    ]);
    expect(whole.rows).toMatchObject([{ outcome: 'newVersion', problems: [] }]);
    expect(await get(codigo)).toMatchObject({ situacao: 'ATIVADO', versao: '1', ncm: '39269090' });
  });

  test('is refused at the cell that the row has emptied', async () => {
    const codigo = await draft(PLAIN);
    const { rows } = await importRows(
      demo,
      [
        ['Código', 'Situação', 'NCM'],
        [String(codigo), 'Ativado', ''],
      ],
      { empty: 'apagar' },
    );
    expect(rows[0].problems).toMatchObject([{ code: 'CATP-ER1040', cell: 'C2', heading: 'NCM' }]);
  });

  test('stays deactivated after a bulk change of products and after a sheet', async () => {
    const codigo = await draft();
    await deactivate(codigo);
    expect((await change({ codigos: [codigo], reactivate: true })).rows).toMatchObject([
      { outcome: 'failed', problems: MISSING },
    ]);
    const { rows } = await importRows(
      demo,
      [
        ['Código', 'Nome'],
        [String(codigo), 'Outro'],
      ],
      { reactivate: true },
    );
    expect(rows).toMatchObject([{ outcome: 'failed', problems: MISSING }]);
    expect(await get(codigo)).toMatchObject({ situacao: 'DESATIVADO', ncm: null });
  });

  test('can be changed while it is not active, and emptying an empty member changes nothing', async () => {
    const [draftCode, deactivatedCode] = [await draft(PLAIN), await draft()];
    await deactivate(deactivatedCode);
    const sheet = [
      ['Código', 'NCM', 'Modalidade', 'Descrição detalhada'],
      [String(draftCode), '', '', 'x'],
      [String(deactivatedCode), '', '', 'y'],
    ];
    const { rows } = await importRows(demo, sheet, { empty: 'apagar' });
    expect(rows).toMatchObject([{ outcome: 'newVersion' }, { outcome: 'newVersion' }]);
    expect(await get(draftCode)).toMatchObject({ situacao: 'RASCUNHO', ncm: null, modalidade: null });
    expect(await get(deactivatedCode)).toMatchObject({ situacao: 'DESATIVADO', descricao: 'y' });
    const again = await importRows(demo, sheet, { empty: 'apagar' });
    expect(again.rows).toMatchObject([{ outcome: 'unchanged' }, { outcome: 'unchanged' }]);
  });
});

test('no sheet empties a required member of a product that is no draft', async () => {
  const [active, deactivatedCode] = [await include(), await include({ ...PLAIN, denominacao: 'Velha' })];
  await deactivate(deactivatedCode);
  const { rows } = await importRows(
    demo,
    [
      ['Código', 'NCM', 'Modalidade', 'Denominação'],
      [String(active), '', '', 'apaga'],
      [String(deactivatedCode), '', 'Importação', ''],
    ],
    { empty: 'apagar' },
  );
  const requiredProblem = (cell: string, heading: string) => ({
    code: 'PUCX-ER0010',
    cell,
    heading,
    message: `${heading}: não pode ficar vazia.`,
  });
  expect(rows).toMatchObject([
    { outcome: 'failed', problems: [requiredProblem('C2', 'Modalidade'), requiredProblem('B2', 'NCM')] },
    { outcome: 'failed', problems: [requiredProblem('D3', 'Denominação'), requiredProblem('B3', 'NCM')] },
  ]);
  expect(await get(active)).toMatchObject({ ...PLAIN, versao: '1' });
});

test('a row that deactivates an unknown record is refused at its cell', async () => {
  const { rows } = await importRows(demo, [
    ['SKU', 'Nome', 'NCM', 'Modalidade', 'Situação'],
    ['B-1', 'Copo', '39269090', 'IMP', 'Inativo'],
    ['B-2', '#N/A', '39269090', 'IMP', 'Ativo'],
  ]);
  expect(rows[0].errors).toEqual([
    'Situação: recebido "Inativo"; não há no catálogo o registro "B-1" que a linha desativaria, e um novo não entra desativado. Deixe a linha de fora, ou mude a situação.',
  ]);
  expect(rows[0].problems[0]).toMatchObject({ cell: 'E2', member: 'situacao' });
  expect(rows[1].errors[0]).toContain('recebido #N/A, um erro da planilha');
});
