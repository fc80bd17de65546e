import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { zipSync } from 'fflate';
import { messageAlone } from '../../../src/errors.ts';
import type { ImportKind } from '../../../src/catalogue/import/model.ts';
import { ERRORS_KEPT } from '../../../src/catalogue/import/model.ts';
import { NAME_MAX_CHARACTERS } from '../../../src/catalogue/import/slice.ts';
import {
  COMPANY,
  OTHER_COMPANY,
  STRANGERS_COMPANY,
  type TestImports,
  openImports,
  product,
  products,
} from './support.ts';

let imports: TestImports;

beforeEach(async () => {
  imports = await openImports();
});

afterEach(() => imports.close());

describe('an item of a file', () => {
  test('of a company that its sender does not represent fails alone', async () => {
    const items = [
      product(1),
      product(2, { cpfCnpjRaiz: STRANGERS_COMPANY }),
      product(3, { cpfCnpjRaiz: OTHER_COMPANY }),
    ];
    const { progress, results } = await imports.run(items);
    expect(progress).toMatchObject({ state: 'done', total: 3, processed: 3, created: 2, failed: 1 });
    expect(results[1]).toMatchObject({ index: 1, seq: 2, outcome: 'failed', codigo: null });
    expect(results[1]?.errors[0]).toContain('representante');
    expect(imports.products(STRANGERS_COMPANY)).toBe('[]');
  });

  test('of a representation that was revoked after the upload fails', async () => {
    const id = await imports.queue(products(2));
    imports.core.session.store.removeRepresentation({
      documento: imports.demo.documento,
      cpfCnpjRaiz: '12345678',
      perfil: 'IMPEXP',
    });
    await imports.runner.idle();
    expect(imports.progress(id)).toMatchObject({ state: 'done', failed: 2, created: 0 });
  });

  test('of a user who was removed after the upload fails', async () => {
    const id = await imports.queue(products(2));
    imports.core.session.store.removeUser(imports.demo.documento);
    await imports.runner.idle();
    expect(imports.progress(id)).toMatchObject({ state: 'done', failed: 2, created: 0 });
    expect(imports.faults).toEqual([]);
  });

  test('that is malformed fails alone, with every problem and its codes', async () => {
    const bad = { ...product(7, { ncm: '12', modalidade: 'X', codigo: 99 }), descricoa: 1 };
    const { progress, results } = await imports.run([bad, 'texto', null, [1], product(5)]);
    expect(progress).toMatchObject({ state: 'done', created: 1, failed: 4 });
    expect(results.map(({ index, seq, outcome }) => [index, seq, outcome])).toEqual([
      [0, 7, 'failed'],
      [1, null, 'failed'],
      [2, null, 'failed'],
      [3, null, 'failed'],
      [4, 5, 'created'],
    ]);
    expect(results[0]?.codigo).toBe('99');
    expect(results[0]?.errors).toHaveLength(3);
  });

  test('with a repeated member fails alone', async () => {
    const good = JSON.stringify(product(1));
    const withRepeatedMember = JSON.stringify(product(2)).replace('"seq":2', '"seq":2,"denominacao":"A"');
    const { results } = await imports.run(
      new TextEncoder().encode(`[${good},${withRepeatedMember},${good}]`),
    );
    expect(results.map(({ seq, outcome }) => [seq, outcome])).toEqual([
      [1, 'created'],
      [2, 'failed'],
      [1, 'created'],
    ]);
    expect(results[1]?.errors).toEqual([
      'denominacao: Membro "denominacao" recebido mais de uma vez no mesmo objeto; informe-o uma só vez.',
    ]);
  });

  test('keeps the digits of an integer as text, and reports the links of an older form with their new place', async () => {
    const { results } = await imports.run([
      product(1, { seq: '0001' }),
      product(2, { codigo: '0000000001' }),
      product(3, { fabricantesProdutores: [{ codigoOperadorEstrangeiro: 'OPE_1' }] }),
    ]);
    expect(results.map(({ seq, codigo, outcome }) => [seq, codigo, outcome])).toEqual([
      [1, '1', 'created'],
      [2, '1', 'newVersion'],
      [3, '2', 'created'],
    ]);
    const message = expect.stringContaining('importe-os no arquivo de vínculos (tipo fabricante)');
    expect(results[2]?.notices).toEqual([{ path: '/fabricantesProdutores', message }]);
  });

  test(`stores at most ${ERRORS_KEPT} of its messages`, async () => {
    const withProblems = (count: number): object =>
      product(1, { codigosInterno: Array.from({ length: count }, () => 'x'.repeat(61)) });
    const { results } = await imports.run([withProblems(ERRORS_KEPT), withProblems(ERRORS_KEPT + 1)]);
    expect(results[0]?.errors).toHaveLength(ERRORS_KEPT);
    expect(results[1]?.errors).toHaveLength(ERRORS_KEPT + 1);
    expect(results[1]?.errors.at(-1)).toBe('… e mais 1 problema.');
    for (const result of results) {
      expect(result.problems).toHaveLength(ERRORS_KEPT);
      expect(result.problems.map(messageAlone)).toEqual(result.errors.slice(0, ERRORS_KEPT));
    }
  });

  test('accepts nulls and empty texts for optional values', async () => {
    const withEmptyMembers = product(1, {
      codigo: null,
      versao: '',
      dataReferencia: null,
      situacao: 'Ativado',
      descricao: null,
    });
    const { results } = await imports.run([withEmptyMembers]);
    expect(results).toEqual([
      {
        index: 0,
        seq: 1,
        codigo: '1',
        versao: '1',
        outcome: 'created',
        errors: [],
        name: 'Produto 1',
        codigosInterno: [],
        file: 'a.json',
        line: 1,
        problems: [],
        notices: [],
        changes: [],
      },
    ]);
  });

  test('accepts any seq, also above 999', async () => {
    const { results } = await imports.run([product(1), product(1), product(1000)]);
    expect(results.map(({ seq, outcome }) => [seq, outcome])).toEqual([
      [1, 'created'],
      [1, 'created'],
      [1000, 'created'],
    ]);
  });

  test('has the same meaning in a lote as in a batch', async () => {
    await imports.run([product(1), product(2)]);
    const { progress, results } = await imports.run([
      product(1, { codigo: 1, denominacao: 'Outro' }),
      product(2, { codigo: 2, versao: '1', denominacao: 'Retificado' }),
      product(3, { codigo: 2, situacao: 'DESATIVADO' }),
      product(4, { codigo: 77 }),
    ]);
    expect(progress).toMatchObject({ created: 0, newVersion: 2, deactivated: 1, failed: 1 });
    expect(results.map(({ codigo, versao }) => [codigo, versao])).toEqual([
      ['1', '2'],
      ['2', '1.1'],
      ['2', '1.1'],
      ['77', null],
    ]);
  });
});

