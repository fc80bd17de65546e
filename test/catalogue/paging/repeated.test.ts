/** GET /appliance/api/products?repeated=: the active products that share an internal code (contract section 25). */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../support/app.ts';

const COMPANY = '12345678';
const PRODUCTS = '/catp/api/ext/produto';
const LIST = `/appliance/api/products?cpfCnpjRaiz=${COMPANY}`;

let server: TestApp;
let demo: Client;
const codes: number[] = [];

beforeAll(async () => {
  server = await openApp({ demo: true });
  demo = await server.as('demo');
  for (const codigosInterno of [['A', 'B'], ['B'], ['C'], ['C'], ['D', 'E'], ['a'], []]) {
    const { json } = await demo.call('POST', `${PRODUCTS}/${COMPANY}`, {
      denominacao: 'Caixa',
      modalidade: 'IMPORTACAO',
      ncm: '39269090',
      codigosInterno,
    });
    codes.push(json.codigo);
  }
  // One active product with C remains.
  await demo.call('PUT', `${PRODUCTS}/desativar/${COMPANY}/${codes[3]}`);
});

afterAll(() => server.close());

const codesOf = async (query: string) =>
  (await demo.call('GET', `${LIST}&${query}`)).json.items.map(({ codigo }: { codigo: number }) => codigo);

test('a code of two active products is repeated; a code of an active and a deactivated one is not', async () => {
  expect(await codesOf('repeated=codigoInterno')).toEqual(codes.slice(0, 2));
});

test('it combines with other filters', async () => {
  expect(await codesOf('repeated=codigoInterno&internalCode=A')).toEqual(codes.slice(0, 1));
  expect(await codesOf('repeated=codigoInterno&situacao=DESATIVADO')).toEqual([]);
});

test('a name of two active products is repeated, without regard to case and accents', async () => {
  const include = async (denominacao: string, members: object = {}): Promise<number> => {
    const product = { denominacao, modalidade: 'IMPORTACAO', ncm: '39269090', ...members };
    return (await demo.call('POST', `${PRODUCTS}/${COMPANY}`, product)).json.codigo;
  };
  const first = await include('Válvula de aço');
  const second = await include('VALVULA DE ACO', { descricao: 'Outra' });
  const draft = { cpfCnpjRaiz: COMPANY, denominacao: 'Única' };
  await demo.call('POST', '/appliance/api/products/drafts', draft);
  await include('Única');
  const names = await codesOf('repeated=denominacao');
  expect(names).toEqual([...codes.filter((_, at) => at !== 3), first, second]);
  expect(await codesOf('repeated=denominacao&denominacao=valvula')).toEqual([first, second]);
  // The first products differ only by their internal codes.
  expect(await codesOf('repeated=conteudo')).toEqual(codes.filter((_, at) => at !== 3));
  const sameContent = await include('Válvula de aço', { codigosInterno: ['Z'] });
  expect(await codesOf('repeated=conteudo&denominacao=valvula')).toEqual([first, sameContent]);
});

test('a content is repeated in any order of its attributes (contract section 5)', async () => {
  const include = async (atributos: readonly object[]): Promise<number> => {
    const product = { denominacao: 'Luminária', modalidade: 'IMPORTACAO', ncm: '39269090', atributos };
    const reply = await demo.call('POST', `${PRODUCTS}/${COMPANY}`, product);
    expect(reply.status).toBe(200);
    return reply.json.codigo;
  };
  const [model, kind] = [
    { atributo: 'ATT_90032', valor: 'X-1' },
    { atributo: 'ATT_90040', valor: '01' },
  ];
  const first = await include([model, kind]);
  const reordered = await include([kind, model]);
  await include([{ atributo: 'ATT_90032', valor: 'X-2' }, kind]);
  expect(await codesOf('repeated=conteudo&denominacao=lumin')).toEqual([first, reordered]);
});

test('another member is refused', async () => {
  expect((await demo.call('GET', `${LIST}&repeated=ncm`)).status).toBe(400);
});
