/** Notices that a person requests immediately (contract section 27). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { MINUTE_MS } from '../../src/clock.ts';
import type { Notice } from '../../src/session/notices/model.ts';
import { activate, load, product, tableFile } from '../catalogue/attribute/support.ts';
import { decide, include as includeProduct, openOffice, proposed } from '../catalogue/proposal/support.ts';
import { importerOf, item } from '../catalogue/import/undo-support.ts';
import { type Client, type TestApp, openApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { type TestSmtp, emailSettings, openSmtp, partsOf } from '../support/smtp.ts';

const [FIRST, SECOND] = ['12345678', '87654321'];
const MARIA = '00000000191';

let smtp: TestSmtp;
let server: TestApp;
let demo: Client;
beforeEach(async () => {
  smtp = await openSmtp();
  const settings = {
    ...(await emailSettings(smtp.port)),
    'entrega.mapa': 'erp.exemplo:443=127.0.0.1:1',
    'entrega.repeticoes': '1h',
  };
  server = await openApp({ settings });
  demo = await server.as('demo');
});
afterEach(async () => {
  await server.close();
  await smtp[Symbol.asyncDispose]();
});

const choose = async (kind: Notice, time = 'imediato'): Promise<void> => {
  const body = { email: 'maria@empresa.exemplo', avisos: { [kind]: time } };
  expect((await demo.call('PUT', '/appliance/api/me', body)).status).toBe(200);
};

const include = async (company: string, ncm: string): Promise<void> => {
  expect((await demo.call('POST', `/catp/api/ext/produto/${company}`, product(ncm))).status).toBe(200);
};

async function fall(...ncms: readonly string[]): Promise<void> {
  const admin = await server.as('admin');
  const pairs = ncms.map((ncm) => [ncm, [{ codigo: 'ATT_1' }]]);
  await activate(admin, await load(admin, tableFile('1', Object.fromEntries(pairs))));
}

/** Passes the minute in which further notices join a message. */
async function gathered(): Promise<void> {
  const advance = 'PT1M';
  expect((await (await server.as('admin')).call('POST', '/appliance/api/clock', { advance })).status).toBe(
    200,
  );
  for (const one of server.app.core.email.dueWork ?? []) await one.runDue();
}

const subjects = (): string[] =>
  smtp.received.map((one) => /<title>(.*)<\/title>/.exec(partsOf(one).html)?.[1] ?? '');
const lastText = (): string => partsOf(smtp.received.at(-1) ?? { raw: '' }).text;

describe('an immediate notice', () => {
  test('is sent when the system deactivates products, with all of a minute in one message', async () => {
    await choose('desativados');
    await include(FIRST, '73181500');
    await include(FIRST, '73181600');
    await include(SECOND, '73181500');
    await fall('7318.15.00', '7318.16.00');
    expect(smtp.received).toEqual([]);
    await gathered();
    expect(subjects()).toEqual(['Produtos desativados: 2 empresas']);
    expect(lastText()).toStartWith(`Exemplo Importadora S.A.

- 1 produto desativado pelo sistema, porque os atributos da NCM 73181500 mudaram. Grave uma nova versão de cada um com o que falta.
  https://catalogo.empresa.exemplo/corrigir?cpfCnpjRaiz=12345678
- 1 produto desativado pelo sistema, porque os atributos da NCM 73181600 mudaram.`);
    expect(lastText()).toContain('Modelo Comércio Exterior Ltda.\n\n- 1 produto desativado');
  });

  test('is not sent to a user who disabled it or has no address, and does not change the daily message', async () => {
    await choose('desativados', 'diario');
    await include(FIRST, '73181500');
    await fall('7318.15.00');
    await gathered();
    expect(smtp.received).toEqual([]);
    const waiting = server.app.core.db.prepare('SELECT count(*) FROM email').pluck().get();
    expect(waiting).toBe(0);
  });

  test('omits a company that the person has lost meanwhile', async () => {
    await choose('desativados');
    await include(FIRST, '73181500');
    await include(SECOND, '73181500');
    await fall('7318.15.00');
    const lost = { documento: MARIA, cpfCnpjRaiz: FIRST, perfil: 'IMPEXP' };
    const admin = await server.as('admin');
    expect((await admin.call('DELETE', '/appliance/api/representations', lost)).status).toBe(204);
    await gathered();
    expect(smtp.received).toHaveLength(1);
    expect(lastText()).not.toContain('Exemplo Importadora');
    expect(lastText()).toContain('Modelo Comércio Exterior');
  });

  test('is cut after 100 items, with a remark', async () => {
    await choose('remotos');
    const { writer, email } = server.app.core;
    const link = { href: '/', label: 'Ver' };
    const notify = (most: number) =>
      writer.write((tx) => {
        for (let count = 1; count <= most; count += 1)
          email.notify(tx, { kind: 'remotos', cpfCnpjRaiz: FIRST, text: `aviso ${count}`, link });
      });
    await notify(100);
    await gathered();
    expect(lastText()).toContain('aviso 100\n');
    expect(lastText()).not.toContain('Há mais de 100');
    await notify(101);
    await gathered();
    expect(lastText()).toContain('aviso 100\n');
    expect(lastText()).not.toContain('aviso 101');
    expect(lastText()).toContain('Há mais de 100: o painel mostra todos.');
  });

  test('is sent when an import ends with errors, to users of its company', async () => {
    await choose('importacoes');
    const { id } = await importerOf(demo).importFile([item({}), item({ seq: 2, codigo: 99_999 })]);
    await gathered();
    expect(subjects()).toEqual(['Importação com erros: Exemplo Importadora S.A.']);
    expect(lastText()).toContain('1 linha com erro na importação.');
    expect(lastText()).toContain(`https://catalogo.empresa.exemplo/importar/${id}`);
    await importerOf(demo).importFile([item({ seq: 1 })]);
    await gathered();
    expect(smtp.received).toHaveLength(1);
  });

  test('is sent once to its owner when a subscription starts to fail', async () => {
    await choose('assinaturas');
    const hook = { evento: 'teste', endpoint: 'https://erp.exemplo/aviso?segredo=1' };
    expect((await demo.call('POST', '/portal/api/ext/webhook', hook)).status).toBe(200);
    const event = { evento: 'teste', destinatarioTipo: 'CPF', destinatarioId: MARIA, conteudo: {} };
    const admin = await server.as('admin');
    for (let count = 0; count < 2; count += 1)
      expect((await admin.call('POST', '/appliance/api/events', event)).status).toBe(200);
    const failures = () =>
      server.app.core.db.prepare<[], number>('SELECT count(*) FROM delivery_failure').pluck().get();
    await eventually(failures).toBe(2);
    await gathered();
    expect(subjects()).toEqual(['Assinatura com falhas']);
    expect(lastText().match(/começou a falhar/g)).toHaveLength(1);
    expect(lastText()).not.toContain('segredo');
  });
});

