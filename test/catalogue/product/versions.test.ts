/** New versions, rectifications, deactivation and the detail of a version (contract sections 5 and 6). */
import { describe, expect, test } from 'bun:test';
import {
  COMPANY,
  MINIMAL,
  OF_COMPANY,
  PATH,
  WHOLE,
  codesOf,
  eventsOf,
  include,
  includeDraft,
  laterDay,
  listed,
  operacoesOf,
  pathsOf,
  productsForEachTest,
  succeed,
} from './support.ts';

const DEACTIVATE = `${PATH}/desativar/${COMPANY}`;

describe('a new version', () => {
  const open = productsForEachTest();

  test('that is refused changes nothing', async () => {
    const { server, demo } = open();
    await include(demo, WHOLE);
    const before = await listed(demo);
    const reply = await demo.call('PUT', `${OF_COMPANY}/1`, { ...MINIMAL, codigosInterno: ['a', 'a'] });
    expect([reply.status, codesOf(reply)]).toEqual([422, ['CATP-ER1002']]);
    expect(await listed(demo)).toEqual(before);
    expect(operacoesOf(server)).toEqual(['INCLUSAO']);
  });

  test('is the next integer and replaces the whole content', async () => {
    const { server, demo } = open();
    await include(demo, WHOLE);
    const record = succeed(
      await demo.call('PUT', `${OF_COMPANY}/1`, { ...MINIMAL, ncm: '39269090', modalidade: 'EXPORTACAO' }),
    );
    expect(record).toMatchObject({
      codigo: 1,
      versao: '2',
      descricao: null,
      atributos: [],
      codigosInterno: [],
    });
    expect(await listed(demo)).toMatchObject([
      { codigo: 1, versao: '2', ncm: '39269090', modalidade: 'EXPORTACAO' },
    ]);
    expect(eventsOf(server)[1]).toMatchObject({ operacao: 'NOVA_VERSAO', versao: '2', situacao: 'ATIVADO' });
  });

  test('counts families, not rectifications', async () => {
    const { demo } = open();
    await include(demo);
    await demo.call('PUT', `${OF_COMPANY}/1/1`, MINIMAL);
    expect(succeed(await demo.call('PUT', `${OF_COMPANY}/1`, MINIMAL)).versao).toBe('2');
    expect(succeed(await demo.call('PUT', `${OF_COMPANY}/1/1.1`, MINIMAL)).versao).toBe('1.2');
    expect(succeed(await demo.call('PUT', `${OF_COMPANY}/1`, MINIMAL)).versao).toBe('3');
  });

  test('activates a deactivated product, and the old version keeps its status', async () => {
    const { demo } = open();
    await include(demo);
    await demo.call('PUT', `${DEACTIVATE}/1`);
    expect(succeed(await demo.call('PUT', `${OF_COMPANY}/1`, MINIMAL))).toMatchObject({
      versao: '2',
      situacao: 'ATIVADO',
    });
    expect(succeed(await demo.call('GET', `${OF_COMPANY}/1/1`)).situacao).toBe('DESATIVADO');
    expect(await listed(demo)).toMatchObject([{ versao: '2', situacao: 'ATIVADO' }]);
  });

  test('of a draft replaces its content and activates it as version 1', async () => {
    const { server, demo } = open();
    const codigo = await includeDraft(demo, { denominacao: 'Rascunho', codigosInterno: ['R'] });
    const refusal = await demo.call('PUT', `${OF_COMPANY}/${codigo}`, { denominacao: 'x' });
    expect(refusal.status).toBe(400);
    const record = succeed(await demo.call('PUT', `${OF_COMPANY}/${codigo}`, MINIMAL));
    expect(record).toMatchObject({ versao: '1', situacao: 'ATIVADO', codigosInterno: [] });
    expect(operacoesOf(server)).toEqual(['INCLUSAO', 'ATIVACAO']);
    expect(await listed(demo, '&codigoInterno=R')).toEqual([]);
  });

  test('of a deactivated draft is version 2, because a deactivated version does not change', async () => {
    const { demo } = open();
    const codigo = await includeDraft(demo);
    await demo.call('PUT', `${DEACTIVATE}/${codigo}`);
    expect(succeed(await demo.call('PUT', `${OF_COMPANY}/${codigo}`, MINIMAL))).toMatchObject({
      versao: '2',
      situacao: 'ATIVADO',
    });
  });
});

describe('numbers', () => {
  const open = productsForEachTest();

  test('whose text exceeds 8 characters is refused; the last shorter one is accepted', async () => {
    const { server, demo } = open();
    await include(demo);
    // A catalogue from another instance may have such numbers.
    server.app.core.db.exec('UPDATE product SET family = 99999998');
    expect(succeed(await demo.call('PUT', `${OF_COMPANY}/1`, MINIMAL)).versao).toBe('99999999');
    for (const path of ['1', '1/99999999']) {
      const reply = await demo.call('PUT', `${OF_COMPANY}/${path}`, MINIMAL);
      expect([reply.status, codesOf(reply)]).toEqual([422, ['CATP-ER1025']]);
    }
  });

  test('continues after a clock that was put back, and the new version is the current one', async () => {
    const products = open();
    await include(products.demo);
    const demo = await laterDay(products, -1);
    for (const versao of ['2', '3'])
      expect(succeed(await demo.call('PUT', `${OF_COMPANY}/1`, MINIMAL)).versao).toBe(versao);
    expect(await listed(demo)).toMatchObject([{ versao: '3' }]);
  });
});

