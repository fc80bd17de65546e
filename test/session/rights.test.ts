/** The rights of a representation at every operation (contract section 27). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { RIGHTS, type Right, includesRight } from '../../src/right.ts';
import { eventually } from '../support/eventually.ts';
import { importRows } from '../catalogue/sheet/support.ts';
import { type Client, type Reply, type TestApp, openApp } from '../support/app.ts';
import { type ExampleRequest, requestOf, exampleOf } from '../contract/examples.ts';
import { type Document, type Entry, entriesOf } from '../contract/document.ts';

const COMPANY = '12345678';
const OTHER_COMPANY = '87654321';
const DEMO = '00000000191';
const REPRESENTATIONS = '/appliance/api/representations';
const IMPORTS = '/appliance/api/imports';
const PRODUCT = {
  denominacao: 'Caixa',
  descricao: 'Caixa plástica',
  modalidade: 'IMPORTACAO',
  ncm: '39269090',
};

let server: TestApp;
let admin: Client;
let demo: Client;
let document: Document;
beforeAll(async () => {
  server = await openApp();
  admin = await server.as('admin');
  demo = await server.as('demo');
  document = (await demo.call('GET', '/openapi.json')).json;
});
afterAll(() => server.close());
beforeEach(() => give('aprovacao'));

const give = async (papel: Right, documento = DEMO, cpfCnpjRaiz = COMPANY): Promise<Reply> => {
  const members = { documento, cpfCnpjRaiz, perfil: 'IMPEXP', papel };
  const reply = await admin.call('POST', REPRESENTATIONS, members);
  expect([reply.status, reply.json]).toEqual([200, members]);
  return reply;
};

/**
 * Operations about records that no example makes; test/remote/rights.test.ts calls those of remotes, and
 * test/catalogue/proposal/proposals.test.ts those of proposals.
 */
const WITHOUT_EXAMPLE = new Set([
  'proposeImport',
  'approveProposal',
  'rejectProposal',
  'startComparison',
  'cancelComparison',
  'decidePair',
  'startRun',
  'pauseRun',
  'resumeRun',
  'cancelRun',
]);

const entryOf = (id: string): Entry => {
  const entry = entriesOf(document).find(({ operationId }) => operationId === id);
  if (entry === undefined) throw new Error(`The document has no ${id}.`);
  return entry;
};

const exampleRequest = (id: string): ExampleRequest => {
  const entry = entryOf(id);
  return requestOf(entriesOf(document), entry, id, entry.requestBody && exampleOf(entry));
};

const sentence = (right: Right, needed: Right): string =>
  `Seu papel para esta empresa é ${right}; isto pede ${needed}.`;

/** Each writing operation needs more than to read. */
const listWriting = async () =>
  (await server.app.operations()).filter(
    ({ id, right, retired }) =>
      right !== 'none' && right !== 'leitura' && !retired && !WITHOUT_EXAMPLE.has(id),
  );

describe('every operation that writes', () => {
  test.each(RIGHTS)(
    'with %s is 403 without the right, and the refusal names the least sufficient one',
    async (papel) => {
      await give(papel);
      const writing = await listWriting();
      expect(writing.length).toBeGreaterThanOrEqual(20);
      for (const { id, right } of writing) {
        const { method, path, body } = exampleRequest(id);
        const { status, text } = await demo.call(method, path, body);
        const isRefused = text.includes('Seu papel para esta empresa');
        // The role preenchimento deactivates only drafts, and the example is no draft.
        if (id === 'deactivateProduct' && papel === 'preenchimento') continue;
        if (id === 'batchProducts' && papel === 'preenchimento') continue;
        const isEnough = includesRight(papel, right as Right);
        expect({ id, isRefused }).toEqual({ id, isRefused: !isEnough });
        if (isEnough) continue;
        expect({ id, status }).toEqual({
          id,
          status: id.startsWith('batch') || id.endsWith('Acts') ? 200 : 403,
        });
        expect(text).toContain(sentence(papel, id === 'batchProducts' ? 'aprovacao' : (right as Right)));
      }
    },
  );
});

