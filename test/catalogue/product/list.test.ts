/** GET /ext/produto: refusals, form, order, every filter (contract section 5). */
import { beforeAll, describe, expect, test } from 'bun:test';
import { unzipSync } from 'fflate';
import {
  COMPANY,
  LIST,
  MINIMAL,
  OF_COMPANY,
  PATH,
  TODAY,
  TOMORROW,
  WHOLE,
  YESTERDAY,
  codigos,
  include,
  includeDraft,
  laterDay,
  listed,
  pathsOf,
  productsForAllTests,
  productsForEachTest,
  succeed,
} from './support.ts';

const DEACTIVATE = `${PATH}/desativar/${COMPANY}`;

describe('the list', () => {
  const open = productsForEachTest();

  test('of an empty catalogue is 204 without a body', async () => {
    const reply = await open().demo.call('GET', LIST);
    expect([reply.status, reply.text, reply.headers.get('content-type')]).toEqual([204, '', null]);
  });

  test('has every member in the printed order, and numbers its items', async () => {
    const { demo } = open();
    await include(demo, WHOLE);
    await include(demo, MINIMAL);
    const reply = await demo.call('GET', LIST);
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const { descricao, denominacao, modalidade, ncm, ...lists } = WHOLE;
    const first = { seq: 1, codigo: 1, descricao, denominacao, cpfCnpjRaiz: COMPANY, situacao: 'ATIVADO' };
    const items = JSON.parse(reply.text) as object[];
    expect(JSON.stringify(items[0])).toBe(
      JSON.stringify({ ...first, modalidade, ncm, versao: '1', ...lists }),
    );
    expect(items[1]).toMatchObject({ seq: 2, codigo: 2 });
  });

  test('is ordered by codigo with any filter, and shows one company', async () => {
    const { demo } = open();
    for (let count = 0; count < 12; count += 1) await include(demo, { ...MINIMAL, codigosInterno: ['X'] });
    await include(demo, MINIMAL, '87654321');
    for (const codigo of [3, 1, 11])
      await demo.call('PUT', `${OF_COMPANY}/${codigo}`, { ...MINIMAL, codigosInterno: ['X'] });
    const all = Array.from({ length: 12 }, (_, index) => index + 1);
    const filters = [
      '',
      'situacao=0',
      'ncm=73181500',
      'modalidade=IMPORTACAO',
      'denominacao=par',
      'codigoInterno=X',
    ];
    const periods = [
      `periodoRegistroInicio=${TODAY}`,
      `ultimaAlteracaoInicio=${TODAY}`,
      `dataReferencia=${TODAY}`,
    ];
    for (const filter of [...filters, ...periods])
      expect([filter, await codigos(demo, `&${filter}`)]).toEqual([filter, all]);
  });

  test('of many products is complete', async () => {
    const { demo } = open();
    const items = Array.from({ length: 100 }, (_, index) => ({
      seq: index + 1,
      cpfCnpjRaiz: COMPANY,
      ...MINIMAL,
      descricao: 'á'.repeat(3700),
    }));
    for (let batch = 0; batch < 5; batch += 1) await demo.call('POST', PATH, items);
    expect(await codigos(demo)).toHaveLength(500);
  });
});

