import { describe, expect, test } from 'bun:test';
import type { AdvisedProblem, LoggedRequest } from '../../../src/web/api/answers.ts';
import { EventReader } from '../../../src/web/requisicoes/journal/events.ts';
import { markedBody } from '../../../src/web/requisicoes/journal/marked.ts';
import { printedJson } from '../../../src/web/ui/printed-json.ts';
import { MAX_ROWS, matchesFilters, mergedRows } from '../../../src/web/requisicoes/journal/rows.ts';
import { addressOf, testTimeOf, timeOf } from '../../../src/web/requisicoes/words.ts';

const row = (id: number, more: Partial<LoggedRequest> = {}): LoggedRequest => ({
  id,
  at: '2026-11-22T14:03:07.123-03:00',
  arrivedAt: '2026-11-22T14:03:07.124-03:00',
  method: 'GET',
  path: '/catp/api/ext/produto',
  query: {},
  operation: 'listProducts',
  status: 200,
  ms: 1,
  tag: null,
  user: null,
  fault: null,
  problems: [],
  notices: [],
  ...more,
});
const problem = (path: string | null): AdvisedProblem => ({
  message: `de ${path}`,
  code: 'PUCX-ER0010',
  field: null,
  path,
  suggestion: null,
  valid: null,
});
const ids = (rows: readonly LoggedRequest[]) => rows.map(({ id }) => id);

describe('the stream', () => {
  test('returns whole events only, for any chunks, and no comments', () => {
    const reader = new EventReader();
    expect(reader.take(': catp\n\nid: 1\nda')).toEqual([]);
    expect(reader.take('ta: {"id":1}\n')).toEqual([]);
    expect(reader.take('\nevent: lost\ndata: {"count":2}\n\nid: 2')).toEqual([
      { name: 'message', data: '{"id":1}' },
      { name: 'lost', data: '{"count":2}' },
    ]);
  });
});

describe('the rows', () => {
  test('are newest first, each once, and at most as many as the server keeps', () => {
    expect(ids(mergedRows([row(3), row(1)], [row(4), row(5)]))).toEqual([5, 4, 3, 1]);
    expect(ids(mergedRows([row(3), row(2)], [row(2), row(3), row(4)]))).toEqual([4, 3, 2]);
    const fullList = Array.from({ length: MAX_ROWS }, (_, at) => row(MAX_ROWS - at));
    const oneMore = mergedRows(fullList, [row(MAX_ROWS + 1)]);
    expect([oneMore.length, oneMore[0]?.id, oneMore.at(-1)?.id]).toEqual([MAX_ROWS, MAX_ROWS + 1, 2]);
  });

  test('are filtered like on the server', () => {
    const all = { operation: '', status: '', method: '', path: '' };
    expect(matchesFilters(row(1), all)).toBe(true);
    expect(matchesFilters(row(1), { ...all, method: 'get', status: ' 200 ', path: '/ext/' })).toBe(true);
    expect(matchesFilters(row(1), { ...all, status: '20' })).toBe(false);
    expect(matchesFilters(row(1, { status: null }), { ...all, status: '200' })).toBe(false);
    expect(matchesFilters(row(1, { operation: null }), { ...all, operation: 'listProducts' })).toBe(false);
  });

  test('show the address as it was requested, and the time of the instance', () => {
    expect(addressOf(row(1, { query: { ncm: '1', codigo: ['2', '3'] } }))).toBe(
      '/catp/api/ext/produto?ncm=1&codigo=2&codigo=3',
    );
    expect([timeOf(row(1)), testTimeOf(row(1))]).toEqual(['14:03:07', undefined]);
    const atTestTime = row(1, { at: '2026-01-15T09:00:00.000-03:00' });
    expect([timeOf(atTestTime), testTimeOf(atTestTime)]).toEqual(['14:03:07', '15/01/2026 09:00:00']);
  });
});

describe('a printed body', () => {
  test('is the same JSON, with its numbers as they were sent', () => {
    const text = '{"a":{"b":[1.10,{},[],"x\\"}{"]},"a~/b":null,"c":[{"d":1e400},2]}';
    const { lines, places } = printedJson(text);
    expect(lines.join('').replaceAll(/\s/g, '')).toBe(text);
    expect(lines).toContain('      1.10,');
    for (const [pointer, line] of [
      ['', '{'],
      ['/a/b/0', '      1.10,'],
      ['/a/b/3', '      "x\\"}{"'],
      ['/a~0~1b', '  "a~/b": null,'],
      ['/c/0/d', '      "d": 1e400'],
      ['/c/1', '    2'],
    ] as const)
      expect([pointer, lines[places.get(pointer) ?? -1]]).toEqual([pointer, line]);
  });

  test('ends where the stored part ends', () => {
    const { lines, places } = printedJson('{"a":[1,{"b":"cortad');
    expect(lines.at(-1)).toBe('      "b": "cortad');
    expect(places.get('/a/1/b')).toBe(lines.length - 1);
    expect(printedJson('').lines).toEqual(['']);
  });
});

describe('a marked body', () => {
  test('has each problem at its line, and a missing member at its parent', () => {
    const pieces = markedBody(
      '{"ncm":"1","atributos":[]}',
      [problem('/ncm'), problem('/atributos/0/valor')],
      false,
    );
    expect(pieces.map(({ text, problems }) => [text.trim(), problems.map(({ path }) => path)])).toEqual([
      ['{', []],
      ['"ncm": "1",', ['/ncm']],
      ['"atributos": []', ['/atributos/0/valor']],
      ['}', []],
    ]);
  });

  test('marks the start for a problem of the whole body, and nothing for a parameter', () => {
    const [first] = markedBody('{"a":1}', [problem('/ncm'), problem('codigo'), problem(null)], false);
    expect(first).toEqual({ text: '{', problems: [problem('/ncm')] });
  });

  test('does not change a body that is no JSON', () => {
    for (const text of ['{"a":', '<html>', '(12 bytes que não são texto)'])
      expect(markedBody(text, [problem('')], false)).toEqual([{ text, problems: [] }]);
  });
});
