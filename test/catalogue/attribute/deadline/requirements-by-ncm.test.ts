/** The cost of finding future requirements, counted in descriptions of attributes that are read; today is 2026-01-15. */
import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { requirementsByNcm } from '../../../../src/catalogue/attribute/deadline/requirements-by-ncm.ts';
import { deadlinesOf } from '../../../../src/catalogue/attribute/deadline/deadlines.ts';
import { AttributeTableStore } from '../../../../src/catalogue/attribute/table/store.ts';
import { NOMENCLATURE, nomenclatureFile } from '../../../nomenclature/support.ts';
import { COMPANY, include, product, tableFile } from '../support.ts';
import { deadlinesForEachTest } from './support.ts';

const fixture = deadlinesForEachTest();
const FILTER = { today: '2026-01-15', companies: undefined };
/** Number of attributes above half of the cache of one table. */
const ATTRIBUTES = 1100;

let reads: ReturnType<typeof spyOn<AttributeTableStore, 'getDetail'>>;
beforeEach(() => void (reads = spyOn(AttributeTableStore.prototype, 'getDetail')));
afterEach(() => reads.mockRestore());

const codeOf = (place: number): string => `9${String(place).padStart(7, '0')}`;
const dotted = (code: string): string => `${code.slice(0, 4)}.${code.slice(4, 6)}.${code.slice(6)}`;
const codes = Array.from({ length: 2 * ATTRIBUTES }, (_, place) => codeOf(place));

/** Builds a table in which each attribute has two NCMs, with all other attributes between them. */
const wide = (versao: string, rest: object): object =>
  tableFile(
    versao,
    Object.fromEntries(
      codes.map((code, place) => [dotted(code), [{ codigo: `ATT_${place % ATTRIBUTES}`, ...rest }]]),
    ),
  );

test('each description of the current and future tables is read once, for any number of NCMs', async () => {
  await fixture.put(wide('1', { obrigatorio: false, to: '2026-01-31' }));
  await fixture.put(wide('2', { from: '2026-02-01' }), '2026-01-20');
  reads.mockClear();
  const requirementsIn = requirementsByNcm(fixture.server.app.core.db, FILTER);
  for (const code of codes)
    expect(requirementsIn.find(code)).toMatchObject([{ on: '2026-02-01', kind: 'certain' }]);
  expect(reads).toHaveBeenCalledTimes(2 * ATTRIBUTES);
});

test('the table before the one in force is not read when the announced day is in the future', async () => {
  const announcing = (versao: string, to: string) =>
    tableFile(versao, { '7318.15.00': [{ codigo: 'ATT_1', obrigatorio: false, to }] });
  await fixture.put(announcing('1', '2026-01-30'));
  await fixture.put(announcing('2', '2026-01-31'));
  reads.mockClear();
  expect(requirementsByNcm(fixture.server.app.core.db, FILTER).find('73181500')).toMatchObject([
    { on: '2026-02-01' },
  ]);
  expect(reads.mock.calls).toEqual([[2, 'ATT_1']]);
});

test('other reads run after some NCMs that are not cached yet', async () => {
  const firstCodes = codes.slice(0, 60);
  const pair = { codigo: 'ATT_1', obrigatorio: false, to: '2026-01-31' };
  await fixture.put(tableFile('1', Object.fromEntries(firstCodes.map((code) => [dotted(code), [pair]]))));
  for (const code of firstCodes) await include(fixture.demo, product(code));
  let turns = 0;
  const reading = deadlinesOf(fixture.server.app.core.db, { ...FILTER, companies: [COMPANY] });
  while (reading.next().done !== true) turns += 1;
  expect(turns).toBeGreaterThan(2);
});

