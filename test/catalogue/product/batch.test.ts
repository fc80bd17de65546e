/** POST /ext/produto, the deprecated batch (contract sections 4 and 5). */
import { MESSAGES_MAX } from '../../../src/catalogue/batch.ts';
import { describe, expect, test } from 'bun:test';
import { openApp } from '../../support/app.ts';
import {
  COMPANY,
  ITEM,
  MINIMAL,
  OTHER_COMPANY,
  PATH,
  TODAY,
  TOMORROW,
  WHOLE,
  YESTERDAY,
  codigos,
  include,
  listed,
  operacoesOf,
  productsForAllTests,
  productsForEachTest,
  sendItem,
  succeed,
} from './support.ts';

describe('a whole batch is refused, and nothing of it is stored,', () => {
  const open = productsForAllTests();
  const expectRefusal = async (body: unknown, status = 400) => {
    const { demo } = open();
    expect((await demo.call('POST', PATH, body)).status).toBe(status);
    expect(await codigos(demo)).toEqual([]);
  };

  test('without a session', async () => {
    expect((await open().server.anybody.call('POST', PATH, [ITEM])).status).toBe(401);
  });

  test.each([[{ ...ITEM }], ['null'], ['"x"'], ['1'], [''], ['[{]']])('when it is no list: %p', (body) =>
    expectRefusal(body),
  );

  test('when it has more than 100 items', async () => {
    const items = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ ...ITEM, seq: index + 1 }));
    await expectRefusal(items(101));
    const server = await openApp();
    const demo = await server.as('demo');
    expect(succeed(await demo.call('POST', PATH, items(100)))).toHaveLength(100);
    expect(await codigos(demo)).toHaveLength(100);
    await server.close();
  });

  test('when the lists of its items have more than 50 000 values together', async () => {
    const items = (more: number) =>
      Array.from({ length: 5 }, (_, at) => ({
        ...ITEM,
        seq: at + 1,
        // The repeated code refuses the item before it is written.
        codigosInterno: Array.from({ length: 10_000 }, (__, code) => `${Math.max(1, code)}`),
        atributos: at === 0 ? Array.from({ length: more }, () => ({})) : [],
      }));
    const results = succeed(await open().demo.call('POST', PATH, items(0)));
    expect(results).toHaveLength(5);
    expect((await open().demo.call('POST', PATH, items(1))).json.message).toBe(
      'O corpo: as listas de seus itens têm 50.001 valores ao todo; aceita até 50.000. Envie o lote em partes.',
    );
    await expectRefusal(items(1));
  });

  test('when its content type is not JSON', async () => {
    const { demo } = open();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await demo.call('POST', PATH, JSON.stringify([ITEM]), headers)).status).toBe(415);
  });
});