describe('drafts and active records', () => {
  const include = (member: object) =>
    demo.call('POST', '/catp/api/ext/produto', [{ seq: 1, cpfCnpjRaiz: COMPANY, ...PRODUCT, ...member }]);

  test('preenchimento writes and removes drafts, and no draft changes its status without notice', async () => {
    await give('preenchimento');
    const [draft] = (await include({ situacao: 'RASCUNHO' })).json;
    expect(draft).toMatchObject({ sucesso: true, versao: '1' });
    const [active] = (await include({})).json;
    expect(active).toMatchObject({ sucesso: false, codigo: '0' });
    expect(active.erros[0]).toContain(`${sentence('preenchimento', 'aprovacao')} Peça a quem o tem: `);
    const at = `${COMPANY}/${draft.codigo}`;
    const edited = { denominacao: 'Caixa azul' };
    expect((await demo.call('PUT', `/appliance/api/products/drafts/${at}`, edited)).status).toBe(200);
    expect((await demo.call('PUT', `/catp/api/ext/produto/${at}`, PRODUCT)).status).toBe(403);
    const removed = await demo.call('PUT', `/catp/api/ext/produto/desativar/${at}`);
    expect([removed.status, removed.json.situacao]).toEqual([200, 'DESATIVADO']);
  });

  test('the refusal of a deactivation names the right that is enough for that product', async () => {
    const { codigo: active } = (await demo.call('POST', `/catp/api/ext/produto/${COMPANY}`, PRODUCT)).json;
    const [draft] = (await include({ situacao: 'RASCUNHO' })).json;
    for (const [papel, codigo, needed] of [
      ['leitura', active, 'aprovacao'],
      ['preenchimento', active, 'aprovacao'],
      ['leitura', draft.codigo, 'preenchimento'],
    ] as const) {
      await give(papel);
      const refusal = await demo.call('PUT', `/catp/api/ext/produto/desativar/${COMPANY}/${codigo}`);
      expect([refusal.status, refusal.json.message]).toEqual([
        403,
        expect.stringContaining(sentence(papel, needed)),
      ]);
    }
  });

  test('preenchimento neither changes, deactivates nor links active records', async () => {
    const { codigo } = (await demo.call('POST', `/catp/api/ext/produto/${COMPANY}`, PRODUCT)).json;
    const before = (await demo.call('GET', `/catp/api/ext/produto/${COMPANY}/${codigo}/1`)).text;
    await give('preenchimento');
    const items = [
      { ...PRODUCT, denominacao: 'Outra' },
      { ...PRODUCT, versao: '1' },
      { situacao: 'DESATIVADO' },
    ].map((one, index) => ({ seq: index + 1, cpfCnpjRaiz: COMPANY, codigo, ...one }));
    const results = (await demo.call('POST', '/catp/api/ext/produto', items)).json;
    expect(results.map(({ sucesso }: { readonly sucesso: boolean }) => sucesso)).toEqual([
      false,
      false,
      false,
    ]);
    for (const { erros } of results) expect(erros.join()).toContain(sentence('preenchimento', 'aprovacao'));
    const deactivation = await demo.call('PUT', `/catp/api/ext/produto/desativar/${COMPANY}/${codigo}`);
    expect(deactivation.status).toBe(403);
    const link = {
      codigoProduto: Number(codigo),
      codigoPais: 'BR',
      cpfCnpjFabricante: '12345678000195',
      conhecido: true,
      vincular: true,
    };
    const linked = (
      await demo.call('POST', '/catp/api/ext/fabricante', [{ seq: 1, cpfCnpjRaiz: COMPANY, ...link }])
    ).json;
    expect(linked[0].erros.join()).toContain(sentence('preenchimento', 'aprovacao'));
    expect((await demo.call('GET', `/catp/api/ext/produto/${COMPANY}/${codigo}/1`)).text).toBe(before);
  });
});

