/**
 * Steps that a run left open, as the next comparison reports them (contract section 18, States): refused,
 * uncertain, and done too late.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { WireAnswer, WireRequest } from '../../src/remote/wire/model.ts';
import { COMPANY } from './support.ts';
import { type Fate, FaultyWire, TwoCatalogues } from './two-catalogues.ts';

let two: TwoCatalogues;
beforeEach(async () => {
  two = await TwoCatalogues.open();
});
afterEach(() => two.close());

const PRODUCTS = `/catp/api/ext/produto/${COMPANY}`;
const PLAIN = { descricao: 'Com tampa', modalidade: 'IMPORTACAO', ncm: '39269090' };
const NO: WireAnswer = { kind: 'answer', status: 422, body: { message: 'Não desta vez.', code: 'X-1' } };

const always = (): Fate => 'done';
const neverHeard = ({ method }: WireRequest): Fate => (method === 'GET' ? 'done' : 'drop');
/** A remote that refuses these operations. */
function refusing(...operations: readonly string[]) {
  const wire = new FaultyWire(two, always);
  return {
    ask: (request: WireRequest) =>
      operations.includes(request.operation) ? Promise.resolve(NO) : wire.ask(request),
    download: (request: WireRequest, file: string) => wire.download(request, file),
  };
}
const plain = () => new FaultyWire(two, always);
const states = async () =>
  (await two.runComparison()).records.map(({ kind, codigo, state, reason }) => [kind, codigo, state, reason]);
const outcomes = async (...options: Parameters<TwoCatalogues['run']>) =>
  (await two.run(...options)).steps.map(({ operation, outcome }) => [operation, outcome]);

describe('a refused record', () => {
  test('is recusado with the message of the remote, and sent again only on request', async () => {
    await two.include('A');
    await outcomes(refusing('includeProduct'));
    expect(await states()).toEqual([['produto', '1', 'recusado', 'Não desta vez.']]);
    expect(await outcomes(plain())).toEqual([]);
    expect(await outcomes(plain(), undefined, { states: ['recusado'] })).toEqual([['include', 'sent']]);
    expect(await states()).toEqual([['produto', '1', 'igual', null]]);
  });

  test('that changed locally since is sent normally', async () => {
    await two.include('A');
    await outcomes(refusing('includeProduct'));
    await two.signIn();
    await two.ok('PUT', `${PRODUCTS}/1`, { ...PLAIN, denominacao: 'Outro' });
    expect(await states()).toEqual([['produto', '1', 'soAqui', null]]);
    expect(await outcomes(plain())).toEqual([['include', 'sent']]);
  });

  test('includes new versions, deactivations and links', async () => {
    await two.include('A');
    await two.include('B');
    const { codigo } = await two.ok('POST', `/catp/api/ext/operador-estrangeiro/${COMPANY}/DE`, {
      nome: 'Muster',
      logradouro: 'Hauptstrasse 1',
      nomeCidade: 'Bonn',
    });
    await outcomes(plain());
    await two.signIn();
    await two.ok('PUT', `${PRODUCTS}/1`, { ...PLAIN, denominacao: 'Outro' });
    await two.ok('PUT', `/catp/api/ext/produto/desativar/${COMPANY}/2`);
    await two.ok('POST', `/catp/api/ext/fabricante/${COMPANY}`, {
      codigoProduto: 1,
      conhecido: true,
      codigoPais: 'DE',
      codigoOperadorEstrangeiro: codigo,
    });
    await outcomes(refusing('newProductVersion', 'deactivateProduct', 'linkManufacturer'));
    expect((await two.runComparison()).comparison.counts).toEqual({
      operador: { igual: 1 },
      produto: { recusado: 2 },
      vinculo: { recusado: 1 },
    });
    expect(await outcomes(plain(), undefined, { states: ['recusado'] })).toEqual([
      ['newVersion', 'sent'],
      ['link', 'sent'],
      ['deactivate', 'sent'],
    ]);
  });

  test('counts among the deactivations that the brake limits', async () => {
    const codes = [];
    for (let at = 0; at < 11; at += 1) codes.push(await two.include(`P ${at}`));
    await outcomes(plain());
    await two.signIn();
    for (const codigo of codes) await two.ok('PUT', `/catp/api/ext/produto/desativar/${COMPANY}/${codigo}`);
    await outcomes(refusing('deactivateProduct'));
    const { id } = await two.runComparison();
    const ask = (states: string[]) =>
      two.ours.call('POST', `/appliance/api/comparisons/${id}/runs`, {
        direction: 'send',
        simulate: true,
        states,
      });
    expect((await ask(['recusado'])).json.detail[0].code).toBe('APPL-ER0451');
    expect((await ask(['desativadoAqui'])).status).toBe(202);
  });
});

