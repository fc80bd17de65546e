/** Refused steps are retried once after the deactivations, when there are any (contract section 18, Send). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { WireAnswer, WireRequest } from '../../src/remote/wire/model.ts';
import { COMPANY } from './support.ts';
import { FaultyWire, TwoCatalogues } from './two-catalogues.ts';

let two: TwoCatalogues;
beforeEach(async () => {
  two = await TwoCatalogues.open();
});
afterEach(() => two.close());

const OPERATORS = `/catp/api/ext/operador-estrangeiro/${COMPANY}/DE`;
const MAKER = { logradouro: 'Hauptstrasse 1', nomeCidade: 'Bonn' };
const plain = () => new FaultyWire(two, () => 'done');
const outcomesOf = (run: Awaited<ReturnType<TwoCatalogues['run']>>) =>
  run.steps.map(({ kind, operation, outcome, attempts }) => [kind, operation, outcome, attempts]);
const counts = async () => (await two.runComparison()).comparison.counts;
const deactivate = async (codigo: number) => {
  await two.signIn();
  await two.ok('PUT', `/catp/api/ext/produto/desativar/${COMPANY}/${codigo}`);
};

test('an operator whose TIN became free is included, and so are its links', async () => {
  await two.include('A');
  const old = await two.ok('POST', OPERATORS, { ...MAKER, nome: 'Alt GmbH', tin: 'DE1' });
  await two.run(plain());
  await two.signIn();
  await two.ok('PUT', `/catp/api/ext/operador-estrangeiro/desativar/${COMPANY}/DE/${old.codigo}/1`);
  const { codigo } = await two.ok('POST', OPERATORS, { ...MAKER, nome: 'Neu GmbH', tin: 'DE1' });
  await two.ok('POST', `/catp/api/ext/fabricante/${COMPANY}`, {
    codigoProduto: 1,
    conhecido: true,
    codigoPais: 'DE',
    codigoOperadorEstrangeiro: codigo,
  });
  const wire = plain();
  expect(outcomesOf(await two.run(wire))).toEqual([
    ['operador', 'include', 'sent', 2],
    ['vinculo', 'link', 'sent', 1],
    ['operador', 'deactivate', 'sent', 1],
  ]);
  expect(wire.requests).toEqual([
    'POST includeForeignOperator',
    ...['GET listForeignOperators', 'PUT deactivateForeignOperator'],
    ...['POST includeForeignOperator', 'POST linkManufacturer'],
  ]);
  expect(await counts()).toEqual({ operador: { igual: 2 }, produto: { igual: 1 }, vinculo: { igual: 1 } });
});

describe('a product with the same content as one that the plan deactivates', () => {
  test('can be sent, is refused at first, and is included after the deactivation', async () => {
    await two.include('A', ['X']);
    await two.run(plain());
    await deactivate(1);
    await two.include('A', ['Y']);
    const { records } = await two.runComparison();
    expect(records.map(({ codigo, state }) => [codigo, state])).toEqual([
      ['1', 'desativadoAqui'],
      ['2', 'soAqui'],
    ]);
    expect(outcomesOf(await two.run(plain()))).toEqual([
      ['produto', 'include', 'sent', 2],
      ['produto', 'deactivate', 'sent', 1],
    ]);
    expect((await counts()).produto).toEqual({ igual: 2 });
  });

  test('does not adopt the old remote product, although their internal codes are the same', async () => {
    await two.include('A', ['X']);
    await two.run(plain());
    await deactivate(1);
    await two.include('A', ['X']);
    const { steps } = await two.run(plain());
    expect(steps).toMatchObject([
      { operation: 'include', outcome: 'sent', remoteKey: '0000000002' },
      { operation: 'deactivate', outcome: 'sent', remoteKey: '0000000001' },
    ]);
    expect((await counts()).produto).toEqual({ igual: 2 });
  });

  test('cannot be sent if the other one stays active', async () => {
    await two.include('A');
    await two.run(plain());
    await two.signIn();
    await two.include('A');
    const { records } = await two.runComparison();
    expect(records.find(({ codigo }) => codigo === '2')).toMatchObject({
      state: 'naoEnviavel',
      reason: 'idêntico ao 1 de lá, que está ativo',
    });
  });
});

test('an operator with another country in the remote cannot be sent, and is deactivated under the remote country', async () => {
  const { codigo } = await two.ok('POST', OPERATORS, { ...MAKER, nome: 'Muster', tin: 'DE1' });
  const inAustria = OPERATORS.replace(/DE$/, 'AT');
  await two.callRemote('POST', inAustria, { ...MAKER, nome: 'Muster', tin: 'DE1' });
  const { id } = await two.runComparison();
  const decided = { kind: 'operador', codigo, remoteCodigo: 'OPE_1', keep: 'here' };
  await two.ours.call('POST', `/appliance/api/comparisons/${id}/pairs`, decided);
  const reason = 'país DE aqui e AT lá, que não muda; desative um dos dois e inclua-o no outro país';
  expect((await two.runComparison()).records).toMatchObject([{ state: 'naoEnviavel', reason }]);
  await two.ok('PUT', `/catp/api/ext/operador-estrangeiro/desativar/${COMPANY}/DE/${codigo}/1`);
  expect(outcomesOf(await two.run(plain()))).toEqual([['operador', 'deactivate', 'sent', 1]]);
  expect((await counts()).operador).toEqual({ igual: 1 });
});

test('is refused finally the second time, and is tried only once more', async () => {
  await two.include('A');
  await two.include('B');
  await two.run(plain());
  await deactivate(1);
  await two.include('C');
  const wire = plain();
  const refused: WireAnswer = { kind: 'answer', status: 422, body: { message: 'não', code: 'X-1' } };
  const ended = await two.run({
    ask: (request: WireRequest) =>
      request.operation === 'includeProduct' ? Promise.resolve(refused) : wire.ask(request),
    download: (request, file) => wire.download(request, file),
  });
  expect(outcomesOf(ended)).toEqual([
    ['produto', 'include', 'refused', 2],
    ['produto', 'deactivate', 'sent', 1],
  ]);
  expect(ended.run).toMatchObject({ state: 'done', again: true });
});

test('nothing is tried again if nothing was deactivated', async () => {
  await two.include('A');
  const refused: WireAnswer = { kind: 'answer', status: 422, body: { message: 'não', code: 'X-1' } };
  const ended = await two.run({ ask: () => Promise.resolve(refused), download: never });
  expect(outcomesOf(ended)).toEqual([['produto', 'include', 'refused', 1]]);
});

const never = (): Promise<WireAnswer> => Promise.reject(new Error('nothing is downloaded'));
