import { describe, expect, test } from 'bun:test';
import type { FaultRule, LoggedRequest } from '../../../src/web/api/answers.ts';
import { FAULT_KINDS as SERVED } from '../../../src/dev/fault/model.ts';
import { RuleRequest } from '../../../src/dev/fault/forms.ts';
import { parseFaultHeader } from '../../../src/dev/fault/header.ts';
import {
  FAULT_KINDS,
  NEW_RULE,
  canFail,
  criteriaText,
  faultText,
  ruleLike,
  ruleRequest,
  turnsText,
} from '../../../src/web/requisicoes/fault/rule.ts';

const line = (method: string, path: string, operation: string | null) =>
  ({ method, path, operation }) as LoggedRequest;
const rule: FaultRule = {
  id: 1,
  operation: null,
  method: null,
  path: null,
  cpfCnpjRaiz: null,
  after: 0,
  times: 1,
  percent: 100,
  fault: { kind: 'drop' },
  matched: 0,
  acted: 0,
};

describe('the kinds of faults', () => {
  test('are those of the server, and each header is one that it reads', () => {
    expect(FAULT_KINDS.map(({ kind }) => kind)).toEqual([...SERVED]);
    for (const { kind, header } of FAULT_KINDS) expect(parseFaultHeader(header).kind).toBe(kind as 'drop');
  });
});

describe('a rule that is sent', () => {
  test('has the filled-in members, numbers as numbers, and only members of its kind', () => {
    expect(ruleRequest({ ...NEW_RULE, method: 'POST', code: 'X', cpfCnpjRaiz: '12345678' })).toEqual({
      method: 'POST',
      cpfCnpjRaiz: '12345678',
      after: 0,
      times: 1,
      percent: 100,
      fault: { kind: 'status', status: 503, code: 'X' },
    });
    expect(ruleRequest({ ...NEW_RULE, kind: 'delay', forever: true })).toMatchObject({
      times: null,
      fault: { kind: 'delay', ms: 2000 },
    });
    expect(ruleRequest({ ...NEW_RULE, kind: 'drop' })).toMatchObject({ fault: { kind: 'drop' } });
  });

  test('leaves an invalid number to the server', () => {
    expect(ruleRequest({ ...NEW_RULE, kind: 'truncate', bytes: 'cem', times: '' })).toEqual({
      after: 0,
      percent: 100,
      fault: { kind: 'truncate', bytes: 'cem' },
    });
  });

  test('made from a row has members that the server accepts', () => {
    const like = ruleRequest(ruleLike(line('POST', '/catp/api/ext/produto/12345678', 'includeProduct')));
    expect(like).toMatchObject({ operation: 'includeProduct', method: 'POST' });
    for (const name of Object.keys(like)) expect(Object.keys(RuleRequest.properties)).toContain(name);
    expect(ruleLike(line('TRACE', '/x', null))).toMatchObject({ method: '', operation: '', path: '/x' });
  });
});

describe('the description of a rule', () => {
  test('has its matches, its number of uses, and its effect', () => {
    expect([criteriaText(rule), turnsText(rule), faultText(rule)]).toEqual([
      ...['qualquer requisição', 'uma vez', 'Conexão cortada'],
    ]);
    const other = { ...rule, method: 'POST', path: '/catp/*', cpfCnpjRaiz: '12345678', times: null };
    expect(criteriaText(other)).toBe('POST /catp/*, empresa 12345678');
    expect(turnsText({ ...other, after: 2, percent: 50 })).toBe('sempre, depois de deixar passar 2, em 50 %');
    expect(faultText({ fault: { kind: 'status', status: 503 } })).toBe('Status de erro 503');
    expect(faultText({ fault: { kind: 'truncate', bytes: 10 } })).toBe(
      'Resposta cortada no meio, depois de 10 bytes',
    );
  });

  test('of a chaos has its seed, its set or its kinds, and its operations', () => {
    const chaos = { seed: '7', set: 'tudo', kinds: ['drop', 'garbage'], operations: null } as const;
    const chaosRule = { ...rule, chaos: { ...chaos, kinds: [...chaos.kinds] } };
    expect([criteriaText(chaosRule), faultText(chaosRule)]).toEqual([
      ...['qualquer requisição', 'Sorteio pela semente 7: tudo'],
    ]);
    const own = {
      ...chaosRule,
      chaos: { ...chaosRule.chaos, set: null, operations: ['listProducts', 'getProduct'] },
    };
    expect([criteriaText(own), faultText(own)]).toEqual([
      ...['listProducts getProduct', 'Sorteio pela semente 7: Conexão cortada, HTML no lugar de JSON'],
    ]);
  });

  test('has no count for a rule that never fails', () => {
    expect(canFail(line('GET', '/catp/api/ext/produto', null))).toBe(true);
    for (const path of ['/appliance/api/clock', '/healthz', '/readyz'])
      expect([path, canFail(line('GET', path, null))]).toEqual([path, false]);
  });
});