test('is sent for a near deadline, and for a remote with differences', async () => {
  await choose('prazos');
  await choose('remotos');
  await include(FIRST, '73181500');
  const admin = await server.as('admin');
  const pair = { codigo: 'ATT_1', obrigatorio: false, to: '2026-02-09' };
  await activate(admin, await load(admin, tableFile('1', { '7318.15.00': [pair] })));
  await server.app.core.jobs.find(({ name }) => name === 'prazos')?.runOnce();
  const { writer, catalogue } = server.app.core;
  await writer.write((tx) => catalogue.events.remoteDiverges(tx, FIRST, 'portal', {}));
  await gathered();
  expect(subjects().toSorted()).toEqual([
    'Portal Único: Exemplo Importadora S.A.',
    'Prazo que se aproxima: Exemplo Importadora S.A.',
  ]);
  const texts = smtp.received.map((one) => partsOf(one).text).join('');
  expect(texts).toContain('1 produto não tem o que vai ser exigido em 10/02/2026: ATT_1.');
  expect(texts).toContain('https://catalogo.empresa.exemplo/remotos?cpfCnpjRaiz=12345678&remote=portal');
});

describe('a proposal', () => {
  test('is sent to the approvers, and its decision to its author', async () => {
    const settings = await emailSettings(smtp.port);
    const office = await openOffice({ settings });
    try {
      const wanting = [
        [office.author, 'bia'],
        [office.approver, 'maria'],
        [office.reader, 'leo'],
      ] as const;
      for (const [client, name] of wanting)
        await client.call('PUT', '/appliance/api/me', {
          email: `${name}@empresa.exemplo`,
          avisos: { propostas: 'imediato' },
        });
      const codigo = await includeProduct(office.approver);
      const id = await proposed(office.author, [[codigo, 'Outra']]);
      const { server: own } = office;
      own.clock.moveTo(own.clock.now() + MINUTE_MS);
      await eventually(() => smtp.received.length).toBe(1);
      expect(smtp.received[0]?.to).toEqual(['maria@empresa.exemplo']);
      expect(lastText()).toContain('Uma proposta de 1 item espera uma decisão.');
      const { status } = await decide(office.approver, id, 'reject', { reason: 'Falta o material' });
      expect(status).toBeLessThan(300);
      own.clock.moveTo(own.clock.now() + MINUTE_MS);
      await eventually(() => smtp.received.length).toBe(2);
      expect(smtp.received[1]?.to).toEqual(['bia@empresa.exemplo']);
      expect(lastText()).toContain('A sua proposta de 1 item foi recusada: Falta o material');
    } finally {
      await office.server.close();
    }
  });
});

test('a notice is not added to a message whose minute is over', async () => {
  await choose('remotos');
  const { writer, email } = server.app.core;
  const notify = (text: string) =>
    writer.write((tx) =>
      email.notify(tx, { kind: 'remotos', cpfCnpjRaiz: FIRST, text, link: { href: '/', label: 'Ver' } }),
    );
  await notify('um');
  server.clock.moveTo(server.clock.now() + MINUTE_MS);
  await eventually(() => smtp.received.length).toBe(1);
  await notify('dois');
  await gathered();
  expect(smtp.received).toHaveLength(2);
  expect(lastText()).not.toContain('um\n');
});