describe('a batch', () => {
  const open = productsForEachTest();

  test('gives an item at most a hundred errors, and the number of further ones', async () => {
    const { demo } = open();
    const unknown = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`zz${n}`, 1]));
    const { json } = await demo.call('POST', PATH, [
      { ...ITEM, seq: 1, ...unknown(MESSAGES_MAX) },
      { ...ITEM, seq: 2, ...unknown(MESSAGES_MAX + 1) },
      { ...ITEM, seq: 3 },
    ]);
    const [most, more, good] = json;
    expect([most.erros.length, most.erros[99]]).toEqual([100, expect.stringContaining('zz99')]);
    expect([more.erros.length, more.erros[99], more.erros[100]]).toEqual([
      101,
      expect.stringContaining('zz99'),
      '… e mais 1 problema.',
    ]);
    expect(good.sucesso).toBe(true);
  });

  test('answers one result per item in order, and stores the valid ones next to any invalid ones', async () => {
    const { demo } = open();
    const reply = await demo.call('POST', PATH, [
      { ...ITEM, seq: 7 },
      { ...ITEM, seq: 3, ncm: '1' },
      'nonsense',
      null,
      { ...ITEM, seq: 999 },
    ]);
    expect(reply.json).toEqual([
      { seq: 7, codigo: '1', erros: [], sucesso: true, versao: '1' },
      { seq: 3, codigo: '0', erros: ['ncm: recebido "1"; aceita 8 dígitos.'], sucesso: false, versao: null },
      {
        seq: 6,
        codigo: '0',
        erros: ['O item: recebido "nonsense"; aceita um objeto JSON.'],
        sucesso: false,
        versao: null,
      },
      {
        seq: 4,
        codigo: '0',
        erros: ['O item: recebido null; aceita um objeto JSON.'],
        sucesso: false,
        versao: null,
      },
      { seq: 999, codigo: '2', erros: [], sucesso: true, versao: '1' },
    ]);
    expect(Object.keys(reply.json[0])).toEqual(['seq', 'codigo', 'erros', 'sucesso', 'versao']);
    expect(await codigos(demo)).toEqual([1, 2]);
  });

  test('without items has an empty answer', async () => {
    expect((await open().demo.call('POST', PATH, [])).text).toBe('[]');
  });

  test('refuses the second item with a seq; the position of a malformed item blocks no seq', async () => {
    const { demo } = open();
    const withoutSeq = { cpfCnpjRaiz: COMPANY, ...MINIMAL };
    const results = succeed(
      await demo.call('POST', PATH, [withoutSeq, ITEM, { ...ITEM, seq: 2 }, { ...ITEM, seq: 2 }]),
    );
    expect(results.map(({ sucesso }: { sucesso: boolean }) => sucesso)).toEqual([false, true, true, false]);
    expect(results[0].erros).toEqual([expect.stringMatching(/^seq: membro obrigatório ausente/)]);
    expect(results[3].erros).toEqual([expect.stringMatching(/^seq: recebido 2 pela segunda vez/)]);
  });

  test('gives a malformed item an unused number', async () => {
    const numbersOf = async (seqs: readonly unknown[]) =>
      succeed(
        await open().demo.call(
          'POST',
          PATH,
          seqs.map((seq) => ({ ...ITEM, seq })),
        ),
      ).map(({ seq, sucesso }: { seq: number; sucesso: boolean }) => [seq, sucesso]);
    // The item gets its position if that number is unused, otherwise the first unused number after the list.
    expect(await numbersOf([null, 5])).toEqual([
      [1, false],
      [5, true],
    ]);
    expect(await numbersOf(['x', 1, 4, {}, 5, null])).toEqual([
      [7, false],
      [1, true],
      [4, true],
      [8, false],
      [5, true],
      [6, false],
    ]);
    expect(await numbersOf([[2], 1, '3', 1.5])).toEqual([
      [5, false],
      [1, true],
      [3, true],
      [4, false],
    ]);
  });

  test('reports the links of an older form with their new place', async () => {
    const { erros } = await sendItem(open().demo, { ...ITEM, fabricantesProdutores: [{}] });
    expect(erros).toEqual([
      expect.stringMatching(
        /^fabricantesProdutores: Membro desconhecido "fabricantesProdutores".*arquivo de vínculos/,
      ),
    ]);
  });

  test.each([0, 1000, -1, 1.5, '0', '1000', '1.5', 'x', '', true, {}, null])(
    'refuses seq %p',
    async (seq) => {
      const result = await sendItem(open().demo, { ...ITEM, seq });
      expect(result).toMatchObject({ codigo: '0', sucesso: false, erros: [expect.stringMatching(/^seq: /)] });
    },
  );

  test('checks the company of each item', async () => {
    const { demo } = open();
    const items = [
      ITEM,
      { ...ITEM, seq: 2, cpfCnpjRaiz: '11222333' },
      { ...ITEM, seq: 3, cpfCnpjRaiz: OTHER_COMPANY },
    ];
    const results = succeed(await demo.call('POST', PATH, items));
    expect(results.map(({ codigo }: { codigo: string }) => codigo)).toEqual(['1', '0', '1']);
    expect(results[1].erros).toEqual(['O usuário logado não é representante legal do CPF/CNPJ Raiz.']);
  });

  test('refuses unknown members as the error of their item, except the two that other systems send', async () => {
    const { demo } = open();
    expect((await sendItem(demo, { ...ITEM, inicioVigencia: '2026', fimVigencia: 1 })).sucesso).toBe(true);
    const { erros } = await sendItem(demo, { ...ITEM, inicioVigência: 1, __proto__x: 2 });
    expect(erros).toHaveLength(2);
  });

  test('accepts the additional members of exports of the real service', async () => {
    const { demo } = open();
    const serviceExport = {
      ...ITEM,
      codigo: null,
      versao: '',
      dataReferencia: null,
      situacao: 'Ativado',
      descricao: '',
    };
    expect(await sendItem(demo, serviceExport)).toEqual({
      seq: 1,
      codigo: '1',
      erros: [],
      sucesso: true,
      versao: '1',
    });
  });

  test('is announced as deprecated, and is 404 when the setting disables it', async () => {
    const reply = await open().demo.call('POST', PATH, [ITEM]);
    expect(reply.headers.get('sunset')).toBe('Thu, 01 Jan 2026 00:00:00 GMT');
    expect(reply.headers.get('deprecation')).not.toBeNull();
    const server = await openApp({ settings: { operacoesDescontinuadas: 'false' } });
    const demo = await server.as('demo');
    const afterRemoval = await demo.call('POST', PATH, [ITEM]);
    expect([afterRemoval.status, afterRemoval.json.code]).toEqual([404, 'CATP-ER0404']);
    expect((await demo.call('GET', `${PATH}?cpfCnpjRaiz=${COMPANY}`)).status).toBe(204);
    await server.close();
  });
});

