/** Pages of operators: by words, by what they share, and TINs that are probably wrong (contract section 25). */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { COMPANY, importRows } from '../sheet/support.ts';

let server: TestApp;
let demo: Client;

beforeEach(async () => {
  server = await openApp();
  demo = await server.as('demo');
});
afterEach(() => server.close());

const HEADINGS = ['Nome', 'País', 'Logradouro', 'Cidade', 'TIN'];
const row = (nome: string, tin: string): readonly string[] => [nome, 'DE', 'Weg 1', 'Berlin', tin];
const enter = (...rows: (readonly string[])[]) =>
  importRows(demo, [HEADINGS, ...rows], {}, 'operador-estrangeiro');
const namesOf = async (query: string): Promise<string[]> =>
  (await demo.call('GET', `/appliance/api/foreign-operators?cpfCnpjRaiz=${COMPANY}&${query}`)).json.items.map(
    ({ nome }: { nome: string }) => nome,
  );

test('words in any order are searched in names, TINs and codes', async () => {
  await enter(row('Müller Schrauben GmbH', 'DE 123-456'), row('Muller Werkzeug', 'x1'), row('Outro', 'Z9'));
  expect(await namesOf('text=schrauben muller')).toEqual(['Müller Schrauben GmbH']);
  expect(await namesOf('text=MULLER')).toEqual(['Müller Schrauben GmbH', 'Muller Werkzeug']);
  expect(await namesOf('text=z9')).toEqual(['Outro']);
  expect(await namesOf('text=ope_2 x1')).toEqual(['Muller Werkzeug']);
  expect(await namesOf('text=muller&tin=x1')).toEqual(['Muller Werkzeug']);
  expect(await namesOf('text=inexistente')).toEqual([]);
  const tooLong = `/appliance/api/foreign-operators?cpfCnpjRaiz=${COMPANY}&text=${'x'.repeat(201)}`;
  expect((await demo.call('GET', tooLong)).status).toBe(400);
});

test('a TIN matches another one without blanks, signs and case, a name without case and accents', async () => {
  await enter(
    row('Müller', 'DE 123-456'),
    row('MULLER', 'x1'),
    row('Outro', 'de.123456'),
    row('Só', 'DE1234567'),
  );
  expect(await namesOf('repeated=tin')).toEqual(['Müller', 'Outro']);
  expect(await namesOf('repeated=nome')).toEqual(['Müller', 'MULLER']);
  expect(await namesOf('repeated=nome&tin=x1')).toEqual(['MULLER']);
  const refusal = await demo.call(
    'GET',
    `/appliance/api/foreign-operators?cpfCnpjRaiz=${COMPANY}&repeated=cep`,
  );
  expect(refusal.status).toBe(400);
  const [first] = (await demo.call('GET', `/appliance/api/foreign-operators?cpfCnpjRaiz=${COMPANY}`)).json
    .items;
  await demo.call('PUT', `/catp/api/ext/operador-estrangeiro/desativar/${COMPANY}/DE/${first.codigo}/1`);
  expect(await namesOf('repeated=tin')).toEqual([]);
  expect(await namesOf('repeated=nome&exibirDesativados=true')).toEqual([]);
});

test.each([
  ['DE 123-456', 'DE123456', 'DE 123-456'],
  ['77', 'N/A', 'não parece um TIN'],
  ['77', '0', 'não parece um TIN'],
  ['77', '00.000.000/0001-91', 'CNPJ brasileiro'],
])('the second one of the TINs %p and %p has a notice', async (first, second, words) => {
  const { rows } = await enter(row('A', first), row('B', second));
  expect(rows.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['created', 'created']);
  expect(rows[0].notices).toEqual([]);
  expect(rows[1].notices).toEqual([{ path: '/tin', message: expect.stringContaining(words) }]);
});

test('a dry run has the notices too, and a different TIN has none', async () => {
  const { rows } = await importRows(
    demo,
    [HEADINGS, row('A', 'n/a'), row('B', 'DE1')],
    { simular: true },
    'operador-estrangeiro',
  );
  expect(rows[0].notices).toHaveLength(1);
  expect(rows[1].notices).toEqual([]);
});
