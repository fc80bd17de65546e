import { describe, expect, test } from 'bun:test';
import { parseDelay, parseScript, Script } from '../../src/receiver/script.ts';

describe("the receiver's script", () => {
  for (const [text, message] of [
    ['', /informe passos separados por vírgula/],
    ['200,', /informe passos/],
    ['ok', /"ok": informe passos/],
    ['199', /entre 200 e 599/],
    ['600', /entre 200 e 599/],
    ['200*0', /repita de 1 a 100000 vezes/],
    ['200*100001', /repita de 1 a 100000 vezes/],
    ['200*', /informe passos/],
    ['200@4', /uma espera é um número e ms, s ou m/],
    ['200@4h', /uma espera/],
    ['hang@4s', /informe passos/],
  ] as const) {
    test(`refuses ${JSON.stringify(text)} with the accepted forms`, () => {
      expect(() => parseScript(text)).toThrow(message);
    });
  }

  test('refuses to be empty', () => {
    expect(() => new Script([])).toThrow(/Roteiro vazio/);
  });

  test('reads statuses, repetitions, delays, sizes and words', () => {
    expect(parseScript(' 200, 599*2 ,204@4s,200+70000@10ms,hang,reset,drip*1,cut')).toEqual([
      { kind: 'status', status: 200 },
      { kind: 'status', status: 599 },
      { kind: 'status', status: 599 },
      { kind: 'status', status: 204, delayMs: 4000 },
      { kind: 'status', status: 200, bodyBytes: 70_000, delayMs: 10 },
      { kind: 'hang' },
      { kind: 'reset' },
      { kind: 'drip' },
      { kind: 'cut' },
    ]);
    expect(parseScript('500*100000')).toHaveLength(100_000);
  });

  test('repeats its last answer without end', () => {
    const script = new Script(parseScript('500*2,200'));
    const statuses = Array.from({ length: 5 }, () => script.next()).map(
      (answer) => 'status' in answer && answer.status,
    );
    expect(statuses).toEqual([500, 500, 200, 200, 200]);
  });

  test('reads waits in ms, s and m', () => {
    expect([parseDelay('0ms'), parseDelay('300ms'), parseDelay('4s'), parseDelay('1m')]).toEqual([
      0, 300, 4000, 60_000,
    ]);
  });
});