describe('the result of an item', () => {
  test('has the place and the code of each problem', async () => {
    const { results } = await imports.run([
      product(1, { ncm: '12', descricoa: 1 }),
      product(2, { codigo: 77 }),
      product(3, { cpfCnpjRaiz: STRANGERS_COMPANY }),
      'texto',
    ]);
    const pathsAndCodes = results.map(({ problems }) => problems.map(({ path, code }) => [path, code]));
    expect(pathsAndCodes).toEqual([
      [
        ['/ncm', 'PUCX-ER0010'],
        ['/descricoa', 'PUCX-ER0010'],
      ],
      [['/codigo', 'CATP-ER0404']],
      [['', 'CATP-ER0403']],
      [['', 'PUCX-ER0010']],
    ]);
    for (const { errors, problems } of results) expect(problems.map(messageAlone)).toEqual([...errors]);
  });

  test.each(['lote', 'espelho'] as const)('points at a future day in the item, in a %s', async (modo) => {
    const { results } = await imports.run(
      [product(1, { dataReferencia: '2026-01-16', ...(modo === 'espelho' && { codigo: 1, versao: '1' }) })],
      { modo },
    );
    expect(results[0]?.problems).toMatchObject([{ path: '/dataReferencia', code: 'CATP-ER1004' }]);
  });

  test('points at the future day of a retroactive version in the item', async () => {
    const operator = { cpfCnpjRaiz: COMPANY, codigoPais: 'DE', nome: 'A', logradouro: 'B', nomeCidade: 'C' };
    const { results } = await imports.run(
      [
        { seq: 1, ...operator },
        { seq: 2, ...operator, codigo: 'OPE_1', dataReferencia: '2026-01-16' },
      ],
      { tipo: 'operador-estrangeiro' },
    );
    expect(results.map(({ problems }) => problems.map(({ path }) => path))).toEqual([
      [],
      ['/dataReferencia'],
    ]);
  });

  test('names a product, an operator, a link and an act in words of people', async () => {
    const company = { seq: 1, cpfCnpjRaiz: COMPANY };
    const namesOf = async (tipo: ImportKind, item: unknown) =>
      (await imports.run([item], { tipo })).results.map(({ name }) => name);
    expect(await namesOf('produto', product(1, { ncm: 'x' }))).toEqual(['Produto 1']);
    expect(await namesOf('operador-estrangeiro', { ...company, nome: 'Müller' })).toEqual(['Müller']);
    expect(await namesOf('fabricante', { ...company, codigoProduto: 12 })).toEqual(['12']);
    expect(await namesOf('ato-concessorio', { ...company, codigoProduto: '0012' })).toEqual(['0012']);
    expect(await namesOf('produto', company)).toEqual([null]);
    expect(await namesOf('produto', null)).toEqual([null]);
  });

  test(`has ${NAME_MAX_CHARACTERS} characters of a name, and omits the rest`, async () => {
    const longest = 'x'.repeat(NAME_MAX_CHARACTERS);
    const named = (denominacao: string): object => product(1, { denominacao });
    const { results } = await imports.run([named(longest), named(`${longest}y`), named('a\0\ud800')]);
    expect(results.map(({ name }) => name)).toEqual([longest, `${longest}…`, 'a\ufffd\ufffd']);
  });

  test('has the file and the line where it starts', async () => {
    const file = new TextEncoder().encode(JSON.stringify([product(1), { seq: 2 }], null, 2));
    const { results } = await imports.run(file, { fileName: 'meus produtos.json' });
    expect(results.map(({ file, line }) => [file, line])).toEqual([
      ['meus produtos.json', 2],
      ['meus produtos.json', 10],
    ]);
  });

  test('of a zip has its member, and the line in it', async () => {
    const pretty = (item: object): Uint8Array => new TextEncoder().encode(`[\n\n${JSON.stringify(item)}]`);
    const one = await imports.run(zipSync({ 'só.json': pretty(product(1)) }), { fileName: 'a.zip' });
    expect(one.results).toMatchObject([{ file: 'só.json', line: 3 }]);
    const zip = zipSync({
      'a/1.json': pretty(product(1)),
      'leia-me.txt': pretty({}),
      'a/2.json': pretty({}),
    });
    const two = await imports.run(zip, { fileName: 'a.zip' });
    expect(two.results.map(({ index, file, line }) => [index, file, line])).toEqual([
      [0, 'a/1.json', 3],
      [1, 'a/2.json', 3],
    ]);
  });
});