describe('a record with an unknown result', () => {
  test('is incerto, changed locally or not, and sent again only on request', async () => {
    await two.include('A');
    await outcomes(new FaultyWire(two, neverHeard));
    const reason = 'o envio 1 não soube se foi feito lá (cortada); não estava lá nesta comparação';
    expect(await states()).toEqual([['produto', '1', 'incerto', reason]]);
    await two.ok('PUT', `${PRODUCTS}/1`, { ...PLAIN, denominacao: 'Outro' });
    expect(await states()).toEqual([['produto', '1', 'incerto', reason]]);
    expect(await outcomes(plain())).toEqual([]);
    expect(await outcomes(plain(), undefined, { states: ['incerto'] })).toEqual([['include', 'sent']]);
    expect(await states()).toEqual([['produto', '1', 'igual', null]]);
  });

  test('prevents a send of its local twin', async () => {
    await two.include('A');
    await outcomes(new FaultyWire(two, neverHeard));
    await two.signIn();
    await two.include('A');
    expect((await states()).map(([, codigo, state]) => [codigo, state])).toEqual([
      ['1', 'incerto'],
      ['2', 'naoEnviavel'],
    ]);
  });

  test('that exists in the remote after all is igual', async () => {
    await two.include('A', ['X']);
    const wire = new FaultyWire(two, ({ method }) => (method === 'GET' ? 'done' : 'late'));
    await outcomes({
      ask: (request) => wire.ask(request),
      download: (request, file) => wire.download(request, file),
    });
    expect((await states()).map(([, , state]) => state)).toEqual(['incerto']);
    await wire.doLate(); // the first one is done; four more are refused as duplicates
    expect((await states()).map(([, , state]) => state)).toEqual(['igual']);
  });
});

test('that the remote creates much later is soLa, and names the record that it equals', async () => {
  await two.close();
  two = await TwoCatalogues.open('especificacao'); // this profile accepts identical products
  await two.include('A', ['X']);
  await two.ok('POST', `/catp/api/ext/operador-estrangeiro/${COMPANY}/DE`, {
    nome: 'Muster',
    logradouro: 'Hauptstrasse 1',
    nomeCidade: 'Bonn',
  });
  const late: WireRequest[] = [];
  const wire = plain();
  await outcomes({
    ask: async (request) => {
      const isFirst = !late.some(({ operation }) => operation === request.operation);
      if (request.method === 'GET' || !isFirst) return wire.ask(request);
      late.push(request);
      return { kind: 'unknown', reason: 'sem resposta em 60 s' };
    },
    download: (request, file) => wire.download(request, file),
  });
  expect((await states()).map(([, , state]) => state)).toEqual(['igual', 'igual']);
  for (const { path, body } of late) await two.callRemote('POST', path, body);
  const unpairedRemote = (await two.runComparison()).records.filter(({ state }) => state === 'soLa');
  expect(unpairedRemote).toMatchObject([
    { kind: 'operador', remoteCodigo: 'OPE_2', reason: 'igual ao OPE_1 daqui, que lá é o OPE_1' },
    { kind: 'produto', remoteCodigo: '2', reason: 'igual ao 1 daqui, que lá é o 1' },
  ]);
  // An independent record of the remote is never taken for a twin.
  await two.callRemote('POST', PRODUCTS, { ...PLAIN, denominacao: 'Outro' });
  const others = (await two.runComparison()).records.filter(({ remoteCodigo }) => remoteCodigo === '3');
  expect(others).toMatchObject([{ state: 'soLa', reason: null }]);
});