describe('only NCMs that may have a requirement up to a day are computed', () => {
  const START = '2026-02-10';
  const optional = (codigo: string) => [{ codigo, obrigatorio: false }];
  const NCMS = {
    nothing: '1000.00.00',
    endOfPair: '2000.00.00',
    startOfPair: '3000.00.00',
    startOfAttribute: '4000.00.00',
    startOfCondition: '5000.00.00',
    startInCompound: '6000.00.00',
    otherTable: '7000.00.00',
    newInTable: '8000.00.00',
    endOfNcm: '9000.00.00',
  };
  type Name = keyof typeof NCMS;
  const codesOf = (names: readonly Name[]): string[] => names.map((name) => NCMS[name].replaceAll('.', ''));

  /** Builds a table with one NCM for each cause; `more` adds the NCMs of a later table. */
  const tableOf = (versao: string, more: boolean): object => {
    const file = tableFile(versao, {
      [NCMS.nothing]: [{ codigo: 'ATT_1' }],
      [NCMS.endOfPair]: [{ codigo: 'ATT_2', obrigatorio: false, to: '2026-01-31' }],
      [NCMS.startOfPair]: [{ codigo: 'ATT_3', from: START }],
      [NCMS.startOfAttribute]: [{ codigo: 'ATT_4' }],
      [NCMS.startOfCondition]: optional('ATT_5'),
      [NCMS.startInCompound]: optional('ATT_6'),
      [NCMS.otherTable]: [{ codigo: 'ATT_7', obrigatorio: more }],
      ...(more && { [NCMS.newInTable]: [{ codigo: 'ATT_8' }] }),
    });
    const details = (file as { detalhesAtributos: { codigo: string }[] }).detalhesAtributos;
    const change = (codigo: string, members: object) =>
      Object.assign(details.find((one) => one.codigo === codigo) ?? {}, members);
    const nested = (codigo: string, members: object = {}) => ({ ...details[0], codigo, ...members });
    const conditional = {
      obrigatorio: true,
      multivalorado: false,
      dataInicioVigencia: START,
      dataFimVigencia: '',
      descricaoCondicao: 'x',
      condicao: { operador: '==', valor: 'x' },
      atributo: nested('ATT_51'),
    };
    const sub = nested('ATT_61', { obrigatorio: true, dataInicioVigencia: START });
    change('ATT_4', { dataInicioVigencia: START });
    change('ATT_5', { atributoCondicionante: true, condicionados: [conditional] });
    change('ATT_6', { formaPreenchimento: 'COMPOSTO', listaSubatributos: [sub] });
    return file;
  };

  const ALL: readonly [until: string, ...names: Name[]][] = [
    ['2026-01-31'],
    ['2026-02-01', 'endOfPair'],
    ['2026-02-04', 'endOfPair'],
    ['2026-02-05', 'endOfPair', 'otherTable', 'newInTable'],
    ['2026-02-09', 'endOfPair', 'otherTable', 'newInTable'],
    [
      START,
      'endOfPair',
      'startOfPair',
      'startOfAttribute',
      'startOfCondition',
      'startInCompound',
      'otherTable',
      'newInTable',
    ],
    ['2026-02-28', ...(Object.keys(NCMS).slice(1, -1) as Name[])],
    ['2026-03-01', ...(Object.keys(NCMS).slice(1) as Name[])],
  ];

  test.each(ALL)('up to %s', async (until, ...names) => {
    await fixture.put(tableOf('1', false));
    await fixture.put(tableOf('2', true), '2026-02-05');
    const ends = nomenclatureFile([['9000.00.00', 'Termina', '01/04/2022', '28/02/2026']]);
    expect((await fixture.admin.call('POST', NOMENCLATURE, ends)).status).toBe(200);
    const requirementsIn = requirementsByNcm(fixture.server.app.core.db, { ...FILTER, until });
    const reading = requirementsIn.candidates();
    let step = reading.next();
    while (step.done !== true) step = reading.next();
    expect(step.value).toEqual(codesOf(names));
    const others = codesOf(Object.keys(NCMS) as Name[]);
    expect(others.filter((ncm) => requirementsIn.find(ncm).length > 0)).toEqual(codesOf(names));
  });
});