describe('imports', () => {
  const upload = async (simular: boolean): Promise<Reply> => {
    const items = [{ ...PRODUCT, situacao: 'RASCUNHO' }, PRODUCT].map((one, index) => ({
      seq: index + 1,
      cpfCnpjRaiz: COMPANY,
      ...one,
    }));
    const form = new FormData();
    form.append('file', new File([JSON.stringify(items)], 'produtos.json'));
    form.append('tipo', 'produto');
    form.append('simular', String(simular));
    return demo.call('POST', IMPORTS, form);
  };
  const finished = ({ json: { id } }: Reply) =>
    eventually(async () => (await demo.call('GET', `${IMPORTS}/${id}`)).json).toMatchObject({
      state: 'done',
    });

  test('leitura simulates with the full result, and imports nothing', async () => {
    await give('leitura');
    await give('leitura', DEMO, OTHER_COMPANY);
    expect(await finished(await upload(true))).toMatchObject({ state: 'done', created: 2, failed: 0 });
    const { status, json } = await upload(false);
    expect([status, json.message]).toMatchObject([403, expect.stringContaining('isto pede preenchimento')]);
    await give('aprovacao', DEMO, OTHER_COMPANY);
  });

  test('the columns of a dry run by leitura are not remembered; those by preenchimento are', async () => {
    const sheet = new File(['Peça;Tampa azul\r\n1;2\r\n'], 'planilha.csv');
    const targetOf = async (): Promise<string | null> => {
      const form = new FormData();
      form.append('file', sheet);
      const response = await demo.call(
        'POST',
        `/appliance/api/sheets?cpfCnpjRaiz=${COMPANY}&tipo=produto`,
        form,
      );
      const [{ id, sheets }] = [response.json];
      const mapping = [{ index: 1, target: 'descricao' }];
      await finished(await demo.call('POST', IMPORTS, { sheet: id, mapping, simular: true }));
      return sheets[0].columns[1].target;
    };
    await give('leitura');
    expect([await targetOf(), await targetOf()]).toEqual([null, null]);
    await give('preenchimento');
    expect([await targetOf(), await targetOf()]).toEqual([null, 'descricao']);
  });

  test('an import by preenchimento writes only drafts', async () => {
    await give('preenchimento');
    const { id, ...counts } = await finished(await upload(false));
    expect(counts).toMatchObject({ state: 'done', created: 1, failed: 1 });
    const errors = (await demo.call('GET', `${IMPORTS}/${id}/results?outcome=failed`)).text;
    expect(errors).toContain(sentence('preenchimento', 'aprovacao'));
  });

  test('changes of many, undo and corrections that write require aprovacao for all rows; dry runs do not', async () => {
    const { codigo } = (await demo.call('POST', `/catp/api/ext/produto/${COMPANY}`, PRODUCT)).json;
    const done = await finished(await upload(false));
    const cells = [
      ['Código do produto', 'NCM'],
      [codigo, 'abc'],
    ];
    const sheet = await importRows(demo, cells, { simular: false, key: 'codigo' });
    const order = { cpfCnpjRaiz: COMPANY, codigos: [Number(codigo)], set: { denominacao: 'Nova' } };
    for (const papel of ['leitura', 'preenchimento'] as const) {
      await give(papel);
      for (const [path, body] of [
        ['/appliance/api/products/changes', order],
        [`${IMPORTS}/${done.id}/undo`, {}],
        [`${IMPORTS}/${sheet.id}/corrections`, { set: [{ member: 'ncm', value: '73181500' }] }],
      ] as const) {
        const refused = await demo.call('POST', path, body);
        expect([refused.status, refused.json.message]).toMatchObject([
          403,
          expect.stringContaining(sentence(papel, 'aprovacao')),
        ]);
        expect([path, (await demo.call('POST', path, { ...body, simular: true })).status]).toEqual([
          path,
          202,
        ]);
      }
    }
  });
});

describe('the rights of a person are visible', () => {
  test('in the session for each company', async () => {
    await give('preenchimento');
    const { companies } = (await demo.call('GET', '/appliance/api/session')).json;
    expect(companies).toContainEqual(
      expect.objectContaining({ cpfCnpjRaiz: COMPANY, papel: 'preenchimento' }),
    );
  });

  test('after a change without papel, which keeps it; another profile has none', async () => {
    await give('leitura');
    const members = { documento: DEMO, cpfCnpjRaiz: COMPANY, perfil: 'IMPEXP' };
    expect((await admin.call('POST', REPRESENTATIONS, members)).json).toEqual({
      ...members,
      papel: 'leitura',
    });
    const elsewhere = { ...members, perfil: 'AJUDESPAC' };
    expect((await admin.call('POST', REPRESENTATIONS, elsewhere)).json).toEqual({
      ...elsewhere,
      papel: null,
    });
    expect((await admin.call('GET', REPRESENTATIONS)).json).toContainEqual({ ...elsewhere, papel: null });
    const { status, json } = await admin.call('POST', REPRESENTATIONS, { ...elsewhere, papel: 'leitura' });
    expect([status, json.detail]).toMatchObject([422, [{ code: 'CATP-ER1212', path: '/papel' }]]);
    const wrong = await admin.call('POST', REPRESENTATIONS, { ...members, papel: 'dono' });
    expect([wrong.status, wrong.json.detail[0].path]).toEqual([400, '/papel']);
    expect((await admin.call('DELETE', REPRESENTATIONS, { ...elsewhere, papel: null })).status).toBe(204);
  });

  test('in a refusal, which names at most three people with the right', async () => {
    for (let n = 1; n <= 4; n += 1) {
      const documento = `1111111110${n}`;
      await admin.call('POST', '/appliance/api/users', { documento, nome: `Aprovadora ${n}`, tipo: 'PRIV' });
      await give('aprovacao', documento);
    }
    await give('leitura');
    const { json } = await demo.call('POST', `/catp/api/ext/produto/${COMPANY}`, PRODUCT);
    expect(json.message).toBe(
      `${sentence('leitura', 'aprovacao')} Peça a quem o tem: Aprovadora 1, Aprovadora 2, Aprovadora 3.`,
    );
  });
});

test('in the page of the handbook, which lists every writing operation with its rights', async () => {
  const page = (await server.anybody.call('GET', '/ajuda/papeis')).text;
  const row = (id: string) => page.split('<tr>').find((one) => one.includes(`/docs/${id}"`)) ?? '';
  for (const { id } of await listWriting()) expect(row(id)).not.toBe('');
  expect(row('includeProduct').match(/sim|–/g)).toEqual(['–', '–', 'sim']);
  expect(row('includeDraft').match(/sim|–/g)).toEqual(['–', 'sim', 'sim']);
});