describe('filters', () => {
  const open = productsForAllTests();

  /** Includes products: 1 and 2 differ in one member per filter, 3 is a draft, 4 is deactivated. */
  beforeAll(async () => {
    const { demo } = open();
    await include(demo, {
      ...WHOLE,
      denominacao: 'Válvula de ESFERA',
      descricao: 'Ação 100%',
      codigosInterno: ['V_1', 'V-2'],
    });
    await include(demo, { ...MINIMAL, ncm: '39269090', modalidade: 'EXPORTACAO' });
    await includeDraft(demo, { denominacao: 'Esboço de válvula' });
    await include(demo, { ...MINIMAL, denominacao: 'Straße İstanbul' });
    await demo.call('PUT', `${DEACTIVATE}/4`);
  });

  test.each([
    ['', [1, 2, 3, 4]],
    ['codigo=2', [2]],
    ['codigo=0000000002', [2]],
    ['codigo=5', []],
    ['ncm=39269090', [2]],
    ['situacao=0', [1, 2]],
    ['situacao=1', [4]],
    ['situacao=2', [3]],
    ['modalidade=AMBOS', [1]],
    ['modalidade=EXPORTACAO', [2]],
    ['codigoInterno=V_1', [1]],
    ['codigoInterno=V-2', [1]],
    ['codigoInterno=v_1', []],
    ['codigoInterno=V', []],
    ['denominacao=valvula', [1, 3]],
    ['denominacao=V%C3%81LVULA', [1, 3]],
    ['denominacao=esfera', [1]],
    ['denominacao=%25', []],
    ['denominacao=_', []],
    ['denominacao=istanbul', [4]],
    ['descricao=acao', [1]],
    ['descricao=100%25', [1]],
    ['descricao=parafuso', []],
    ['denominacao=valvula&situacao=0', [1]],
    ['denominacao=valvula&ncm=39269090', []],
    ['codigo=1&codigoInterno=V-2&modalidade=AMBOS&situacao=0&ncm=73181500', [1]],
    ['codigo=2&codigoInterno=V-2', []],
  ])('%s finds %p, and as of today the same without the draft', async (filter, expected) => {
    const { demo } = open();
    const DRAFT = 3;
    expect(await codigos(demo, `&${filter}`)).toEqual(expected);
    const withoutDraft = expected.filter((codigo) => codigo !== DRAFT);
    expect(await codigos(demo, `&${filter}&dataReferencia=${TODAY}`)).toEqual(withoutDraft);
  });

  test('read the current version only', async () => {
    const { demo } = open();
    const { codigo } = await include(demo, { ...MINIMAL, denominacao: 'Antes', codigosInterno: ['antes'] });
    await demo.call('PUT', `${OF_COMPANY}/${codigo}`, {
      ...MINIMAL,
      denominacao: 'Depois',
      codigosInterno: ['depois'],
    });
    for (const filter of ['denominacao=antes', 'codigoInterno=antes'])
      expect(await codigos(demo, `&${filter}`)).toEqual([]);
    for (const filter of ['denominacao=depois', 'codigoInterno=depois'])
      expect(await codigos(demo, `&${filter}`)).toEqual([codigo]);
    await demo.call('PUT', `${DEACTIVATE}/${codigo}`);
  });
});

describe('link filters', () => {
  const open = productsForEachTest();
  const LINKS = `/catp/api/ext/fabricante/${COMPANY}`;

  async function includeLinks() {
    const { demo } = open();
    for (let count = 0; count < 3; count += 1) await include(demo);
    const operator = { nome: 'Muster', logradouro: 'Strasse 1', nomeCidade: 'Ulm', tin: 'TIN-1' };
    succeed(await demo.call('POST', `/catp/api/ext/operador-estrangeiro/${COMPANY}/DE`, operator));
    const foreign = {
      codigoProduto: 1,
      conhecido: true,
      codigoPais: 'DE',
      codigoOperadorEstrangeiro: 'OPE_1',
    };
    const domestic = {
      codigoProduto: 2,
      conhecido: true,
      codigoPais: 'BR',
      cpfCnpjFabricante: '12345678000195',
    };
    for (const link of [foreign, domestic, { codigoProduto: 2, conhecido: false, codigoPais: 'FR' }])
      succeed(await demo.call('POST', LINKS, link));
    return { demo, foreign };
  }

  const FILTERS: readonly (readonly [string, number[]])[] = [
    ['paisOrigem=DE', [1]],
    ['paisOrigem=FR', [2]],
    ['paisOrigem=AR', []],
    ['cpfCnpjFabricante=12345678000195', [2]],
    ['cpfCnpjFabricante=12345678000196', []],
    ['operadorEstrangeiroCodigo=OPE_1', [1]],
    ['operadorEstrangeiroCodigo=TIN-1', [1]],
    ['operadorEstrangeiroCodigo=TIN-2', []],
    ['paisOrigem=BR&cpfCnpjFabricante=12345678000195', [2]],
    ['paisOrigem=DE&cpfCnpjFabricante=12345678000195', []],
    ['paisOrigem=DE&ncm=39269090', []],
  ];

  test('find products with such a link, each once', async () => {
    const { demo } = await includeLinks();
    for (const [filter, expected] of FILTERS) {
      expect([filter, await codigos(demo, `&${filter}`)]).toEqual([filter, expected]);
      expect([filter, await codigos(demo, `&${filter}&dataReferencia=${TODAY}`)]).toEqual([filter, expected]);
    }
  });

  test('follow the links that were in force on the requested day', async () => {
    const { foreign } = await includeLinks();
    const demo = await laterDay(open(), 2);
    succeed(await demo.call('PUT', LINKS, foreign));
    expect(await codigos(demo, '&paisOrigem=DE')).toEqual([]);
    expect(await codigos(demo, `&paisOrigem=DE&dataReferencia=2026-01-17`)).toEqual([]);
    expect(await codigos(demo, `&paisOrigem=DE&dataReferencia=${TOMORROW}`)).toEqual([1]);
    expect(await codigos(demo, `&paisOrigem=DE&dataReferencia=${YESTERDAY}`)).toEqual([]);
  });
});

