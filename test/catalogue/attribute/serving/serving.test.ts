import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { unzipSync } from 'fflate';
import { jsonMembers } from '../../../../src/files/json-members.ts';
import first from '../../../../src/demo/attribute-table-1.json' with { type: 'json' };
import second from '../../../../src/demo/attribute-table-2.json' with { type: 'json' };
import { type Client, type TestApp, openApp } from '../../../support/app.ts';
import { COMPANY, TABLES, activate, load, tableFile } from '../support.ts';

const DOWNLOAD = '/cadatributos/api/atributo-ncm/download/json';
const OF_NCM = '/cadatributos/api/ext/atributo-ncm';

let server: TestApp;
let admin: Client;
let demo: Client;

afterEach(() => server.close());

async function open(options: Parameters<typeof openApp>[0]): Promise<void> {
  server = await openApp(options);
  admin = await server.as('admin');
  demo = await server.as('demo');
}

describe('without a table', () => {
  beforeEach(() => open({}));

  test('the download answers 404', async () => {
    const reply = await server.anybody.call('GET', DOWNLOAD);
    expect(reply.status).toBe(404);
    expect(reply.json).toMatchObject({ code: 'CADA-ER0404', info: { mnemonico: 'CADA' } });
  });

  test('the attributes of an NCM answer 404', async () => {
    expect((await demo.call('GET', `${OF_NCM}/09012100`)).status).toBe(404);
  });
});

describe('with a table in force', () => {
  beforeEach(() => open({ demo: true }));

  test('the file is downloaded without signing in, as it was loaded', async () => {
    const reply = await server.anybody.call('GET', `${DOWNLOAD}?perfil=PUBLICO`);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('application/zip');
    expect(reply.headers.get('content-disposition')).toBe('attachment; filename="ATRIBUTOS_2026_01_15.zip"');
    expect(Buffer.from(reply.bytes).includes('ATRIBUTOS_POR_NCM_2026_01_15.json')).toBe(true);
    for await (const { chunks } of jsonMembers(reply.bytes)) {
      const parts: Uint8Array[] = [];
      for await (const chunk of chunks) parts.push(chunk);
      expect(JSON.parse(Buffer.concat(parts).toString())).toEqual(first);
    }
  });

  test('the zip is made of the stored deflated file, not compressed again, and is complete', async () => {
    const { bytes } = await server.anybody.call('GET', DOWNLOAD);
    const storedParts = server.app.core.db
      .prepare<[], Uint8Array>('SELECT bytes FROM attribute_table_file WHERE table_id = 1 ORDER BY part')
      .pluck()
      .all();
    expect(Buffer.from(bytes).includes(Buffer.concat(storedParts))).toBe(true);
    const [[name, json] = []] = Object.entries(unzipSync(bytes));
    expect(name).toBe('ATRIBUTOS_POR_NCM_2026_01_15.json');
    expect(Bun.hash.crc32(json ?? '')).toBe(Buffer.from(bytes).readUInt32LE(14));
  });

  test('a download is cut, and does not end as if complete, when its table is deleted', async () => {
    server.app.core.db.exec('DELETE FROM attribute_table_file');
    await expect(server.anybody.call('GET', DOWNLOAD)).rejects.toThrow('deflated bytes');
  });

  test('the downloaded file loads as the same table', async () => {
    const { bytes } = await server.anybody.call('GET', DOWNLOAD);
    const reply = await admin.call('POST', TABLES, bytes, { 'content-type': 'application/zip' });
    expect(reply.json).toMatchObject({ id: 1, versao: '1' });
  });

  test('the attributes of an NCM require signing in', async () => {
    expect((await server.anybody.call('GET', `${OF_NCM}/09012100`)).status).toBe(401);
    for (const client of [demo, admin])
      expect((await client.call('GET', `${OF_NCM}/09012100`)).status).toBe(200);
  });

  test.each(['0901210', '090121000', '09.012.100', 'abcdefgh'])('%s is no NCM: 400', async (ncm) => {
    expect((await demo.call('GET', `${OF_NCM}/${ncm}`)).status).toBe(400);
  });

  test('an unknown NCM answers 404, an unknown modality 400', async () => {
    expect((await demo.call('GET', `${OF_NCM}/99999999`)).status).toBe(404);
    expect((await demo.call('GET', `${OF_NCM}/09012100?modalidade=TUDO`)).status).toBe(400);
  });

  test('an NCM is found with and without dots, and has its pairs and the attributes that they name', async () => {
    const plain = (await demo.call('GET', `${OF_NCM}/09012100`)).json;
    expect((await demo.call('GET', `${OF_NCM}/0901.21.00`)).json).toEqual(plain);
    expect((await demo.call('GET', `${OF_NCM}/09012100?modalidade=AMBOS`)).json).toEqual(plain);
    const expected = first.listaNcm.find(({ codigoNcm }) => codigoNcm === '0901.21.00')?.listaAtributos;
    expect(plain).toMatchObject({ versao: '1', codigoNcm: '0901.21.00', listaAtributos: expected ?? [] });
    expect(plain.listaAtributos).toEqual(expected);
    const namedCodes = new Set(expected?.map(({ codigo }) => codigo));
    expect(plain.detalhesAtributos.map(({ codigo }: { codigo: string }) => codigo)).toEqual([...namedCodes]);
  });

  test.each([
    ['IMPORTACAO', 'Importação'],
    ['EXPORTACAO', 'Exportação'],
  ])('modalidade %s gives the pairs of %s alone', async (modalidade, written) => {
    const { listaAtributos } = (await demo.call('GET', `${OF_NCM}/09012100?modalidade=${modalidade}`)).json;
    expect(listaAtributos.length).toBeGreaterThan(0);
    for (const pair of listaAtributos) expect(pair.modalidade).toBe(written);
  });
});