describe('a deactivation of a deactivated record', () => {
  test('counts as unchanged: of a product', async () => {
    await imports.run([product(1)]);
    const item = product(1, { codigo: 1, situacao: 'DESATIVADO' });
    const { progress, results } = await imports.run([item, item]);
    expect(results.map(({ outcome, versao }) => [outcome, versao])).toEqual([
      ['deactivated', '1'],
      ['unchanged', '1'],
    ]);
    expect(progress).toMatchObject({ deactivated: 1, unchanged: 1 });
    expect((await imports.run([item])).progress).toMatchObject({ newVersion: 0, unchanged: 1 });
  });

  test('counts as unchanged: of an operator, and of a version of one', async () => {
    const operator = {
      seq: 1,
      cpfCnpjRaiz: COMPANY,
      codigoPais: 'DE',
      nome: 'A',
      logradouro: 'B',
      nomeCidade: 'C',
    };
    const tipo = 'operador-estrangeiro';
    await imports.run([operator, { ...operator, codigo: 'OPE_1' }], { tipo });
    const current = { ...operator, codigo: 'OPE_1', situacao: 'DESATIVADO' };
    const first = { ...current, versao: '1' };
    const { results } = await imports.run([current, current, first, first], { tipo });
    expect(results.map(({ outcome, versao }) => [outcome, versao])).toEqual([
      ['deactivated', '2'],
      ['unchanged', '2'],
      ['deactivated', '1'],
      ['unchanged', '1'],
    ]);
  });
});

