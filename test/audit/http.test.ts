/** The audit for an administrator (contract section 16, "Audit"). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { Client } from '../support/app.ts';
import { activate, load, product, tableFile } from '../catalogue/attribute/support.ts';
import {
  ADMIN,
  AUDIT,
  type Audited,
  COMPANY,
  DEMO,
  PRODUCT,
  REQUEST,
  done,
  imported,
  openAudited,
} from './support.ts';

const OPERATOR = `/catp/api/ext/operador-estrangeiro`;
const LINK = `/catp/api/ext/fabricante/${COMPANY}`;
const SUBSCRIPTION = '/portal/api/ext/webhook';

let at: Audited;
beforeEach(async () => {
  at = await openAudited();
});
afterEach(() => at.server.close());

describe('a user who is no administrator', () => {
  test('does not see the audit', async () => {
    expect((await at.demo.call('GET', AUDIT)).status).toBe(403);
    expect((await at.server.anybody.call('GET', AUDIT)).status).toBe(401);
  });
});

describe('an entry', () => {
  test('has the members of the contract, in its order', async () => {
    await done(at.demo.call('POST', PRODUCT, REQUEST));
    const [item] = (await at.page('?limit=1')).items;
    expect(Object.entries(item ?? {}).slice(1)).toEqual([
      ['at', '2026-01-15T09:00:00.000-03:00'],
      ['actor', DEMO],
      ['key', 'demo'],
      ['channel', 'api'],
      ['action', 'INCLUSAO'],
      ['subject', `produto ${COMPANY}/1`],
      ['before', null],
      ['after', '1'],
      ['proposedBy', null],
      ['proposal', null],
      ['actorName', 'Maria Demonstração'],
    ]);
    expect(Object.keys(item ?? {})[0]).toBe('seq');
  });

  test('records each change of a product, with the versions before and after', async () => {
    const { demo } = at;
    const entries = await at.noted(async () => {
      await done(demo.call('POST', PRODUCT, REQUEST));
      await done(demo.call('POST', `${PRODUCT}/2026-01-10`, REQUEST));
      await done(demo.call('PUT', `${PRODUCT}/1`, REQUEST));
      await done(demo.call('PUT', `${PRODUCT}/1/1`, REQUEST));
      await done(demo.call('PUT', `/catp/api/ext/produto/desativar/${COMPANY}/1`));
    });
    expect(entries).toEqual([
      [DEMO, 'api', 'INCLUSAO', `produto ${COMPANY}/1`, null, '1'],
      [DEMO, 'api', 'INCLUSAO_RETROATIVA', `produto ${COMPANY}/2`, null, '1'],
      [DEMO, 'api', 'NOVA_VERSAO', `produto ${COMPANY}/1`, '1', '2'],
      [DEMO, 'api', 'RETIFICACAO', `produto ${COMPANY}/1`, '2', '1.1'],
      [DEMO, 'api', 'DESATIVACAO', `produto ${COMPANY}/1`, '2', '2'],
    ]);
  });

  test('records drafts, operators, links and concession acts', async () => {
    const { demo } = at;
    const draft = { seq: 1, cpfCnpjRaiz: COMPANY, ...REQUEST, situacao: 'RASCUNHO' };
    const maker = { nome: 'Maker', logradouro: 'Straße 1', nomeCidade: 'Berlin' };
    const link = { codigoProduto: 1, conhecido: true, codigoPais: 'DE', codigoOperadorEstrangeiro: 'OPE_1' };
    const unknown = { codigoProduto: 1, conhecido: false, codigoPais: 'CN' };
    const actMembers = { codigoProduto: 1, numeroAto: '20260000001', numeroItem: '001' };
    const act = { seq: 1, cpfCnpjRaiz: COMPANY, ...actMembers };
    const entries = await at.noted(async () => {
      await done(demo.call('POST', '/catp/api/ext/produto', [draft]));
      await done(demo.call('POST', '/catp/api/ext/produto', [{ ...draft, codigo: 1 }]));
      await done(demo.call('PUT', `${PRODUCT}/1`, REQUEST));
      await done(demo.call('POST', `${OPERATOR}/${COMPANY}/DE`, maker));
      await done(demo.call('POST', `${OPERATOR}/${COMPANY}/DE/OPE_1/2026-01-10`, maker));
      await done(demo.call('PUT', `${OPERATOR}/desativar/${COMPANY}/DE/OPE_1/2`));
      await done(demo.call('POST', LINK, link));
      await done(demo.call('PUT', LINK, link));
      await done(demo.call('POST', LINK, unknown));
      for (const _ of 'twice') await done(demo.call('POST', '/catp/api/ext/regime-especial', [act]));
    });
    expect(entries).toEqual([
      [DEMO, 'api', 'INCLUSAO', `produto ${COMPANY}/1`, null, '1'],
      [DEMO, 'api', 'NOVA_VERSAO', `produto ${COMPANY}/1`, '1', '1'],
      [DEMO, 'api', 'ATIVACAO', `produto ${COMPANY}/1`, '1', '1'],
      [DEMO, 'api', 'INCLUSAO', `operador ${COMPANY}/OPE_1`, null, '1'],
      [DEMO, 'api', 'INCLUSAO_RETROATIVA', `operador ${COMPANY}/OPE_1`, '1', '2'],
      [DEMO, 'api', 'DESATIVACAO', `operador ${COMPANY}/OPE_1`, '2', '2'],
      [DEMO, 'api', 'VINCULACAO', `vinculo ${COMPANY}/1/DE/OPE_1`, null, link],
      [DEMO, 'api', 'DESVINCULACAO', `vinculo ${COMPANY}/1/DE/OPE_1`, link, null],
      [DEMO, 'api', 'VINCULACAO', `vinculo ${COMPANY}/1/CN`, null, unknown],
      [DEMO, 'api', 'INCLUSAO', `ato-concessorio ${COMPANY}/1/20260000001/001`, null, actMembers],
    ]);
  });

  test('records accounts, and all records that are removed with a user; never a secret', async () => {
    const { admin } = at;
    const person = '00000000604';
    const api = '/appliance/api';
    const representation = {
      documento: person,
      cpfCnpjRaiz: '98765432',
      perfil: 'IMPEXP',
      papel: 'aprovacao',
    };
    const keys: { clientId: string; clientSecret: string }[] = [];
    const end = '2027-01-31T12:00:00.000-03:00';
    const entries = await at.noted(async () => {
      await done(admin.call('POST', `${api}/companies`, { cpfCnpjRaiz: '98765432', nome: 'X' }));
      for (const _ of 'ab')
        await done(admin.call('POST', `${api}/companies`, { cpfCnpjRaiz: '98765432', nome: 'Y' }));
      await done(admin.call('POST', `${api}/users`, { documento: person, nome: 'M', tipo: 'PRIV' }));
      await done(
        admin.call('POST', `${api}/users`, {
          documento: person,
          nome: 'M',
          tipo: 'PRIV',
          administrador: true,
        }),
      );
      for (const _ of 'ab') await done(admin.call('POST', `${api}/representations`, representation));
      for (const more of [{}, { expiresAt: end }])
        keys.push((await done(admin.call('POST', `${api}/keys`, { documento: person, ...more }))).json);
      await done(admin.call('DELETE', `${api}/keys/${keys[0]?.clientId}`));
      await done(admin.call('DELETE', `${api}/users/${person}`));
    });
    const acted = [ADMIN, 'api'] as const;
    const user = { documento: person, nome: 'M', tipo: 'PRIV', administrador: false };
    const keyOf = (index: number): string => `chave ${keys[index]?.clientId}/${person}`;
    expect(entries).toEqual([
      [...acted, 'INCLUSAO', 'empresa 98765432', null, { cpfCnpjRaiz: '98765432', nome: 'X' }],
      [...acted, 'ALTERACAO', 'empresa 98765432', { nome: 'X' }, { nome: 'Y' }],
      [...acted, 'INCLUSAO', `usuario ${person}`, null, user],
      [...acted, 'ALTERACAO', `usuario ${person}`, { administrador: false }, { administrador: true }],
      [...acted, 'INCLUSAO', `representacao ${person}/98765432/IMPEXP`, null, representation],
      [...acted, 'INCLUSAO', keyOf(0), null, { documento: person }],
      [...acted, 'INCLUSAO', keyOf(1), null, { documento: person, expiresAt: end }],
      [...acted, 'REVOGACAO', keyOf(0), { documento: person }, null],
      [...acted, 'REVOGACAO', keyOf(1), { documento: person, expiresAt: end }, null],
      [...acted, 'EXCLUSAO', `representacao ${person}/98765432/IMPEXP`, representation, null],
      [...acted, 'EXCLUSAO', `usuario ${person}`, { ...user, administrador: true }, null],
    ]);
    const { items } = await at.page(`?subject=chave%20${keys[0]?.clientId}`);
    expect(items.map(({ key, action }) => [key, action])).toEqual([
      ['admin', 'REVOGACAO'],
      ['admin', 'INCLUSAO'],
    ]);
    const text = JSON.stringify(await at.page('?limit=1000'));
    for (const { clientSecret } of keys) expect(text).not.toContain(clientSecret);
  });

  test('names the key of the session, also for an import, and none for the system', async () => {
    const { demo } = at;
    await done(demo.call('POST', PRODUCT, REQUEST));
    await imported(at, [{ seq: 1, cpfCnpjRaiz: COMPANY, ...REQUEST }]);
    await at.server.app.core.backups.make();
    const { items } = await at.page('?limit=5');
    expect(items.map(({ channel, subject, key }) => [channel, subject.split(' ')[0], key])).toEqual([
      ['system', 'backup', null],
      ['import', 'importacao', 'demo'],
      ['import', 'produto', 'demo'],
      ['api', 'importacao', 'demo'],
      ['api', 'produto', 'demo'],
    ]);
  });

  test('names the user who read the secrets of another user by a key that he created; reading the own ones is not recorded', async () => {
    const { demo, admin, server } = at;
    const api = '/appliance/api';
    const hook = { evento: 'duex-historico', endpoint: 'https://erp.exemplo.com.br/a' };
    await done(demo.call('POST', SUBSCRIPTION, { ...hook, chaveSecreta: 'oculta-1' }));
    await done(demo.call('POST', SUBSCRIPTION, { ...hook, evento: 'catp-prod-alterado' }));
    const keyFor = async (documento: string) => {
      const { clientId, clientSecret } = (await done(admin.call('POST', `${api}/keys`, { documento }))).json;
      return { clientId, client: await signedIn(server, clientId, clientSecret) };
    };
    const own = await keyFor(ADMIN);
    const borrowed = await keyFor(DEMO);
    const entries = await at.noted(async () => {
      await done(demo.call('GET', SUBSCRIPTION));
      await done(own.client.call('GET', SUBSCRIPTION));
      expect((await done(borrowed.client.call('GET', SUBSCRIPTION))).json[0].chaveSecreta).toBe('oculta-1');
      await done(borrowed.client.call('GET', PRODUCT.replace(`/${COMPANY}`, `?cpfCnpjRaiz=${COMPANY}`)));
    });
    expect(entries).toEqual([[DEMO, 'api', 'LEITURA', 'assinatura 1']]);
    expect((await at.page('?limit=1')).items[0]?.key).toBe(borrowed.clientId);
  });

  test('records subscriptions, also those that the system deletes, or that are removed with their user', async () => {
    const { demo, admin, server } = at;
    const request = {
      evento: 'duex-historico',
      endpoint: 'https://erp.exemplo.com.br/a',
      chaveSecreta: 'oculta-1',
    };
    const subscribe = async (evento: string): Promise<number> =>
      (await done(demo.call('POST', SUBSCRIPTION, { ...request, evento }))).json.id as number;
    const { db, notification } = server.app.core;
    const entries = await at.noted(async () => {
      const id = await subscribe('duex-historico');
      const moved = { ...request, endpoint: 'https://erp.exemplo.com.br/b' };
      await done(demo.call('PUT', `${SUBSCRIPTION}/${id}`, { ...moved, id }));
      await done(demo.call('PUT', `${SUBSCRIPTION}/${id}`, { ...moved, chaveSecreta: 'oculta-2', id }));
      await done(demo.call('DELETE', `${SUBSCRIPTION}/${id}`));
      const failing = await subscribe('duex-historico');
      const now = server.clock.now();
      db.prepare('UPDATE subscription SET failing_since = ? WHERE id = ?').run(
        now - 31 * 86_400_000,
        failing,
      );
      db.prepare(
        "INSERT INTO delivery_failure (subscription_id, documento, failed_at, descricao, evento, conteudo) VALUES (?, ?, ?, 'x', 'x', '{}')",
      ).run(failing, DEMO, now);
      expect(await notification.delinquency.runOnce()).toEqual({ checked: 1, deleted: 1 });
      await subscribe('catp-prod-alterado');
      await done(admin.call('DELETE', `/appliance/api/users/${DEMO}`));
    });
    const was = { evento: 'duex-historico', endpoint: request.endpoint };
    const is = { ...was, endpoint: 'https://erp.exemplo.com.br/b' };
    const third = { ...was, evento: 'catp-prod-alterado' };
    expect(entries.filter(([, , , subject]) => subject.startsWith('assinatura'))).toEqual([
      [DEMO, 'api', 'INCLUSAO', 'assinatura 1', null, { ...was, chaveSecreta: 'mudado' }],
      [DEMO, 'api', 'ALTERACAO', 'assinatura 1', { endpoint: was.endpoint }, { endpoint: is.endpoint }],
      [DEMO, 'api', 'ALTERACAO', 'assinatura 1', {}, { chaveSecreta: 'mudado' }],
      [DEMO, 'api', 'EXCLUSAO', 'assinatura 1', is, null],
      [DEMO, 'api', 'INCLUSAO', 'assinatura 2', null, { ...was, chaveSecreta: 'mudado' }],
      ['sistema', 'system', 'EXCLUSAO', 'assinatura 2', was, null],
      [DEMO, 'api', 'INCLUSAO', 'assinatura 3', null, { ...third, chaveSecreta: 'mudado' }],
      [ADMIN, 'api', 'EXCLUSAO', 'assinatura 3', third, null],
    ]);
    expect(JSON.stringify(await at.page('?limit=1000'))).not.toContain('oculta');
  });

  test('records an import and each of its items, but no refused item, and nothing of a dry run', async () => {
    const item = { seq: 1, cpfCnpjRaiz: COMPANY, ...REQUEST };
    const entries = await at.noted(() =>
      imported(at, [item, { ...item, seq: 2, ncm: 'x' }, { ...item, seq: 3 }]),
    );
    const is = {
      kind: 'arquivo',
      tipo: 'produto',
      modo: 'lote',
      simular: false,
      fileName: 'itens.json',
    };
    const counts = { created: 2, newVersion: 0, deactivated: 0, unchanged: 0, failed: 1 };
    expect(entries).toEqual([
      [DEMO, 'api', 'INCLUSAO', 'importacao 1', null, is],
      [DEMO, 'import', 'INCLUSAO', `produto ${COMPANY}/1`, null, '1'],
      [DEMO, 'import', 'INCLUSAO', `produto ${COMPANY}/2`, null, '1'],
      [DEMO, 'import', 'CONCLUSAO', 'importacao 1', { state: 'running' }, { state: 'done', ...counts }],
    ]);
    const dry = await at.noted(() => imported(at, [item], { simular: 'true' }));
    expect(dry.map(([, , action, subject]) => [action, subject])).toEqual([
      ['INCLUSAO', 'importacao 2'],
      ['CONCLUSAO', 'importacao 2'],
    ]);
  });

  test('records loaded tables, activations now or on a day, and the deactivations of the system for them', async () => {
    const { demo, admin } = at;
    const entries = await at.noted(async () => {
      await done(demo.call('POST', PRODUCT, product('39269090')));
      const first = await load(admin, tableFile('1', { '3926.90.90': [] }));
      await activate(admin, first);
      const second = await load(admin, tableFile('2', { '3926.90.90': [{ codigo: 'ATT_1' }] }));
      await load(admin, tableFile('2', { '3926.90.90': [{ codigo: 'ATT_1' }] }));
      await activate(admin, second, '2026-01-16');
      await done(admin.call('POST', '/appliance/api/clock', { advance: 'P1D' }));
    });
    expect(entries).toEqual([
      [DEMO, 'api', 'INCLUSAO', `produto ${COMPANY}/1`, null, '1'],
      [ADMIN, 'api', 'INCLUSAO', 'tabela 1', null, '1'],
      [ADMIN, 'api', 'ATIVACAO', 'tabela 1', null, '1'],
      [ADMIN, 'api', 'INCLUSAO', 'tabela 2', null, '2'],
      [ADMIN, 'api', 'AGENDAMENTO', 'tabela 2', '1', '2'],
      ['sistema', 'system', 'ATIVACAO', 'tabela 2', '1', '2'],
      ['sistema', 'system', 'DESATIVACAO_SISTEMA', `produto ${COMPANY}/1`, '1', '1'],
    ]);
  });

  test('is not made for a refused change, or for one without a difference', async () => {
    const { demo, admin } = at;
    await done(demo.call('POST', PRODUCT, REQUEST));
    await done(demo.call('PUT', `/catp/api/ext/produto/desativar/${COMPANY}/1`));
    const entries = await at.noted(async () => {
      await done(demo.call('PUT', `/catp/api/ext/produto/desativar/${COMPANY}/1`));
      for (const [status, method, path, body] of [
        [404, 'PUT', `${PRODUCT}/9`, REQUEST],
        [422, 'PUT', `${PRODUCT}/1/1`, { ...REQUEST, ncm: '39269091' }],
        [422, 'POST', LINK, { codigoProduto: 9, conhecido: false, codigoPais: 'CN' }],
        [400, 'POST', PRODUCT, {}],
        [403, 'POST', '/catp/api/ext/produto/11222333', REQUEST],
        [404, 'DELETE', `${SUBSCRIPTION}/9`, undefined],
      ] as const)
        expect((await demo.call(method, path, body)).status).toBe(status);
      expect((await admin.call('DELETE', '/appliance/api/users/99999999999')).status).toBe(404);
      const items = [{ seq: 1, cpfCnpjRaiz: COMPANY, ...REQUEST, codigo: 9 }];
      expect((await demo.call('POST', '/catp/api/ext/produto', items)).json[0].sucesso).toBe(false);
    });
    expect(entries).toEqual([]);
  });

  test('of a backup names its file', async () => {
    const { backups } = at.server.app.core;
    const copies: { file: string; bytes: number }[] = [];
    const entries = await at.noted(async () => {
      copies.push(await backups.make());
      copies.push(await backups.make({ by: 'linha de comando' }));
    });
    const [first, second] = copies.map(({ file, bytes }) => ({
      file,
      bytes,
      at: '2026-01-15T09:00:00.000-03:00',
    }));
    expect(entries).toEqual([
      ['sistema', 'system', 'COPIA', `backup ${first?.file}`, null, first],
      ['linha de comando', 'cli', 'COPIA', `backup ${second?.file}`, null, second],
    ]);
  });

  test('records the end of an import: cancelled, its rows deleted, removed', async () => {
    const { demo, server } = at;
    const IMPORTS = '/appliance/api/imports';
    const item = { seq: 1, cpfCnpjRaiz: COMPANY, ...REQUEST };
    await imported(at, [item]);
    const { runner } = server.app.core.imports;
    const entries = await at.noted(async () => {
      await done(demo.call('DELETE', `${IMPORTS}/1/results`));
      await runner.stop();
      const form = new FormData();
      form.set('tipo', 'produto');
      form.set('file', new File([JSON.stringify([item])], 'itens.json'));
      const { id } = (await done(demo.call('POST', IMPORTS, form))).json;
      await done(demo.call('DELETE', `${IMPORTS}/${id}`));
      server.clock.moveTo(server.clock.now() + 400 * 86_400_000);
      await server.app.core.imports.retention.runOnce();
    });
    const of = (id: number) =>
      entries
        .filter(([, , , subject]) => subject === `importacao ${id}`)
        .map(([, , action, , ...members]) => [action, ...members]);
    const was = expect.objectContaining({ tipo: 'produto', modo: 'lote', simular: false });
    expect(of(1)).toEqual([
      ['ESQUECIMENTO', { resultsForgotten: false }, { resultsForgotten: true }],
      ['EXCLUSAO', was, null],
    ]);
    expect(of(2)).toEqual([
      ['INCLUSAO', null, was],
      ['CANCELAMENTO', { state: 'queued' }, { state: 'cancelled' }],
      ['EXCLUSAO', was, null],
    ]);
  });
});

async function signedIn(
  { anybody }: Audited['server'],
  clientId: string,
  clientSecret: string,
): Promise<Client> {
  const secrets = { 'client-id': clientId, 'client-secret': clientSecret, 'role-type': 'IMPEXP' };
  const path = '/portal/api/autenticar/chave-acesso';
  const { headers } = await done(anybody.call('POST', path, undefined, secrets));
  const tokens = {
    authorization: headers.get('set-token') ?? '',
    'x-csrf-token': headers.get('x-csrf-token') ?? '',
  };
  return { call: (method, at, body) => anybody.call(method, at, body, tokens) };
}

test('a reset starts a new audit', async () => {
  await done(at.demo.call('POST', PRODUCT, REQUEST));
  await done(at.admin.call('POST', '/appliance/api/reset'));
  const { items, next } = await at.page('?limit=1000');
  expect([items.at(-1)?.seq, next]).toEqual([1, null]);
  expect(items.map(({ subject }) => subject)).not.toContain(`produto ${COMPANY}/1`);
});
