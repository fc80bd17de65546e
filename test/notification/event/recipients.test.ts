/** The recipients of an event (contract section 10). */
import { describe, expect, test } from 'bun:test';
import type { Core } from '../../../src/assembly/core.ts';
import { DESTINATARIO_TIPOS, type NewEvent } from '../../../src/notification/event/model.ts';
import { INSERT_DELIVERIES } from '../../../src/notification/event/store.ts';
import {
  DOCUMENTO,
  ENDPOINT,
  EVENTO,
  coreForEachTest,
  deliveriesOf,
  event,
  subscribedTo,
} from '../support.ts';

const open = coreForEachTest();

/** Publishes an event. Returns the documents of its recipients, in the order of their subscriptions. */
async function recipientsOf(core: Core, more: Partial<NewEvent>): Promise<string[]> {
  const { id, deliveries } = await core.notification.events.publishAlone(event(more));
  const documents = core.db
    .prepare<[number], string>(
      'SELECT s.documento FROM delivery d JOIN subscription s ON s.id = d.subscription_id WHERE d.event_id = ? ORDER BY d.id',
    )
    .pluck()
    .all(id);
  expect(documents).toHaveLength(deliveries);
  return documents;
}

const addressOf = (core: Core): unknown =>
  core.db.prepare('SELECT destinatario_id FROM event ORDER BY id DESC LIMIT 1').pluck().get();

describe('no delivery goes to', () => {
  test('a user without a subscription, or with one to another event', async () => {
    const { core, wakes } = open();
    await subscribedTo(core, DOCUMENTO.demo, 'catp-oper-alterado');
    await subscribedTo(core, DOCUMENTO.demo, EVENTO.toUpperCase());
    expect(await recipientsOf(core, {})).toEqual([]);
    expect(wakes()).toBe(0);
  });

  test('a user who represents another company, or none', async () => {
    const { core } = open();
    for (const documento of [DOCUMENTO.estranho, DOCUMENTO.publico, '00000000515'])
      await subscribedTo(core, documento);
    expect(await recipientsOf(core, {})).toEqual([]);
  });

  test('a deleted subscription', async () => {
    const { core } = open();
    await core.notification.subscriptions.unsubscribe(
      DOCUMENTO.demo,
      await subscribedTo(core, DOCUMENTO.demo),
    );
    expect(await recipientsOf(core, {})).toEqual([]);
  });

  test('a user who no longer represents the company', async () => {
    const { core } = open();
    await subscribedTo(core, DOCUMENTO.demo);
    const [documento, cpfCnpjRaiz] = [DOCUMENTO.demo, '12345678'];
    await core.session.accounts.removeRepresentation({ documento, cpfCnpjRaiz, perfil: 'IMPEXP' });
    expect(await recipientsOf(core, {})).toEqual([]);
  });
});

describe('CNPJ', () => {
  test('reaches every user that represents the company, each once, in any profile', async () => {
    const { core } = open();
    const [documento, cpfCnpjRaiz] = [DOCUMENTO.estranho, '12345678'];
    await core.session.accounts.putRepresentation({ documento, cpfCnpjRaiz, perfil: 'TRANSPORT' });
    await core.session.accounts.putRepresentation({
      documento: DOCUMENTO.demo,
      cpfCnpjRaiz,
      perfil: 'DEPOSIT',
    });
    for (const one of [DOCUMENTO.demo2, DOCUMENTO.demo, DOCUMENTO.estranho]) await subscribedTo(core, one);
    expect(await recipientsOf(core, {})).toEqual([DOCUMENTO.demo2, DOCUMENTO.demo, DOCUMENTO.estranho]);
  });

  test('notifies the same endpoint as often as it is subscribed', async () => {
    const { core, wakes } = open();
    await subscribedTo(core, DOCUMENTO.demo, EVENTO, ENDPOINT);
    await subscribedTo(core, DOCUMENTO.demo2, EVENTO, ENDPOINT);
    expect(await recipientsOf(core, {})).toHaveLength(2);
    expect(wakes()).toBe(1);
  });

  test('by its root is addressed to the head office when it is known, else to the root', async () => {
    const { core } = open();
    await recipientsOf(core, { destinatarioId: '12345678' });
    expect(addressOf(core)).toBe('12345678000195');
    await recipientsOf(core, { destinatarioId: '99999999' });
    expect(addressOf(core)).toBe('99999999');
  });

  test('of any branch reaches the representatives of the root, and carries the branch', async () => {
    const { core } = open();
    await subscribedTo(core, DOCUMENTO.demo);
    expect(await recipientsOf(core, { destinatarioId: '12345678000276' })).toEqual([DOCUMENTO.demo]);
    expect(addressOf(core)).toBe('12345678000276');
  });
});