describe('an NCM in the form of the file', () => {
  const pair = (codigo: string, members: object = {}) => ({
    codigo,
    modalidade: 'Importação',
    obrigatorio: true,
    multivalorado: false,
    dataInicioVigencia: '2020-01-01',
    ...members,
  });
  const detail = (codigo: string, members: object = {}) => ({
    codigo,
    formaPreenchimento: 'TEXTO',
    ...members,
  });
  const conditional = {
    obrigatorio: true,
    condicao: { operador: '==', valor: '01', brid: 7 },
    atributo: detail('ATT_3', { obrigatorio: true, multivalorado: false, brid: [1] }),
  };
  const PAIRS = [
    pair('ATT_1', { dataFimVigencia: '', brid: 'x' }),
    pair('ATT_2', { dataInicioVigencia: '2026-02-01', dataFimVigencia: '2026-02-28' }),
  ];
  const DETAILS = [
    detail('ATT_1', { tamanhoMaximo: 0, mascara: null, multivalorado: true, condicionados: [conditional] }),
    detail('ATT_2', { objetivos: [{ codigo: '7', descricao: 'Produto' }] }),
  ];
  const FILE = {
    versao: '7',
    listaNcm: [{ codigoNcm: '09012100', listaAtributos: PAIRS }],
    detalhesAtributos: DETAILS,
  };

  beforeEach(async () => {
    await open({});
    await activate(admin, await load(admin, FILE));
  });

  const ofNcm = async (query = '') => (await demo.call('GET', `${OF_NCM}/09012100${query}`)).json;

  test('has every member of its pairs and descriptions, and no other', async () => {
    expect(await ofNcm()).toEqual({
      versao: '7',
      codigoNcm: '0901.21.00',
      listaAtributos: PAIRS,
      detalhesAtributos: DETAILS,
    });
  });

  test('has on a day the pairs that are in force on it', async () => {
    const codes = async (data: string) =>
      (await ofNcm(`?data=${data}`)).listaAtributos.map(({ codigo }: { codigo: string }) => codigo);
    expect(await codes('2026-01-31')).toEqual(['ATT_1']);
    expect(await codes('2026-02-01')).toEqual(['ATT_1', 'ATT_2']);
    expect(await codes('2026-02-28')).toEqual(['ATT_1', 'ATT_2']);
    expect(await codes('2026-03-01')).toEqual(['ATT_1']);
    expect(await codes('2019-12-31')).toEqual([]);
    const { detalhesAtributos } = await ofNcm('?data=2026-01-31');
    expect(detalhesAtributos).toEqual([DETAILS[0]]);
  });

  test('is taken from the table of that day, also of a scheduled one', async () => {
    const next = {
      ...FILE,
      versao: '8',
      listaNcm: [{ codigoNcm: '0901.21.00', listaAtributos: [PAIRS[0]] }],
    };
    await activate(admin, await load(admin, next), '2026-02-10');
    expect(await ofNcm('?data=2026-02-09')).toMatchObject({ versao: '7' });
    expect(await ofNcm('?data=2026-02-10')).toMatchObject({ versao: '8', listaAtributos: [PAIRS[0]] });
    expect(await ofNcm()).toMatchObject({ versao: '7' });
  });

  test.each(['2026-02-30', '01022026', 'hoje'])('data=%s is 400', async (data) => {
    expect((await demo.call('GET', `${OF_NCM}/09012100?data=${data}`)).status).toBe(400);
  });
});