describe('periods', () => {
  const open = productsForEachTest();

  test('are inclusive days in Brasília of the registration and of the last change', async () => {
    const products = open();
    await include(products.demo);
    let demo = await laterDay(products, 1);
    await include(demo);
    await demo.call('PUT', `${OF_COMPANY}/1/1`, MINIMAL);
    demo = await laterDay(products, 2);
    expect(await codigos(demo, `&periodoRegistroInicio=${TODAY}&periodoRegistroFim=${TODAY}`)).toEqual([1]);
    expect(await codigos(demo, `&periodoRegistroInicio=${TOMORROW}`)).toEqual([2]);
    expect(await codigos(demo, `&periodoRegistroFim=${TODAY}`)).toEqual([1]);
    expect(await codigos(demo, `&ultimaAlteracaoFim=${TODAY}`)).toEqual([]);
    expect(await codigos(demo, `&ultimaAlteracaoInicio=${TOMORROW}&ultimaAlteracaoFim=${TOMORROW}`)).toEqual([
      1, 2,
    ]);
    expect(await codigos(demo, `&periodoRegistroFim=${TODAY}&ultimaAlteracaoInicio=2026-01-17`)).toEqual([]);
  });

  test('count every change except links', async () => {
    const products = open();
    await include(products.demo);
    const changes = [
      ['PUT', `${OF_COMPANY}/1`, MINIMAL],
      ['PUT', `${OF_COMPANY}/1/1`, MINIMAL],
      ['PUT', `${DEACTIVATE}/1`, undefined],
    ] as const;
    let day = 0;
    for (const [method, path, body] of changes) {
      const demo = await laterDay(products, (day += 1));
      succeed(await demo.call(method, path, body));
      const today = `2026-01-${15 + day}`;
      expect(await codigos(demo, `&ultimaAlteracaoInicio=${today}&ultimaAlteracaoFim=${today}`)).toEqual([1]);
      expect(await codigos(demo, `&periodoRegistroInicio=${TODAY}&periodoRegistroFim=${TODAY}`)).toEqual([1]);
    }
    const demo = await laterDay(products, 9);
    await demo.call('PUT', `${OF_COMPANY}/1`, MINIMAL);
    const linkDay = await laterDay(products, 10);
    const link = { codigoProduto: 1, conhecido: false, codigoPais: 'DE' };
    succeed(await linkDay.call('POST', `/catp/api/ext/fabricante/${COMPANY}`, link));
    expect(await codigos(linkDay, '&ultimaAlteracaoInicio=2026-01-25')).toEqual([]);
  });
});

describe('the export', () => {
  const open = productsForEachTest();

  async function readExport(exibirDesativados: boolean) {
    const reply = await open().demo.call('GET', `${PATH}/exportar/${COMPANY}/${exibirDesativados}`);
    const [[name, bytes] = ['', new Uint8Array()]] = Object.entries(unzipSync(reply.bytes));
    return { reply, name, text: new TextDecoder().decode(bytes) };
  }

  test('accepts only true and false', async () => {
    const reply = await open().demo.call('GET', `${PATH}/exportar/${COMPANY}/2`);
    expect([reply.status, pathsOf(reply)]).toEqual([400, ['exibirDesativados']]);
  });

  test('of an empty catalogue is an empty list', async () => {
    const { reply, name, text } = await readExport(true);
    expect([name, text]).toEqual([`CATALOGO_PRODUTOS_${COMPANY}_20260115090000.json`, '[]']);
    expect(reply.headers.get('content-type')).toBe('application/zip');
    expect(reply.headers.get('content-disposition')).toBe(
      `attachment; filename="CATALOGO_PRODUTOS_${COMPANY}_20260115090000.zip"`,
    );
  });

  test('is the list, pretty-printed, with the status in words; it includes drafts, and deactivated ones on request', async () => {
    const { demo } = open();
    await include(demo, WHOLE);
    await includeDraft(demo);
    await include(demo);
    await demo.call('PUT', `${DEACTIVATE}/3`);
    const words: Record<string, string> = {
      ATIVADO: 'Ativado',
      DESATIVADO: 'Desativado',
      RASCUNHO: 'Rascunho',
    };
    const items = (await listed(demo)).map((item: { situacao: string }) => ({
      ...item,
      situacao: words[item.situacao],
    }));
    expect((await readExport(true)).text).toBe(JSON.stringify(items, null, 2));
    expect((await readExport(false)).text).toBe(JSON.stringify(items.slice(0, 2), null, 2));
  });
});
