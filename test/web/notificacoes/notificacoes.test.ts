/**
 * The calculations of the page of notifications: days until the deletion, phases, JSON, and the sent
 * body.
 */
import { describe, expect, test } from 'bun:test';
import type { DeliveryAttempt, ListedSubscription } from '../../../src/web/api/answers.ts';
import { jsonFault, prettyJson } from '../../../src/web/notificacoes/json.ts';
import {
  compactDay,
  dayOfCompact,
  deletionInWords,
  instantOf,
  printedMoment,
} from '../../../src/web/notificacoes/moments.ts';
import { barOf, phasesOf } from '../../../src/web/notificacoes/phases.ts';
import { kindOf, publicationText, sampleOf } from '../../../src/web/notificacoes/publication.ts';
import { fieldsOf, requestOf } from '../../../src/web/notificacoes/subscription.ts';

describe('days and moments', () => {
  test('are read and written in the forms of the operations', () => {
    expect(printedMoment('20-11-2026 10:31:07')).toBe('20/11/2026 10:31');
    expect([compactDay('2026-11-20'), compactDay('20/11'), compactDay('')]).toEqual(['20112026', '', '']);
    expect([dayOfCompact('20112026'), dayOfCompact('x')]).toEqual(['2026-11-20', '']);
  });

  test('the deletion is shown by its day, and by its remaining time', () => {
    const on = { deletesOn: '2026-12-20' };
    expect(deletionInWords({ ...on, daysLeft: 12 })).toBe('em 12 dias, em 20/12/2026');
    expect(deletionInWords({ ...on, daysLeft: 1 })).toBe('em 1 dia, em 20/12/2026');
    expect(deletionInWords({ ...on, daysLeft: 0 })).toBe('hoje, ou na próxima entrega que falhar');
  });

  test('an instant is a day and a time of Brasília, or none', () => {
    expect(instantOf('2026-11-20', '9:05')).toBe('2026-11-20T09:05:00-03:00');
    for (const time of ['24:00', '10:60', '10', '', 'dez'])
      expect(instantOf('2026-11-20', time)).toBeUndefined();
    expect(instantOf('20/11', '10:00')).toBeUndefined();
  });
});

describe('phases', () => {
  const HTTPS = 'https://erp.exemplo/';
  const attempt = (outcome: string, phase: DeliveryAttempt['phase']): DeliveryAttempt => ({
    at: '2026-11-20T10:00:00.000-03:00',
    outcome,
    phase,
    status: null,
    ms: 10,
    description: '',
  });
  const failedAt = (one: DeliveryAttempt, endpoint = HTTPS): string =>
    phasesOf(one, endpoint)
      .map(({ state }) => ({ done: '+', failed: '!', 'not reached': '.' })[state])
      .join('');

  test.each<[string, DeliveryAttempt['phase'], string]>([
    ['delivered', 'body', '+++++'],
    ['request', 'request', '.....'],
    ['timeout', 'lookup', '!....'],
    ['connection', 'connection', '+!...'],
    ['connection', 'answer', '+++!.'],
    ['certificate', 'tls', '++!..'],
    ['answer', 'body', '++++!'],
    ['status', 'answer', '+++!.'],
  ])('of %s in %s: %s', (outcome, phase, expected) => {
    expect(failedAt(attempt(outcome, phase))).toBe(expected);
  });

  test('a receiver without TLS has no such phase', () => {
    expect(failedAt(attempt('status', 'answer'), 'http://localhost:9000/')).toBe('++!.');
  });

  test('the bar ends at its edge, and has a minimum width', () => {
    expect([barOf(0).width, barOf(2000).width, barOf(90_000).width]).toEqual([1, 50, 100]);
    expect(barOf(0).deadline).toBe(87.5);
  });
});

describe('JSON', () => {
  test('is checked with line and column of a fault', () => {
    expect(jsonFault('{"a": 1}')).toBeUndefined();
    expect(jsonFault('  ')).toContain('vazio');
    expect(jsonFault('null')).toContain('null');
    expect(jsonFault('{"a":\n 1,}')).toContain('linha 2, coluna 4');
    expect(jsonFault('{"a"')).toContain('termina antes do fim');
  });

  test('is indented without a change of its digits', () => {
    expect(prettyJson('{"a":1.10,"b":[],"c":{},"d":["x","{,}\\""],"e":{"f":null}}')).toBe(
      `{
  "a": 1.10,
  "b": [],
  "c": {},
  "d": [
    "x",
    "{,}\\""
  ],
  "e": {
    "f": null
  }
}`,
    );
    expect(prettyJson('isto não é JSON')).toBe('isto não é JSON');
    expect(prettyJson('12345678901234567890')).toBe('12345678901234567890');
  });
});

describe('a subscription', () => {
  const stored: ListedSubscription = {
    id: 7,
    evento: 'e',
    endpoint: 'https://a/',
    chaveSecreta: 's',
    chaveAutenticacao: null,
    dataRegistro: '',
    dataExclusao: null,
    motivoExclusao: null,
    dataUltimoSucesso: null,
  };

  test('keeps an untouched secret, and removes a deleted one', () => {
    const fields = fieldsOf(stored);
    expect(requestOf(fields, 7)).toEqual({ id: 7, evento: 'e', endpoint: 'https://a/' });
    expect(requestOf({ ...fields, removesSecreta: true, chaveAutenticacao: 'Bearer x' }, 7)).toEqual({
      id: 7,
      evento: 'e',
      endpoint: 'https://a/',
      chaveSecreta: null,
      chaveAutenticacao: 'Bearer x',
    });
    expect(requestOf({ ...fieldsOf(), evento: ' e ', endpoint: ' https://a/ ' })).toEqual({
      evento: 'e',
      endpoint: 'https://a/',
    });
  });
});

describe('a publication', () => {
  test('recognises its recipient by its form', () => {
    expect(['00000000191', '12345678', '12345678000195', '12ABC34501DE35', 'RECEITA'].map(kindOf)).toEqual([
      'CPF',
      'CNPJ',
      'CNPJ',
      'CNPJ',
      'ORGAO',
    ]);
  });

  test('sends the body as it was typed', () => {
    const typed = { evento: ' e ', destinatario: ' 12345678 ', tipo: '', conteudo: '{"a": 1.10}' } as const;
    expect(publicationText(typed)).toBe(
      '{"evento":"e","destinatarioTipo":"CNPJ","destinatarioId":"12345678","conteudo":{"a": 1.10}}',
    );
    expect(publicationText({ ...typed, destinatario: '12.345.678' })).toBe(publicationText(typed));
    expect(publicationText({ ...typed, tipo: 'ORGAO' })).toContain('"destinatarioTipo":"ORGAO"');
    expect(sampleOf([], 'e')).toBe('');
  });
});