describe('the download for signed-in users', () => {
  const SIGNED_IN = `${OF_NCM}/download/json`;

  test('answers 401 without signing in, and 404 without a table', async () => {
    await open({});
    expect((await server.anybody.call('GET', SIGNED_IN)).status).toBe(401);
    expect((await demo.call('GET', SIGNED_IN)).status).toBe(404);
  });

  test('is the same zip', async () => {
    await open({ demo: true });
    const reply = await demo.call('GET', SIGNED_IN);
    const openToAll = await server.anybody.call('GET', DOWNLOAD);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/zip']);
    expect(reply.headers.get('content-disposition')).toBe(openToAll.headers.get('content-disposition'));
    expect(Buffer.from(reply.bytes).equals(Buffer.from(openToAll.bytes))).toBe(true);
  });
});

describe('the versions that were in force', () => {
  const HISTORY = `${OF_NCM}/historico-versoes`;
  const history = async () => (await demo.call('GET', HISTORY)).json;

  test('require signing in, and are none without a table', async () => {
    await open({});
    expect((await server.anybody.call('GET', HISTORY)).status).toBe(401);
    const reply = await demo.call('GET', HISTORY);
    expect([reply.status, reply.json]).toEqual([200, []]);
  });

  test('are listed newest first with their changes, without scheduled ones', async () => {
    await open({});
    const firstTable = tableFile('1', {
      '0901.21.00': [{ codigo: 'ATT_1' }, { codigo: 'ATT_2' }],
      '2204.21.00': [{ codigo: 'ATT_1' }],
      '8471.30.12': [{ codigo: 'ATT_1' }],
    });
    const secondTable = tableFile('2', {
      '0901.21.00': [{ codigo: 'ATT_1' }, { codigo: 'ATT_2', obrigatorio: false }, { codigo: 'ATT_3' }],
      '2204.21.00': [{ codigo: 'ATT_1' }],
      '9503.00.10': [{ codigo: 'ATT_1' }],
    });
    const first = await load(admin, firstTable);
    await activate(admin, first);
    await activate(admin, first);
    const second = await load(admin, secondTable);
    await activate(admin, second, '2026-01-20');
    const numbers = async () => (await history()).map(({ numero }: { numero: number }) => numero);
    expect(await numbers()).toEqual([1]);
    await admin.call('POST', '/appliance/api/clock', { set: '2026-01-20T12:00:00-03:00' });
    demo = await server.as('demo');
    expect(await history()).toEqual([
      {
        numero: 2,
        dataVersao: '2026-01-20',
        alteracoes: {
          versao: '2',
          resumo: 'Desde a versão 1: 1 NCM adicionada, 1 excluída e 1 alterada.',
          adicionado: ['95030010'],
          excluido: ['84713012'],
          alterado: [
            {
              codigoNcm: '09012100',
              atributos: {
                versao: '2',
                resumo: 'Desde a versão 1: 1 atributo adicionado, 0 excluídos e 1 alterado.',
                adicionado: ['ATT_3'],
                excluido: [],
                alterado: [{ codigo: 'ATT_2', obrigatorio: { valorAnterior: 'true', valorAtual: 'false' } }],
              },
            },
          ],
        },
      },
      {
        numero: 1,
        dataVersao: '2026-01-15',
        alteracoes: {
          versao: '1',
          resumo: 'Primeira tabela: 3 NCM adicionadas, 0 excluídas e 0 alteradas.',
          adicionado: ['09012100', '22042100', '84713012'],
          excluido: [],
          alterado: [],
        },
      },
    ]);
  });

  test('include an attribute with a new description', async () => {
    await open({});
    const file = tableFile('1', { '0901.21.00': [{ codigo: 'ATT_1' }, { codigo: 'ATT_2' }] });
    await activate(admin, await load(admin, file));
    const text = JSON.stringify({ ...file, versao: '2' }).replace('Inventado ATT_2', 'Outro');
    await activate(admin, await load(admin, JSON.parse(text)));
    expect((await history())[0]).toMatchObject({
      alteracoes: {
        alterado: [
          {
            codigoNcm: '09012100',
            atributos: {
              alterado: [
                {
                  codigo: 'ATT_2',
                  nome: { valorAnterior: 'Inventado ATT_2', valorAtual: 'Outro' },
                },
              ],
            },
          },
        ],
      },
    });
  });
});