describe('CPF', () => {
  const CPF = { destinatarioTipo: 'CPF', destinatarioId: DOCUMENTO.demo } as const;

  test('reaches the user with that CPF, and no other representative of its companies', async () => {
    const { core } = open();
    for (const one of [DOCUMENTO.demo, DOCUMENTO.demo2]) await subscribedTo(core, one);
    expect(await recipientsOf(core, CPF)).toEqual([DOCUMENTO.demo]);
    expect(addressOf(core)).toBe(DOCUMENTO.demo);
  });

  test('also reaches the representatives of the company with that root, the user itself once', async () => {
    const { core } = open();
    const cpfCnpjRaiz = DOCUMENTO.demo;
    await core.session.accounts.putCompany({ cpfCnpjRaiz, nome: 'Maria, pessoa física', cnpj: null });
    for (const documento of [DOCUMENTO.demo, DOCUMENTO.demo2]) {
      await core.session.accounts.putRepresentation({ documento, cpfCnpjRaiz, perfil: 'IMPEXP' });
      await subscribedTo(core, documento);
    }
    expect(await recipientsOf(core, CPF)).toEqual([DOCUMENTO.demo, DOCUMENTO.demo2]);
  });
});

describe('ORGAO', () => {
  const ORGAO = { destinatarioTipo: 'ORGAO', destinatarioId: 'RECEITA' } as const;

  test('reaches every user of that body', async () => {
    const { core } = open();
    await core.session.accounts.putUser({
      documento: '00000000606',
      nome: 'Colega',
      tipo: 'PUBL',
      orgao: 'RECEITA',
      administrador: false,
    });
    for (const one of [DOCUMENTO.publico, '00000000606', DOCUMENTO.demo]) await subscribedTo(core, one);
    expect(await recipientsOf(core, ORGAO)).toEqual([DOCUMENTO.publico, '00000000606']);
    expect(await recipientsOf(core, { ...ORGAO, destinatarioId: 'ANVISA' })).toEqual([]);
    expect(await recipientsOf(core, { ...ORGAO, destinatarioId: 'receita' })).toEqual([]);
  });
});

describe('the outbox', () => {
  test('deliveries are pending, and due at once', async () => {
    const { core, clock } = open();
    const subscription_id = await subscribedTo(core, DOCUMENTO.demo);
    const { id } = await core.notification.events.publishAlone(event());
    expect(deliveriesOf(core)).toMatchObject([
      { event_id: id, subscription_id, state: 'pending', next_attempt_at: clock.now() },
    ]);
  });

  test('an event is stored with the change that caused it', async () => {
    const { core, wakes } = open();
    await subscribedTo(core, DOCUMENTO.demo);
    const change = core.writer.write((tx) => {
      core.notification.events.publish(tx, event());
      throw new Error('changed my mind');
    });
    await expect(change).rejects.toThrow('changed my mind');
    expect([core.notification.events.list({ limit: 10 }), deliveriesOf(core), wakes()]).toEqual([[], [], 0]);
  });

  test.each(DESTINATARIO_TIPOS)('finding the recipients of a %s scans no table', (tipo) => {
    const plan = open()
      .core.db.prepare<[object], { detail: string }>(`EXPLAIN QUERY PLAN ${INSERT_DELIVERIES[tipo]}`)
      .all({ eventId: 1, dueAt: 1, evento: EVENTO, recipient: '1' })
      .map(({ detail }) => detail);
    expect(plan.filter((detail) => /^SCAN (?!CONSTANT ROW)/.test(detail))).toEqual([]);
    expect(plan.filter((detail) => detail.startsWith('SEARCH s USING INDEX subscription_once'))).toHaveLength(
      1,
    );
  });
});