describe('a dry run', () => {
  test('applies the real rules, stores results and counters, and changes nothing else', async () => {
    await imports.core.notification.subscriptions.subscribe(imports.stranger.documento, {
      evento: 'catp-prod-alterado',
      endpoint: 'https://erp.invalid/aviso',
    });
    await imports.run([product(1)]);
    const before = imports.products();
    const events = countOf(imports, 'event');
    const { progress, results } = await imports.run(
      [product(1), product(2, { ncm: 'x' }), product(3, { codigo: 1 }), product(4, { codigo: 5 })],
      { simular: true },
    );
    expect(progress).toMatchObject({
      state: 'done',
      simular: true,
      processed: 4,
      created: 1,
      newVersion: 1,
      failed: 2,
    });
    expect(results.map(({ codigo, outcome }) => [codigo, outcome])).toEqual([
      [null, 'created'],
      [null, 'failed'],
      ['1', 'newVersion'],
      ['5', 'failed'],
    ]);
    expect(imports.products()).toBe(before);
    expect([events, countOf(imports, 'event')]).toEqual([1, 1]);
  });

  test('uses no code', async () => {
    await imports.run(products(3), { simular: true });
    const { results } = await imports.run(products(1));
    expect(results[0]?.codigo).toBe('1');
  });

  test('validates each item against the stored records, without the changes of earlier items', async () => {
    const first = product(1, { codigo: 1, versao: '1' });
    const { results } = await imports.run([first, first], { simular: true, modo: 'espelho' });
    expect(results.map(({ outcome }) => outcome)).toEqual(['created', 'created']);
    const applied = await imports.run([first, first], { modo: 'espelho' });
    expect(applied.results.map(({ outcome }) => outcome)).toEqual(['created', 'unchanged']);
  });
});

describe('an export of catp', () => {
  test('imports unchanged into its own instance', async () => {
    await imports.run([
      product(1),
      product(2, { situacao: 'RASCUNHO' }),
      product(3, { codigosInterno: ['A', 'B'] }),
    ]);
    const file = imports.products();
    const { progress } = await imports.run(new TextEncoder().encode(file), { modo: 'espelho' });
    expect(progress).toMatchObject({ state: 'done', unchanged: 3, failed: 0 });
    expect(imports.products()).toBe(file);
  });

  test('mirrored into an empty instance exports the same bytes', async () => {
    const atributos = [{ atributo: 'ATT_1', valor: '01' }];
    await imports.run([
      product(1, { atributos }),
      product(2, { descricao: null }),
      product(3, { situacao: 'RASCUNHO', ncm: null }),
    ]);
    await imports.run([
      product(1, { codigo: 1, versao: '1' }),
      product(2, { codigo: 2 }),
      product(3, { codigo: 2, situacao: 'DESATIVADO' }),
    ]);
    const file = imports.products();
    const empty = await openImports();
    try {
      const { progress } = await empty.run(new TextEncoder().encode(file), { modo: 'espelho' });
      expect(progress).toMatchObject({ created: 3, failed: 0 });
      expect(empty.products()).toBe(file);
    } finally {
      await empty.close();
    }
  });
});

function countOf({ core }: TestImports, table: string): unknown {
  return core.db.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
}