describe('an impact', () => {
  beforeEach(() => open({ demo: true }));

  test('shows a user the products of the represented companies', async () => {
    const id = await load(admin, second);
    const ofAll = (await admin.call('GET', `${TABLES}/${id}/impact`)).json;
    expect(ofAll.total).toBeGreaterThan(0);
    const companyOf = ({ cpfCnpjRaiz }: { cpfCnpjRaiz: string }): string => cpfCnpjRaiz;
    for (const [user, companies] of [
      ['demo2', ['12345678']],
      ['estranho', ['11222333']],
    ] as const) {
      const signedIn = await server.as(user);
      const expectedInvalid = ofAll.invalid.filter((one: { cpfCnpjRaiz: string }) =>
        companies.some((company) => company === companyOf(one)),
      );
      const { difference, invalid, total } = (await signedIn.call('GET', `${TABLES}/${id}/impact`)).json;
      expect([difference, invalid, total]).toEqual([
        ofAll.difference,
        expectedInvalid,
        expectedInvalid.length,
      ]);
      const rows = (await signedIn.call('GET', `${TABLES}/${id}/impact.csv`)).text
        .trim()
        .split(/\r\n/)
        .slice(1);
      expect(rows.filter((row) => !companies.some((company) => row.startsWith(company)))).toEqual([]);
      expect(rows.length > 0).toBe(expectedInvalid.length > 0);
    }
    expect((await (await server.as('demo2')).call('GET', TABLES)).json).toHaveLength(2);
  });

  test('and the list require signing in', async () => {
    expect((await server.anybody.call('GET', TABLES)).status).toBe(401);
    for (const path of ['impact', 'impact.csv']) {
      expect((await server.anybody.call('GET', `${TABLES}/1/${path}`)).status).toBe(401);
    }
  });

  test('answers 404 for an unknown table, 400 for an unknown form', async () => {
    expect((await admin.call('GET', `${TABLES}/9/impact`)).status).toBe(404);
    expect((await admin.call('GET', `${TABLES}/9/impact.csv`)).status).toBe(404);
    expect((await admin.call('GET', `${TABLES}/1/impact?formato=xml`)).status).toBe(400);
    expect((await admin.call('GET', `${TABLES}/1/impact?on=2026-13-01`)).status).toBe(400);
  });

  test('has the difference, and the products by company and NCM, and changes nothing', async () => {
    const id = await load(admin, second);
    const { difference, invalid, total } = (await admin.call('GET', `${TABLES}/${id}/impact`)).json;
    expect(difference).toMatchObject({ from: '1', to: '2', ncms: { added: ['95030010'] } });
    expect(total).toBe(2);
    expect(invalid).toMatchObject([
      { cpfCnpjRaiz: COMPANY, codigo: 2, ncm: '09012100', problems: [{ path: '/atributos/0/valor' }] },
      { cpfCnpjRaiz: COMPANY, codigo: 6, ncm: '87120010', problems: [{ code: 'CATP-ER1101' }] },
    ]);
    expect(Object.keys(invalid[0]).sort()).toEqual(['codigo', 'cpfCnpjRaiz', 'ncm', 'problems']);
    expect((await admin.call('GET', TABLES)).json).toMatchObject([{ inForce: true }, { inForce: false }]);
  });

  test('of the table in force is empty', async () => {
    const { invalid, total, difference } = (await admin.call('GET', `${TABLES}/1/impact`)).json;
    expect({ invalid, total }).toEqual({ invalid: [], total: 0 });
    expect(difference.ncms).toEqual({ added: [], removed: [], changed: [] });
  });

  test('is also a CSV with a line for each problem', async () => {
    const id = await load(admin, second);
    for (const path of ['impact.csv', 'impact?formato=csv']) {
      const reply = await admin.call('GET', `${TABLES}/${id}/${path}`);
      expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      const lines = reply.text.trim().split('\r\n');
      expect(lines).toHaveLength(3);
      expect(lines[0]).toBe('cpfCnpjRaiz;ncm;codigo;regra;caminho;mensagem');
      expect(lines[1]).toStartWith(`${COMPANY};09012100;2;CATP-ER1104;/atributos/0/valor;`);
    }
  });

  test('on a later day counts pairs that start until then', async () => {
    const pairs = [{ codigo: 'ATT_1', from: '2026-02-01' }];
    const id = await load(
      admin,
      tableFile('9', Object.fromEntries(second.listaNcm.map(({ codigoNcm }) => [codigoNcm, pairs]))),
    );
    const missing = async (on: string): Promise<number> => {
      const { invalid } = (await admin.call('GET', `${TABLES}/${id}/impact?on=${on}`)).json;
      return invalid.filter(({ problems }: { problems: { code: string }[] }) =>
        problems.some(({ code }) => code === 'CATP-ER1101'),
      ).length;
    };
    expect(await missing('2026-01-31')).toBe(0);
    expect(await missing('2026-02-01')).toBeGreaterThan(0);
  });
});
