/** Each kind of dry run is executed exactly as it was shown (contract section 27). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ended, importRows } from '../sheet/support.ts';
import { zipSync } from 'fflate';
import {
  AUTHOR,
  COMPANY,
  IMPORTS,
  type Office,
  PRODUCT,
  PRODUCTS,
  approved,
  codeOf,
  decide,
  include,
  item,
  openOffice,
  productOf,
  propose,
  upload,
} from './support.ts';

let office: Office;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.server.close());

const change = async (order: object, client = office.author) =>
  ended(
    client,
    await client.call('POST', '/appliance/api/products/changes', {
      cpfCnpjRaiz: COMPANY,
      simular: true,
      ...order,
    }),
  );

async function proposeAndApprove(id: number) {
  expect((await propose(office.author, id)).status).toBe(202);
  return approved(office.approver, id);
}

describe('a file of JSON', () => {
  test('is kept after its dry run, and each item is applied as it was shown', async () => {
    const { approver } = office;
    const codigo = await include(approver);
    const other = await include(approver);
    const { id } = await upload(office.author, [
      item(1, { denominacao: 'Nova' }),
      item(2, { codigo, descricao: 'Verde' }),
      item(3, { codigo: other, situacao: 'DESATIVADO' }),
      item(4, { ncm: '1' }),
    ]);
    const before = (await approver.call('GET', `${IMPORTS}/${id}/results`)).json;
    const added = (member: string, heading: string, after: string) => ({
      member,
      heading,
      before: null,
      after,
    });
    expect(before.map(({ changes }: { readonly changes: unknown }) => changes)).toEqual([
      [
        added('situacao', 'Situação', 'ATIVADO'),
        added('denominacao', 'Denominação', 'Nova'),
        added('descricao', 'Descrição', 'Caixa plástica'),
        added('modalidade', 'Modalidade', 'IMPORTACAO'),
        added('ncm', 'NCM', '39269090'),
      ],
      [{ member: 'descricao', heading: 'Descrição', before: 'Caixa plástica', after: 'Verde' }],
      [{ member: 'situacao', heading: 'Situação', before: 'ATIVADO', after: 'DESATIVADO' }],
      [],
    ]);
    expect(before[1].notRecorded).toBeUndefined();
    const { job, rows } = await proposeAndApprove(id);
    expect(job).toMatchObject({
      kind: 'arquivo',
      fileName: 'produtos.json',
      created: 1,
      newVersion: 1,
      deactivated: 1,
      failed: 1,
      proposedBy: AUTHOR,
    });
    expect(await productOf(approver, Number(rows[0].codigo))).toMatchObject({ denominacao: 'Nova' });
    expect(await productOf(approver, codigo)).toMatchObject({ versao: '2', descricao: 'Verde' });
  });

  test('skips an item whose record changed since as mudouDepois, a draft too, and applies the others', async () => {
    const { approver, author, other } = office;
    const codigos = [await include(approver), await include(approver), await include(approver)];
    const draft = { cpfCnpjRaiz: COMPANY, denominacao: 'Rascunho' };
    const { codigo: draftCode } = (await author.call('POST', '/appliance/api/products/drafts', draft)).json;
    const { id } = await upload(office.author, [
      item(1, { codigo: codigos[0], descricao: 'Verde' }),
      item(2, { codigo: codigos[1], versao: '1', descricao: 'Verde' }),
      item(3, { codigo: codigos[2], situacao: 'DESATIVADO' }),
      item(4, { codigo: draftCode, situacao: 'RASCUNHO', denominacao: 'Outra' }),
      item(5),
    ]);
    await propose(author, id);
    for (const codigo of codigos)
      await other.call('PUT', `${PRODUCTS}/${COMPANY}/${codigo}`, { ...PRODUCT, descricao: 'Azul' });
    await author.call('PUT', `/appliance/api/products/drafts/${COMPANY}/${draftCode}`, {
      denominacao: 'Mudou',
    });
    const { job, rows } = await approved(approver, id);
    expect(job).toMatchObject({ created: 1, failed: 4, newVersion: 0, deactivated: 0 });
    for (const row of rows.slice(0, 4)) {
      expect(row.errors[0]).toContain('mudouDepois');
      expect(row.problems[0].code).toBe('CATP-ER1027');
    }
    expect(await productOf(approver, Number(codigos[0]))).toMatchObject({ versao: '2', descricao: 'Azul' });
  });

  test('lists and applies the changes of items with blanks around their codes', async () => {
    const { approver } = office;
    const [first, second] = [await include(approver), await include(approver)];
    const { id, rows: shown } = await upload(office.author, [
      item(1, { codigo: ` ${first} `, versao: ' 1', descricao: 'Verde' }),
      item(2, { codigo: second, cpfCnpjRaiz: `${COMPANY} `, descricao: 'Verde' }),
    ]);
    for (const { changes } of shown)
      expect(changes).toMatchObject([{ before: 'Caixa plástica', after: 'Verde' }]);
    expect((await proposeAndApprove(id)).job).toMatchObject({ newVersion: 2, failed: 0 });
  });

  test('an item that failed is not applied, even if it would succeed now', async () => {
    const { approver } = office;
    const next = (await include(approver)) + 1;
    const { id } = await upload(office.author, [item(1, { codigo: next, descricao: 'Verde' }), item(2)]);
    await propose(office.author, id);
    expect(await include(approver)).toBe(next);
    const { job } = await approved(approver, id);
    expect(job).toMatchObject({ created: 1, failed: 1 });
    expect(await productOf(approver, next)).toMatchObject({ versao: '1' });
  });

  test('of links and acts lists the written ones, without the existing ones', async () => {
    const { approver, author } = office;
    const codigoProduto = await include(approver);
    const link = { cpfCnpjRaiz: COMPANY, codigoProduto, conhecido: false, codigoPais: 'CN' };
    const otherLink = { ...link, codigoPais: 'DE' };
    const path = `/catp/api/ext/fabricante/${COMPANY}`;
    const { cpfCnpjRaiz: _company, ...body } = otherLink;
    expect((await approver.call('POST', path, body)).status).toBe(200);
    const changesOf = async (items: readonly object[], tipo: string) => {
      const { rows } = await upload(author, items, { tipo });
      return rows.map(({ changes }: { readonly changes: unknown }) => changes);
    };
    expect(
      await changesOf(
        [
          { ...link, seq: 1 },
          { ...otherLink, seq: 2 },
        ],
        'fabricante',
      ),
    ).toEqual([[{ member: 'vinculo', heading: 'Vínculo', before: null, after: 'CN desconhecido' }], []]);
    const maker = { codigoPais: 'BR', codigoOperadorEstrangeiro: '', cpfCnpjFabricante: '12345678000195' };
    expect(await changesOf([{ ...link, ...maker, seq: 1, conhecido: true }], 'fabricante')).toMatchObject([
      [{ before: null, after: 'BR 12345678000195' }],
    ]);
    const act = { seq: 1, cpfCnpjRaiz: COMPANY, codigoProduto, numeroAto: '20260000001', numeroItem: '001' };
    expect(await changesOf([{ ...act, numeroAto: 12, numeroItem: ' 3 ' }], 'ato-concessorio')).toMatchObject([
      [{ after: '12' }, { after: '3' }],
    ]);
    expect(await changesOf([act], 'ato-concessorio')).toEqual([
      [
        { member: 'numeroAto', heading: 'Número do ato', before: null, after: '20260000001' },
        { member: 'numeroItem', heading: 'Item', before: null, after: '001' },
      ],
    ]);
  });

  test('refuses an item with an invalid form, and lists no change for it', async () => {
    const items = [null, 7, [], { codigo: {}, cpfCnpjRaiz: COMPANY }, { codigo: 1, versao: 'x' }, 'x'];
    const { job, rows } = await upload(office.author, items as readonly object[]);
    expect(job).toMatchObject({ state: 'done', failed: items.length });
    for (const { changes } of rows) expect(changes).toEqual([]);
  });

  test('is applied in the mode espelho too', async () => {
    const { id } = await upload(office.author, [item(1, { codigo: 7_000_001, versao: '3' })], {
      modo: 'espelho',
    });
    const { job } = await proposeAndApprove(id);
    expect(job).toMatchObject({ modo: 'espelho', created: 1 });
    expect(await productOf(office.approver, 7_000_001)).toMatchObject({ versao: '3' });
  });

  test('that deactivates many requires the number in the proposal too', async () => {
    const { approver } = office;
    const codigos: number[] = [];
    for (let n = 0; n < 11; n += 1) codigos.push(await include(approver, { denominacao: `Cai ${n}` }));
    const { id } = await upload(
      office.author,
      codigos.map((codigo, at) => item(at + 1, { codigo, situacao: 'DESATIVADO' })),
    );
    await propose(office.author, id);
    expect(codeOf(await decide(approver, id, 'approve'))).toEqual([422, 'APPL-ER0451']);
    expect(codeOf(await decide(approver, id, 'approve', { expected: 10 }))).toEqual([422, 'APPL-ER0451']);
    expect((await decide(approver, id, 'approve', { expected: 'onze' })).status).toBe(400);
    expect((await approver.call('GET', `${IMPORTS}/${id}`)).json.state).toBe('awaiting');
    expect((await approved(approver, id, { expected: 11 })).job).toMatchObject({ deactivated: 11 });
  });

  test('a zip of sheets and files is executed completely', async () => {
    const { approver } = office;
    const codigo = await include(approver);
    const zip = zipSync({
      'a.csv': new TextEncoder().encode(`Código;Versão;Denominação\r\n${codigo};;Torneira`),
      'b.json': new TextEncoder().encode(JSON.stringify([item(1, { denominacao: 'Do arquivo' })])),
    });
    const { id, job: dryRun } = await upload(office.author, zip, { name: 'tudo.zip', cpfCnpjRaiz: COMPANY });
    expect(dryRun).toMatchObject({ kind: 'arquivo', newVersion: 1, created: 1 });
    expect((await proposeAndApprove(id)).job).toMatchObject({ newVersion: 1, created: 1, failed: 0 });
    expect(await productOf(approver, codigo)).toMatchObject({ denominacao: 'Torneira' });
  });
});

describe('a bulk change', () => {
  test('is executed; a record that changed since is mudouDepois', async () => {
    const { approver, other, author } = office;
    const codigos = [await include(approver), await include(approver)];
    const { id } = await change({ codigos, set: { descricao: 'Verde' } });
    await propose(author, id);
    await other.call('PUT', `${PRODUCTS}/${COMPANY}/${codigos[1]}`, { ...PRODUCT, descricao: 'Azul' });
    const { job, rows } = await approved(approver, id);
    expect(job).toMatchObject({ kind: 'alteracao', newVersion: 1, failed: 1, proposedBy: AUTHOR });
    expect(rows[1].errors[0]).toContain('mudouDepois');
  });

  test('cannot be executed while it is proposed, by its author or by an approver', async () => {
    const { approver, author } = office;
    const { id } = await change({ codigos: [await include(approver)], set: { descricao: 'Verde' } });
    await propose(author, id);
    const from = { cpfCnpjRaiz: COMPANY, from: id };
    expect(codeOf(await approver.call('POST', '/appliance/api/products/changes', from))).toEqual([
      422,
      'CATP-ER1045',
    ]);
    expect((await decide(author, id, 'withdraw')).status).toBe(204);
    expect((await approver.call('POST', '/appliance/api/products/changes', from)).status).toBe(202);
  });
});

describe('corrections and undo', () => {
  test('a simulated correction is executed with its values', async () => {
    const { approver, author } = office;
    const codigo = await include(approver);
    const cells = [
      ['Código do produto', 'NCM'],
      [`${codigo}`, 'abc'],
    ];
    const { id, rows } = await importRows(author, cells, { simular: true, key: 'codigo' });
    expect(rows[0].outcome).toBe('failed');
    const path = `${IMPORTS}/${id}/corrections`;
    const body = { set: [{ member: 'ncm', value: '73181500' }], simular: true };
    const correction = await ended(author, await author.call('POST', path, body));
    const { job } = await proposeAndApprove(correction.id);
    expect(job).toMatchObject({ kind: 'planilha', newVersion: 1, failed: 0, proposedBy: AUTHOR });
    expect(await productOf(approver, codigo)).toMatchObject({ ncm: '73181500' });
  });

  test('a simulated undo is executed, and its import is undone', async () => {
    const { approver, author } = office;
    const codigo = await include(approver);
    const { id: done } = await change(
      { codigos: [codigo], set: { descricao: 'Verde' }, simular: false },
      approver,
    );
    const dryRun = await ended(
      author,
      await author.call('POST', `${IMPORTS}/${done}/undo`, { simular: true }),
    );
    const { id: importId, job } = await proposeAndApprove(dryRun.id);
    expect(job).toMatchObject({ kind: 'desfazer', newVersion: 1, undoes: done, proposedBy: AUTHOR });
    expect((await approver.call('GET', `${IMPORTS}/${done}`)).json.undoneBy).toBe(importId);
    expect(await productOf(approver, codigo)).toMatchObject({ versao: '3', descricao: 'Caixa plástica' });
  });

  test('the changes of a proposal can be undone', async () => {
    const { approver } = office;
    const { id } = await upload(office.author, [item(1, { denominacao: 'Desfaz-se' })]);
    const { id: importId, rows } = await proposeAndApprove(id);
    const undo = await ended(approver, await approver.call('POST', `${IMPORTS}/${importId}/undo`, {}));
    expect(undo.job).toMatchObject({ deactivated: 1, failed: 0 });
    expect(await productOf(approver, Number(rows[0].codigo))).toMatchObject({ situacao: 'DESATIVADO' });
  });
});
