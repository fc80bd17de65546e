import { expect, test } from 'bun:test';
import type { ListedVersion } from '../../../src/web/api/answers.ts';
import {
  currentOf,
  differences,
  inForceOn,
  madeSince,
  validityText,
} from '../../../src/web/versions/differences.ts';

const version = (versao: string, startsOn: string | null, endsOn: string | null): ListedVersion => ({
  versao,
  startsOn,
  endsOn,
  situacao: 'ATIVADO',
  madeAt: '2026-11-20T10:31:07',
  madeBy: 'sistema',
  madeByName: null,
  deactivatedAt: null,
  deactivatedBy: null,
  deactivatedByName: null,
  proposedBy: null,
  proposedByName: null,
  changes: [],
});
const VERSIONS = [
  version('1', '2026-01-10', '2026-02-09'),
  version('2', null, null),
  version('2.1', '2026-02-10', null),
  version('3', '2026-01-20', '2026-01-25'),
];

test('the version in force on a day is the one whose first and last day are around it', () => {
  const on = (day: string) => inForceOn(VERSIONS, day)?.versao;
  expect(on('2026-01-09')).toBeUndefined();
  expect(on('2026-01-10')).toBe('1');
  expect(on('2026-01-20')).toBe('3');
  expect(on('2026-02-09')).toBe('1');
  expect(on('2026-02-10')).toBe('2.1');
  expect(on('2030-01-01')).toBe('2.1');
});

test('the current version has started and has no end, at any place of the list', () => {
  expect(currentOf(VERSIONS)?.versao).toBe('2.1');
  expect(currentOf([])).toBeUndefined();
});

test('a later version is one that replaced the version in force, or rectified the rectified one', () => {
  const versionsSince = (seenVersion: string, rectifies: boolean) =>
    madeSince(VERSIONS, seenVersion, rectifies).map(({ versao }) => versao);
  expect(versionsSince('1', false)).toEqual(['2', '2.1']);
  expect(versionsSince('2.1', false)).toEqual([]);
  expect(versionsSince('2', true)).toEqual(['2.1']);
  expect(versionsSince('1', true)).toEqual([]);
  expect(madeSince([], '1', false)).toEqual([]);
});

test('a difference names the place, and whether a value was added, removed or changed', () => {
  const from = { versao: '1', nome: 'A', tin: null, cep: '1', ids: [{ numero: '7' }], lista: [] };
  const to = {
    versao: '2',
    nome: 'B',
    tin: 'T',
    cep: '',
    ids: [{ numero: '7' }, { numero: '8' }],
    lista: [],
  };
  expect(differences(from, to, ['versao'])).toEqual([
    { place: 'nome', from: 'A', to: 'B', kind: 'changed' },
    { place: 'cep', from: '1', to: undefined, kind: 'removed' },
    { place: 'ids/0/numero', from: '7', to: '7', kind: 'same' },
    { place: 'tin', from: undefined, to: 'T', kind: 'added' },
    { place: 'ids/1/numero', from: undefined, to: '8', kind: 'added' },
  ]);
});

test('a validity is described in words', () => {
  const validities = VERSIONS.map((one) => validityText(one, (day) => day));
  expect(validities).toEqual([
    'valeu de 2026-01-10 a 2026-02-09',
    'não valeu no fim de nenhum dia',
    'em vigor desde 2026-02-10',
    'valeu de 2026-01-20 a 2026-01-25',
  ]);
  expect(validityText(version('1', '2026-01-10', '2026-01-10'), (day) => day)).toBe('valeu em 2026-01-10');
});
