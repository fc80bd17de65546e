/** The target of a column: each form, and texts that only begin like one. */
import { expect, test } from 'bun:test';
import { parseTarget } from '../../../src/catalogue/sheet/target.ts';

test.each([
  ['atributo:ATT_1', { kind: 'attribute', codigo: 'ATT_1', part: undefined }],
  ['atributo:ATT_1/ATT_2', { kind: 'attribute', codigo: 'ATT_1', part: 'ATT_2' }],
  ['atributo-nome:Cor / tom', { kind: 'name', name: 'Cor / tom' }],
  ['par:12:codigo', { kind: 'pair', number: 12, side: 'codigo' }],
  ['par:1:valor', { kind: 'pair', number: 1, side: 'valor' }],
  ['ncm', { kind: 'member', member: 'ncm' }],
] as const)('%s', (text, target) => {
  expect(parseTarget(text)).toEqual(target);
});

test.each([
  ...['atributo:', 'atributo:/ATT_2', 'atributo:ATT_1/', 'atributo:ATT_1/ATT_2/ATT_3', 'atributo:ATT 1'],
  ...['atributo:ATT_1/ATT 2', 'par:0:codigo', 'par:1:outro', 'par:10000:valor'],
])('%p is no target of an attribute or a pair', (text) => {
  expect(parseTarget(text)).toEqual({ kind: 'member', member: text });
});
