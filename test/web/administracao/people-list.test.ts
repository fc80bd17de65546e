/** A pasted list of people: its headings name the columns, and no column is guessed by its position. */
import { expect, test } from 'bun:test';
import { peopleIn } from '../../../src/web/administracao/people-list.ts';

const LINE = '529.982.247-25;Rita;12.345.678;Leitura';
const VALUES = { documento: '52998224725', nome: 'Rita', empresa: '12345678', papel: 'leitura' };

test('columns have any order, and the e-mail can be absent', () => {
  const list = peopleIn('papel\tempresa\tnome\tdocumento\nLeitura\t12.345.678\tRita\t529.982.247-25');
  expect(list).toMatchObject({ lines: [{ values: VALUES, fault: undefined }] });
  expect(peopleIn(`documento;nome;empresa;papel\n${LINE}`)).toMatchObject({ lines: [{ values: VALUES }] });
});

test.each([
  [LINE, 'não serve'],
  ['documento;nome;papel\n1;A;leitura', 'não tem a coluna empresa'],
  ['documento;nome;empresa;papel', 'não tem linhas'],
])('a list %j is refused with its requirements', (list, reason) => {
  expect(peopleIn(list)).toContain(reason);
});

test.each([
  ['529.982.247-26;Rita;12.345.678;leitura', 'Dar acesso a uma pessoa'],
  ['529.982.247-25;;12.345.678;leitura', 'sem nome'],
  ['529.982.247-25;Rita;12.345.678;leitura;x', 'mais valores do que colunas'],
])('a line %j is not sent', (line, reason) => {
  const list = peopleIn(`documento;nome;empresa;papel\n${line}`);
  expect(typeof list === 'string' ? list : list.lines[0]?.fault).toContain(reason);
});