describe('an item', () => {
  const open = productsForEachTest();

  test('with a dataReferencia after today is refused', async () => {
    const { demo } = open();
    expect((await sendItem(demo, { ...ITEM, dataReferencia: TOMORROW })).erros).toHaveLength(1);
    expect((await sendItem(demo, { ...ITEM, dataReferencia: TODAY })).sucesso).toBe(true);
  });

  test('without codigo includes a product, with dataReferencia from that day', async () => {
    const { server, demo } = open();
    await sendItem(demo, { ...ITEM, dataReferencia: YESTERDAY });
    expect(await listed(demo, `&dataReferencia=${YESTERDAY}`)).toHaveLength(1);
    expect(operacoesOf(server)).toEqual(['INCLUSAO_RETROATIVA']);
  });

  test('with an unknown codigo fails', async () => {
    const { demo } = open();
    for (const change of [{}, { versao: '1' }, { situacao: 'DESATIVADO' }, { situacao: 'RASCUNHO' }])
      expect((await sendItem(demo, { ...ITEM, codigo: 5, ...change })).erros).toEqual([
        `codigo: Não existe produto com o código 5 no catálogo de ${COMPANY}.`,
      ]);
    await include(demo);
    expect((await sendItem(demo, { ...ITEM, codigo: 1, versao: '9' })).erros).toEqual([
      'versao: O produto 1 não tem a versão 9.',
    ]);
  });

  test('alone in its path reports an unknown code without a place', async () => {
    const { demo } = open();
    const { status, json } = await demo.call('GET', `${PATH}/${COMPANY}/5/1`);
    expect([status, json.message]).toEqual([
      404,
      `Não existe produto com o código 5 no catálogo de ${COMPANY}.`,
    ]);
  });

  test('with codigo creates a new version', async () => {
    const { server, demo } = open();
    await include(demo, WHOLE);
    expect(await sendItem(demo, { ...ITEM, codigo: 1 })).toMatchObject({ codigo: '1', versao: '2' });
    expect(operacoesOf(server)).toEqual(['INCLUSAO', 'NOVA_VERSAO']);
  });

  test('with codigo and versao rectifies a version', async () => {
    const { server, demo } = open();
    await include(demo);
    expect(await sendItem(demo, { ...ITEM, codigo: 1, versao: '1' })).toMatchObject({
      codigo: '1',
      versao: '1.1',
    });
    expect((await sendItem(demo, { ...ITEM, codigo: 1, versao: '9' })).sucesso).toBe(false);
    expect((await sendItem(demo, { ...ITEM, codigo: 1, versao: '01' })).sucesso).toBe(false);
    expect((await sendItem(demo, { ...ITEM, codigo: 1, versao: '1', ncm: '39269090' })).sucesso).toBe(false);
    expect(operacoesOf(server)).toEqual(['INCLUSAO', 'RETIFICACAO']);
  });

  test('DESATIVADO without codigo fails; with it deactivates, with any content', async () => {
    const { server, demo } = open();
    await include(demo, WHOLE);
    expect((await sendItem(demo, { ...ITEM, situacao: 'DESATIVADO' })).erros).toEqual([
      expect.stringMatching(/^codigo: obrigatório/),
    ]);
    const item = {
      seq: 1,
      cpfCnpjRaiz: COMPANY,
      codigo: 1,
      situacao: 'Desativado ',
      ncm: 'x',
      denominacao: 5,
    };
    expect(await sendItem(demo, item)).toMatchObject({ codigo: '1', versao: '1', sucesso: true });
    expect(await sendItem(demo, item)).toMatchObject({ codigo: '1', versao: '1', sucesso: true });
    expect(await listed(demo)).toMatchObject([{ ...WHOLE, situacao: 'DESATIVADO' }]);
    expect(operacoesOf(server)).toEqual(['INCLUSAO', 'DESATIVACAO']);
  });

  test('ATIVADO on a deactivated product reactivates it by a new version', async () => {
    const { demo } = open();
    await include(demo);
    await demo.call('PUT', `${PATH}/desativar/${COMPANY}/1`);
    expect(await sendItem(demo, { ...ITEM, codigo: 1, situacao: 'ATIVADO' })).toMatchObject({ versao: '2' });
  });

  test.each(['ativado', 'Ativado', 'ATIVADO'])('accepts the status %s', async (situacao) => {
    expect((await sendItem(open().demo, { ...ITEM, situacao })).sucesso).toBe(true);
  });

  test.each(['ATIVO', 0, true])('refuses the status %p', async (situacao) => {
    expect((await sendItem(open().demo, { ...ITEM, situacao })).erros).toEqual([
      expect.stringMatching(/^situacao: /),
    ]);
  });

  test('reports every violated rule, and checks the company only of a well-formed one', async () => {
    const { erros } = await sendItem(open().demo, { seq: 1, cpfCnpjRaiz: '11222333', ncm: '1' });
    expect(erros).toHaveLength(3);
  });
});
