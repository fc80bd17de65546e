/** The change of one record is proposed in a single step (contract section 27). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Reply } from '../../support/app.ts';
import {
  APPROVER,
  AUTHOR,
  COMPANY,
  IMPORTS,
  type Office,
  PRODUCT,
  PRODUCTS,
  PROPOSALS,
  approved,
  codeOf,
  include,
  openOffice,
  productOf,
  proposalOf,
} from './support.ts';

let office: Office;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.server.close());

const send = (members: object, client = office.author): Promise<Reply> =>
  client.call('POST', PROPOSALS, { cpfCnpjRaiz: COMPANY, ...members });

async function propose(members: object): Promise<number> {
  const reply = await send(members);
  expect([reply.status, reply.text]).toEqual([202, expect.stringMatching(/^\{"id":\d+\}$/)]);
  return reply.json.id;
}

const OPERATOR = {
  codigoPais: 'DE',
  nome: 'Muster Schrauben GmbH',
  logradouro: 'Hauptstrasse 1',
  nomeCidade: 'München',
  codigoSubdivisaoPais: 'DE-BY',
};
const operatorOf = async (codigo: string) =>
  (
    await office.approver.call(
      'GET',
      `/catp/api/ext/operador-estrangeiro?cpfCnpjRaiz=${COMPANY}&codigo=${codigo}&exibirDesativados=true`,
    )
  ).json[0];

describe('a product', () => {
  test('is included, and waits as an import of one row with all its members', async () => {
    const id = await propose({ kind: 'produto', operation: 'include', content: PRODUCT, note: 'Novo.' });
    expect(await proposalOf(office.approver, id)).toMatchObject({
      kind: 'registro',
      fileName: 'Produto: inclusão',
      note: 'Novo.',
      total: 1,
      created: 1,
      state: 'awaiting',
    });
    const job = (await office.author.call('GET', `${IMPORTS}/${id}`)).json;
    expect(job).toMatchObject({ kind: 'registro', simular: true, state: 'awaiting', processed: 1, total: 1 });
    const [row] = (await office.author.call('GET', `${IMPORTS}/${id}/results`)).json;
    expect(row).toMatchObject({ outcome: 'created', codigo: null, versao: '1', name: 'Caixa' });
    expect(row.changes).toContainEqual({
      member: 'denominacao',
      heading: 'Denominação',
      before: null,
      after: 'Caixa',
    });
    const { job: done, rows } = await approved(office.approver, id);
    expect(done).toMatchObject({ kind: 'registro', created: 1, madeBy: APPROVER, proposedBy: AUTHOR });
    expect(await productOf(office.approver, Number(rows[0].codigo))).toMatchObject(PRODUCT);
  });

  test('gets a new version, is rectified and deactivated', async () => {
    const { approver } = office;
    const codigo = await include(approver);
    const content = { ...PRODUCT, descricao: 'Verde' };
    const first = await propose({ kind: 'produto', operation: 'newVersion', codigo: `${codigo}`, content });
    const [row] = (await approver.call('GET', `${IMPORTS}/${first}/results`)).json;
    expect(row).toMatchObject({ codigo: `${codigo}`, versao: '2', outcome: 'newVersion' });
    expect(row.changes).toEqual([
      { member: 'descricao', heading: 'Descrição', before: 'Caixa plástica', after: 'Verde' },
    ]);
    await approved(approver, first);
    const rectifiedContent = { ...PRODUCT, descricao: 'Azul' };
    const rectification = { kind: 'produto', operation: 'rectify', codigo: `${codigo}`, versao: '2' };
    const second = await propose({ ...rectification, content: rectifiedContent });
    expect((await proposalOf(approver, second)).fileName).toBe(`Produto ${codigo}: retificação da versão 2`);
    await approved(approver, second);
    expect(await productOf(approver, codigo)).toMatchObject({ versao: '2.1', descricao: 'Azul' });
    const third = await propose({ kind: 'produto', operation: 'deactivate', codigo: `${codigo}` });
    expect((await approver.call('GET', `${IMPORTS}/${third}/results`)).json[0].changes).toEqual([
      { member: 'situacao', heading: 'Situação', before: 'ATIVADO', after: 'DESATIVADO' },
    ]);
    expect((await approved(approver, third)).job).toMatchObject({ deactivated: 1 });
    const history = (await approver.call('GET', `/appliance/api/products/${COMPANY}/${codigo}/versions`))
      .json;
    expect(history.map(({ proposedBy }: { readonly proposedBy: unknown }) => proposedBy)).toEqual([
      null,
      AUTHOR,
      AUTHOR,
    ]);
  });

  test('of a draft is activated by the new version', async () => {
    const { approver, author } = office;
    const draft = { cpfCnpjRaiz: COMPANY, denominacao: 'Rascunho' };
    const { codigo } = (await author.call('POST', '/appliance/api/products/drafts', draft)).json;
    const id = await propose({
      kind: 'produto',
      operation: 'newVersion',
      codigo: `${codigo}`,
      content: PRODUCT,
    });
    await approved(approver, id);
    expect(await productOf(approver, Number(codigo))).toMatchObject({ situacao: 'ATIVADO', versao: '1' });
    const [version] = (await approver.call('GET', `/appliance/api/products/${COMPANY}/${codigo}/versions`))
      .json;
    expect(version).toMatchObject({ madeBy: AUTHOR, proposedBy: AUTHOR });
  });

  test('that changed since is mudouDepois', async () => {
    const { approver, other } = office;
    const codigo = await include(approver);
    const content = { ...PRODUCT, descricao: 'Verde' };
    const id = await propose({ kind: 'produto', operation: 'newVersion', codigo: `${codigo}`, content });
    await other.call('PUT', `${PRODUCTS}/${COMPANY}/${codigo}`, { ...PRODUCT, descricao: 'Azul' });
    const { job, rows } = await approved(approver, id);
    expect(job).toMatchObject({ failed: 1, newVersion: 0 });
    expect(rows[0].errors[0]).toContain('mudouDepois');
    expect(await productOf(approver, codigo)).toMatchObject({ descricao: 'Azul' });
  });
});

describe('an operator and a link', () => {
  test('an operator is included, changed and deactivated', async () => {
    const { approver } = office;
    const inclusion = await propose({ kind: 'operador', operation: 'include', content: OPERATOR });
    const { rows } = await approved(approver, inclusion);
    const { codigo } = rows[0];
    expect(await operatorOf(codigo)).toMatchObject({ nome: OPERATOR.nome, situacao: 'ATIVADO' });
    const content = { ...OPERATOR, nome: 'Muster AG' };
    const newVersion = await propose({ kind: 'operador', operation: 'newVersion', codigo, content });
    expect((await approver.call('GET', `${IMPORTS}/${newVersion}/results`)).json[0].changes).toEqual([
      { member: 'nome', heading: 'Nome', before: OPERATOR.nome, after: 'Muster AG' },
    ]);
    await approved(approver, newVersion);
    expect(await operatorOf(codigo)).toMatchObject({ nome: 'Muster AG', versao: '2' });
    const path = `/appliance/api/foreign-operators/${COMPANY}/${codigo}/versions`;
    expect((await approver.call('GET', path)).json[1]).toMatchObject({
      proposedBy: AUTHOR,
      proposedByName: 'Bia',
    });
    const pais = { codigoPais: 'DE' };
    const ended = await propose({
      kind: 'operador',
      operation: 'deactivate',
      codigo,
      versao: '2',
      content: pais,
    });
    await approved(approver, ended);
    expect(await operatorOf(codigo)).toMatchObject({ situacao: 'DESATIVADO' });
  });

  test('a manufacturer is linked and unlinked', async () => {
    const { approver } = office;
    const codigoProduto = await include(approver);
    const content = { codigoProduto, conhecido: false, codigoPais: 'CN' };
    const link = await propose({ kind: 'vinculo', operation: 'link', content });
    expect(await proposalOf(approver, link)).toMatchObject({
      tipo: 'fabricante',
      fileName: `Vínculo do produto ${codigoProduto}: vinculação`,
    });
    const [row] = (await approver.call('GET', `${IMPORTS}/${link}/results`)).json;
    expect(row.changes).toEqual([
      { member: 'vinculo', heading: 'Vínculo', before: null, after: 'CN desconhecido' },
    ]);
    await approved(approver, link);
    const links = async () =>
      (
        await approver.call(
          'GET',
          `/appliance/api/manufacturer-links?cpfCnpjRaiz=${COMPANY}&codigoProduto=${codigoProduto}`,
        )
      ).json.items.length;
    expect(await links()).toBe(1);
    expect((await send({ kind: 'vinculo', operation: 'link', content })).status).toBe(422);
    await approved(approver, await propose({ kind: 'vinculo', operation: 'unlink', content }));
    expect(await links()).toBe(0);
  });
});

describe('a proposal is refused', () => {
  test('with the 400, 404 or 422 of its operation, at its place', async () => {
    const placeOf = (reply: Reply) => [reply.status, reply.json.detail[0]?.path ?? reply.json.path];
    const include = { kind: 'produto', operation: 'include' };
    expect(placeOf(await send({ ...include, content: { ...PRODUCT, ncm: 'x' } }))).toEqual([
      400,
      '/content/ncm',
    ]);
    expect(placeOf(await send({ ...include, content: { ...PRODUCT, cor: 'x' } }))).toEqual([
      400,
      '/content/cor',
    ]);
    const repeatedCode = { ...PRODUCT, codigosInterno: ['A', 'A'] };
    expect(placeOf(await send({ ...include, content: repeatedCode }))).toEqual([
      422,
      '/content/codigosInterno/1',
    ]);
    const unknown = { kind: 'produto', operation: 'newVersion', codigo: '999999', content: PRODUCT };
    expect((await send(unknown)).status).toBe(404);
    expect(placeOf(await send({ ...unknown, codigo: 'x' }))).toEqual([400, '/codigo']);
  });

  test('with 400 and the name of a missing or superfluous member', async () => {
    const paths = async (members: object): Promise<string[]> => {
      const reply = await send(members);
      expect(reply.status).toBe(400);
      return reply.json.detail.map(({ path }: { readonly path: string }) => path);
    };
    expect(await paths({ kind: 'produto', operation: 'include' })).toEqual(['/content']);
    expect(await paths({ kind: 'produto', operation: 'include', codigo: '1', content: PRODUCT })).toEqual([
      '/codigo',
    ]);
    expect(await paths({ kind: 'produto', operation: 'newVersion' })).toEqual(['/codigo', '/content']);
    expect(await paths({ kind: 'produto', operation: 'rectify', codigo: '1', content: PRODUCT })).toEqual([
      '/versao',
    ]);
    expect(await paths({ kind: 'produto', operation: 'link', content: {} })).toEqual(['/operation']);
    expect(await paths({ kind: 'vinculo', operation: 'include', content: {} })).toEqual(['/operation']);
    expect(await paths({ kind: 'marca', operation: 'include', content: {} })).toEqual(['/kind']);
    const content = { ...PRODUCT, situacao: 'RASCUNHO', seq: 3 };
    expect(await paths({ kind: 'produto', operation: 'include', content })).toEqual([
      '/content/seq',
      '/content/situacao',
    ]);
    const note = 'x'.repeat(501);
    expect(await paths({ kind: 'produto', operation: 'include', content: PRODUCT, note })).toEqual(['/note']);
  });

  test('with 422 for a record without a difference', async () => {
    const codigo = await include(office.approver);
    await office.approver.call('PUT', `${PRODUCTS}/desativar/${COMPANY}/${codigo}`);
    const reply = await send({ kind: 'produto', operation: 'deactivate', codigo: `${codigo}` });
    expect(codeOf(reply)).toEqual([422, 'CATP-ER1046']);
  });

  test('with 403 for leitura and without the company; nothing is stored', async () => {
    const members = { kind: 'produto', operation: 'include', content: PRODUCT };
    const before = (await office.approver.call('GET', IMPORTS)).json.length;
    const reply = await send(members, office.reader);
    expect([reply.status, reply.json.message]).toEqual([
      403,
      expect.stringContaining('Seu papel para esta empresa é leitura; isto pede preenchimento.'),
    ]);
    expect((await send(members, await office.server.as('estranho'))).status).toBe(403);
    expect((await send(members, office.server.anybody)).status).toBe(401);
    expect((await send({ ...members, content: { ...PRODUCT, ncm: '1' } })).status).toBe(400);
    expect((await office.approver.call('GET', IMPORTS)).json.length).toBe(before);
  });

  test('a proposal is made once with one idempotency key', async () => {
    const body = { cpfCnpjRaiz: COMPANY, kind: 'produto', operation: 'include', content: PRODUCT };
    const sendOnce = () => office.author.call('POST', PROPOSALS, body, { 'Idempotency-Key': 'record-1' });
    const first = await sendOnce();
    expect([first.status, (await sendOnce()).json]).toEqual([202, first.json]);
  });
});