describe('a rectification', () => {
  const open = productsForEachTest();

  test('is refused with another ncm or modalidade', async () => {
    const { demo } = open();
    await include(demo);
    const reply = await demo.call('PUT', `${OF_COMPANY}/1/1`, {
      ...MINIMAL,
      ncm: '39269090',
      modalidade: 'AMBOS',
      codigosInterno: ['a', 'a'],
    });
    expect([reply.status, codesOf(reply), pathsOf(reply)]).toEqual([
      422,
      ['CATP-ER1003', 'CATP-ER1003', 'CATP-ER1002'],
      ['/ncm', '/modalidade', '/codigosInterno/1'],
    ]);
  });

  test('is refused for drafts', async () => {
    const { demo } = open();
    const codigo = await includeDraft(demo, MINIMAL);
    const reply = await demo.call('PUT', `${OF_COMPANY}/${codigo}/1`, MINIMAL);
    expect([reply.status, codesOf(reply)]).toEqual([422, ['CATP-ER1005']]);
  });

  test('counts from the latest of its family, for any named version', async () => {
    const { server, demo } = open();
    await include(demo);
    const texts = [];
    for (const versao of ['1', '1', '1.1', '1.2'])
      texts.push(succeed(await demo.call('PUT', `${OF_COMPANY}/1/${versao}`, MINIMAL)).versao);
    expect(texts).toEqual(['1.1', '1.2', '1.3', '1.4']);
    expect(operacoesOf(server)).toEqual(['INCLUSAO', ...Array(4).fill('RETIFICACAO')]);
  });

  test('replaces the content of the current version, its internal codes too', async () => {
    const { demo } = open();
    await include(demo, { ...MINIMAL, codigosInterno: ['velho'] });
    await demo.call('PUT', `${OF_COMPANY}/1/1`, {
      ...MINIMAL,
      denominacao: 'Novo',
      codigosInterno: ['novo'],
    });
    expect(await listed(demo, '&codigoInterno=velho')).toEqual([]);
    expect(await listed(demo, '&codigoInterno=novo')).toMatchObject([{ versao: '1.1', denominacao: 'Novo' }]);
    expect(succeed(await demo.call('GET', `${OF_COMPANY}/1/1`)).codigosInterno).toEqual(['velho']);
  });

  test('of a superseded family does not change the current version', async () => {
    const { demo } = open();
    await include(demo);
    await demo.call('PUT', `${OF_COMPANY}/1`, { ...MINIMAL, denominacao: 'Dois' });
    expect(succeed(await demo.call('PUT', `${OF_COMPANY}/1/1`, MINIMAL)).versao).toBe('1.1');
    expect(await listed(demo)).toMatchObject([{ versao: '2', denominacao: 'Dois' }]);
  });

  test('takes the status of its family', async () => {
    const { demo } = open();
    await include(demo);
    await demo.call('PUT', `${DEACTIVATE}/1`);
    expect(succeed(await demo.call('PUT', `${OF_COMPANY}/1/1`, MINIMAL))).toMatchObject({
      versao: '1.1',
      situacao: 'DESATIVADO',
    });
    expect(await listed(demo, '&situacao=1')).toMatchObject([{ versao: '1.1' }]);
  });
});

describe('a deactivation', () => {
  const open = productsForEachTest();

  test('answers the record, and the second time changes nothing', async () => {
    const products = open();
    await include(products.demo, WHOLE);
    const first = await products.demo.call('PUT', `${DEACTIVATE}/1`);
    expect(succeed(first)).toMatchObject({ ...WHOLE, codigo: 1, versao: '1', situacao: 'DESATIVADO' });
    const demo = await laterDay(products, 1);
    expect((await demo.call('PUT', `${DEACTIVATE}/1`)).text).toBe(first.text);
    expect(operacoesOf(products.server)).toEqual(['INCLUSAO', 'DESATIVACAO']);
    expect(await listed(demo, `&ultimaAlteracaoInicio=2026-01-16`)).toEqual([]);
  });

  test('applies to the current version, and to a draft', async () => {
    const { demo } = open();
    await include(demo);
    await demo.call('PUT', `${OF_COMPANY}/1`, MINIMAL);
    expect(succeed(await demo.call('PUT', `${DEACTIVATE}/1`)).versao).toBe('2');
    expect(succeed(await demo.call('GET', `${OF_COMPANY}/1/1`)).situacao).toBe('ATIVADO');
    const draft = await includeDraft(demo);
    expect(succeed(await demo.call('PUT', `${DEACTIVATE}/${draft}`)).situacao).toBe('DESATIVADO');
  });

  test('ignores a body, of any type', async () => {
    const { demo } = open();
    await include(demo);
    expect((await demo.call('PUT', `${DEACTIVATE}/1`, '<x>', { 'content-type': 'text/xml' })).status).toBe(
      200,
    );
  });
});

describe('the detail of a version', () => {
  const open = productsForEachTest();

  test('answers each version by its own text, permanently, in the form of the response', async () => {
    const { demo } = open();
    const first = await demo.call('POST', OF_COMPANY, WHOLE);
    const rectification = await demo.call('PUT', `${OF_COMPANY}/1/1`, {
      ...WHOLE,
      denominacao: 'Retificado',
    });
    const second = await demo.call('PUT', `${OF_COMPANY}/1`, MINIMAL);
    for (const [versao, reply] of Object.entries({ 1: first, '1.1': rectification, 2: second }))
      expect((await demo.call('GET', `${OF_COMPANY}/1/${versao}`)).text).toBe(reply.text);
  });

  test('answers the same bytes on any day', async () => {
    const products = open();
    await include(products.demo);
    const today = await products.demo.call('GET', `${OF_COMPANY}/1/1`);
    const later = await (await laterDay(products, 400)).call('GET', `${OF_COMPANY}/1/1`);
    expect(later.text).toBe(today.text);
  });
});
