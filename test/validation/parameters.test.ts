/** Query and path parameters (contract section 3). */
import { describe, expect, test } from 'bun:test';
import type { Problem } from '../../src/errors.ts';
import { asSchema } from '../../src/validation/schema.ts';
import { decodePath, decodeQuery } from '../../src/validation/parameters.ts';
import { t } from '../../src/validation/type.ts';

const schema = asSchema(
  t.Object({
    name: t.String({ maxLength: 5 }),
    number: t.Optional(t.Integer({ minimum: 1, maximum: 9_999_999_999 })),
    flag: t.Optional(t.Boolean()),
    list: t.Optional(t.Array(t.Integer({ minimum: 1 }))),
  }),
);

function query(text: string) {
  const problems: Problem[] = [];
  const value = decodeQuery(schema, new URLSearchParams(text), problems);
  return { value, paths: problems.map(({ path }) => path) };
}

describe('a query', () => {
  test.each([
    ['', ['name']],
    ['name=', ['name']],
    ['name=a&name=a', ['name']],
    ['name=a&name=', ['name']],
    ['name=abcdef', ['name']],
    ['name=%00', ['name']],
    ['name=a&number=0', ['number']],
    ['name=a&number=10000000000', ['number']],
    ['name=a&number=1e3', ['number']],
    ['name=a&number=%201', ['number']],
    ['name=a&number=0x10', ['number']],
    ['name=a&flag=yes', ['flag']],
    ['name=a&flag=2', ['flag']],
    ['name=a&flag=01', ['flag']],
    ['name=a&list=1,x&list=0', ['list', 'list']],
    ['number=0&flag=x', ['name', 'number', 'flag']],
  ])('%s has problems with %p', (text, expected) => expect(query(text).paths).toEqual(expected));

  test.each([
    ['name=a', { name: 'a' }],
    ['name=%C3%A9+b', { name: 'é b' }],
    ['name=a&number=0000000007', { name: 'a', number: 7 }],
    ['name=a&number=&flag=', { name: 'a' }],
    ['name=a&flag=false', { name: 'a', flag: false }],
    ['name=a&flag=TRUE', { name: 'a', flag: true }],
    ['name=a&flag=False', { name: 'a', flag: false }],
    ['name=a&flag=1', { name: 'a', flag: true }],
    ['name=a&flag=0', { name: 'a', flag: false }],
    ['name=a&list=2,%203&list=2', { name: 'a', list: [2, 3, 2] }],
    ['name=a&list=,', { name: 'a' }],
    ['name=a&unknown=x&unknown=y&__proto__=z', { name: 'a' }],
  ])('%s is read as %p', (text, expected) => expect(query(text)).toEqual({ value: expected, paths: [] }));
});

test('a part of a path that is not UTF-8 is a separate problem', () => {
  const problems: Problem[] = [];
  const path = asSchema(t.Object({ name: t.String(), flag: t.Boolean() }));
  decodePath(path, { name: null, flag: 'True' }, problems);
  expect(problems.map(({ path, code }) => [path, code])).toEqual([['name', 'PUCX-ER0010']]);
});

test('a missing parameter names the received one with a similar name', () => {
  const required = asSchema(t.Object({ cpfCnpjRaiz: t.String({ maxLength: 8 }) }));
  const messageOf = (text: string): string | undefined => {
    const problems: Problem[] = [];
    decodeQuery(required, new URLSearchParams(text), problems);
    return problems[0]?.message;
  };
  expect(messageOf('outra=1&cpfcnpjraiz=12345678')).toStartWith(
    'cpfCnpjRaiz: parâmetro obrigatório ausente; recebido "cpfcnpjraiz" no lugar; informe ',
  );
  for (const text of ['', 'outra=1'])
    expect(messageOf(text)).toStartWith('cpfCnpjRaiz: parâmetro obrigatório ausente; informe ');
});
