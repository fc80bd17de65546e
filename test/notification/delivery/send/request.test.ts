import { describe, expect, test } from 'bun:test';
import { Webhook } from 'standardwebhooks';
import { composeHeaders, type Notification } from '../../../../src/notification/delivery/send/request.ts';

const NOTIFICATION: Notification = {
  evento: 'catp-prod-desativado',
  destinatarioTipo: 'CNPJ',
  destinatarioId: '12345678000195',
  body: '{"titulo":"Produtos desativados","mensagem":"ação"}',
};
/** The libraries refuse a time more than five minutes away from their own. */
const NOW = Date.now();
const signed = (chaveSecreta: string): Record<string, string> =>
  composeHeaders({ ...NOTIFICATION, chaveSecreta, standardWebhooks: { id: 'entrega_7', now: NOW } });

describe('the headers of a notification', () => {
  test('have no secret, authorization or Standard Webhooks header unless requested', () => {
    for (const empty of [
      {},
      { chaveSecreta: null, chaveAutenticacao: null },
      { chaveSecreta: '', chaveAutenticacao: '' },
    ]) {
      expect(composeHeaders({ ...NOTIFICATION, ...empty })).toEqual({
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'catp',
        'destinatario-tipo': 'CNPJ',
        'destinatario-id': '12345678000195',
        'event-type': 'catp-prod-desativado',
      });
    }
  });

  test('carry both secrets of the subscription unchanged', () => {
    expect(
      composeHeaders({ ...NOTIFICATION, chaveSecreta: 's 1', chaveAutenticacao: 'Basic YTpi' }),
    ).toMatchObject({
      secret: 's 1',
      authorization: 'Basic YTpi',
    });
  });

  test('carry the name of an ORGAO in UTF-8 octets', () => {
    const headers = composeHeaders({
      ...NOTIFICATION,
      destinatarioTipo: 'ORGAO',
      destinatarioId: 'Secretaria – São Paulo',
    });
    expect(Buffer.from(headers['destinatario-id'] ?? '', 'latin1').toString('utf8')).toBe(
      'Secretaria – São Paulo',
    );
  });
});

describe('the Standard Webhooks signature', () => {
  test('is refused by the library with another body, id, time or key', () => {
    const webhook = new Webhook('segredo', { format: 'raw' });
    const headers = signed('segredo');
    expect(() => webhook.verify(`${NOTIFICATION.body} `, headers)).toThrow();
    expect(() => webhook.verify(NOTIFICATION.body, { ...headers, 'webhook-id': 'entrega_8' })).toThrow();
    const laterTimestamp = String(Number(headers['webhook-timestamp']) + 1);
    expect(() =>
      webhook.verify(NOTIFICATION.body, { ...headers, 'webhook-timestamp': laterTimestamp }),
    ).toThrow();
    expect(() => new Webhook('outro', { format: 'raw' }).verify(NOTIFICATION.body, headers)).toThrow();
  });

  test('is verified with the bytes of chaveSecreta as the key', () => {
    expect(new Webhook('segredo', { format: 'raw' }).verify(NOTIFICATION.body, signed('segredo'))).toEqual(
      JSON.parse(NOTIFICATION.body),
    );
  });

  test('is verified with a whsec_ key as the library decodes it', () => {
    const key = `whsec_${Buffer.from('0123456789abcdef0123456789').toString('base64')}`;
    expect(new Webhook(key).verify(NOTIFICATION.body, signed(key))).toEqual(JSON.parse(NOTIFICATION.body));
  });

  test('treats a whsec_ key without valid base64 as plain bytes', () => {
    const key = 'whsec_not base64';
    const headers = composeHeaders({
      ...NOTIFICATION,
      chaveSecreta: key,
      standardWebhooks: { id: 'a', now: NOW },
    });
    expect(new Webhook(key, { format: 'raw' }).verify(NOTIFICATION.body, headers)).toEqual(
      JSON.parse(NOTIFICATION.body),
    );
  });

  test('is omitted without a key, and id and time stay', () => {
    const headers = composeHeaders({
      ...NOTIFICATION,
      standardWebhooks: { id: 'entrega_7', now: 1_700_000_000_999 },
    });
    expect(headers).toMatchObject({ 'webhook-id': 'entrega_7', 'webhook-timestamp': '1700000000' });
    expect(headers).not.toHaveProperty('webhook-signature');
  });
});
