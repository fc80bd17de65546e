/** Changes of the remote are fetched (contract section 18, Fetch). */
import { describe, expect, test } from 'bun:test';
import { Random } from '../simulation/random.ts';
import { COMPANY, compare } from './support.ts';
import {
  LINKS,
  MAKER,
  OPERATORS,
  PLAIN,
  PRODUCTS,
  change,
  counts,
  deactivate,
  fetchChanges,
  localApp,
  include,
  linkOf,
  maker,
  ok,
  ours,
  product,
  restart,
  theirs,
  stepLines,
  twoSidesForEachTest,
} from './two-sides.ts';

twoSidesForEachTest();

describe('a record that exists only in the remote', () => {
  test('is fetched in order, under its own code, and everything is igual afterwards', async () => {
    const codigo = await include(theirs, 'Caixa', { codigosInterno: ['A', 'B'] });
    await ok(theirs, 'POST', LINKS, linkOf(codigo, await maker(theirs)));
    const { run, steps } = await fetchChanges();
    expect(stepLines(steps)).toEqual([
      'operador include OPE_1 sent',
      'produto include 1 sent',
      'vinculo link 1 sent',
    ]);
    expect(run).toMatchObject({
      direction: 'fetch',
      state: 'done',
      total: 3,
      done: 3,
      sent: 3,
      refused: 0,
      skipped: 0,
      notSent: null,
      estimatedEnd: null,
    });
    expect(run.imports).toHaveLength(3);
    expect(await product(1)).toMatchObject({ denominacao: 'Caixa', codigosInterno: ['A', 'B'], versao: '1' });
    expect(await counts()).toEqual({ operador: { igual: 1 }, produto: { igual: 1 }, vinculo: { igual: 1 } });
  });

  test('gets a code above the highest of both sides if its own is used locally', async () => {
    for (const name of ['Daqui 1', 'Daqui 2']) await include(ours, name);
    await maker(ours, { nome: 'Anderer' });
    for (const name of ['La 1', 'La 2', 'La 3', 'La 4']) await include(theirs, name);
    const codigo = await maker(theirs);
    await ok(theirs, 'POST', LINKS, linkOf(1, codigo));
    const { steps } = await fetchChanges();
    expect(stepLines(steps)).toEqual([
      'operador include OPE_2 sent',
      'produto include 5 sent',
      'produto include 6 sent',
      'produto include 3 sent',
      'produto include 4 sent',
      'vinculo link 5 sent',
    ]);
    expect(await include(ours, 'Depois')).toBe(7);
    expect(await counts()).toEqual({
      operador: { igual: 1, soAqui: 1 },
      produto: { igual: 4, soAqui: 3 },
      vinculo: { igual: 1 },
    });
  });

  test('keeps its situation: drafts stay drafts, deactivated ones stay deactivated', async () => {
    const drafts = '/appliance/api/products/drafts';
    await ok(theirs, 'POST', drafts, { cpfCnpjRaiz: COMPANY, denominacao: 'Rascunho' });
    const old = await include(theirs, 'Velho');
    const operator = await maker(theirs);
    await ok(theirs, 'POST', LINKS, linkOf(old, operator));
    await deactivate(theirs, old);
    await ok(theirs, 'PUT', `/catp/api/ext/operador-estrangeiro/desativar/${COMPANY}/DE/${operator}/1`);
    const { run } = await fetchChanges();
    expect(run).toMatchObject({ state: 'done', refused: 0, skipped: 0 });
    expect([(await product(1)).situacao, (await product(2)).situacao]).toEqual(['RASCUNHO', 'DESATIVADO']);
    const after = await counts();
    expect([after.produto, after.operador]).toEqual([{ igual: 2 }, { igual: 1 }]);
  });

  test('is skipped while its pair is undecided, and its links are refused', async () => {
    const codigo = await include(theirs, 'Caixa');
    await ok(theirs, 'POST', LINKS, linkOf(codigo, await maker(theirs)));
    const twin = await include(ours, 'Igual');
    await ok(ours, 'PUT', `${PRODUCTS}/${twin}`, { ...PLAIN, denominacao: 'Caixa', codigosInterno: ['Z'] });
    const { run, steps } = await fetchChanges({ codigos: ['1', 'OPE_1'] });
    expect(run.state).toBe('done');
    // The content is equal, and the internal code is not: a person has to decide about the pair.
    expect(stepLines(steps)).toEqual(['operador include OPE_1 sent', 'vinculo link 1 refused']);
    expect(steps[1]).toMatchObject({
      code: 'CATP-ER1526',
      message: expect.stringContaining('o produto 1 de lá'),
    });
  });
});

describe('a remote change', () => {
  test('is applied locally: content, codes, situation, drafts activated and deactivated ones active again', async () => {
    const [plain, old] = [await include(theirs, 'A'), await include(theirs, 'B')];
    const drafts = '/appliance/api/products/drafts';
    await ok(theirs, 'POST', drafts, { cpfCnpjRaiz: COMPANY, ...PLAIN, denominacao: 'Rascunho' });
    await deactivate(theirs, old);
    const operator = await maker(theirs);
    await fetchChanges();
    await ok(theirs, 'PUT', `${PRODUCTS}/${plain}`, {
      ...PLAIN,
      denominacao: 'A mudou',
      codigosInterno: ['X'],
    });
    await change(theirs, old, 'B de novo');
    await change(theirs, 3, 'Não é mais rascunho');
    await ok(theirs, 'PUT', `${OPERATORS}/DE/${operator}`, { ...MAKER, nome: 'Anders GmbH' });
    const { run, steps } = await fetchChanges();
    expect(stepLines(steps)).toEqual([
      'operador newVersion OPE_1 sent',
      'produto newVersion 1 sent',
      'produto newVersion 2 sent',
      'produto newVersion 3 sent',
    ]);
    const [, id] = run.imports;
    const rows = await ok(ours, 'GET', `/appliance/api/imports/${id}/results`);
    expect(rows[0]).toMatchObject({ codigo: '1', versao: '2', outcome: 'newVersion', seq: 2 });
    expect(rows[0].changes).toContainEqual({
      member: 'denominacao',
      heading: 'Denominação',
      before: 'A',
      after: 'A mudou',
    });
    expect(await product(2)).toMatchObject({ denominacao: 'B de novo', situacao: 'ATIVADO' });
    expect(await counts()).toEqual({ operador: { igual: 1 }, produto: { igual: 3 }, vinculo: {} });
  });

  test('that deactivates, unlinks or deletes a record is applied with its other changes', async () => {
    const [a, b] = [await include(theirs, 'A'), await include(theirs, 'B')];
    const operator = await maker(theirs);
    for (const codigo of [a, b]) await ok(theirs, 'POST', LINKS, linkOf(codigo, operator));
    await fetchChanges();
    await ok(theirs, 'PUT', LINKS, linkOf(a, operator));
    await change(theirs, b, 'B mudou antes');
    await deactivate(theirs, b);
    await ok(theirs, 'PUT', `/catp/api/ext/operador-estrangeiro/desativar/${COMPANY}/DE/${operator}/1`);
    const { steps } = await fetchChanges();
    expect(stepLines(steps)).toEqual([
      'vinculo unlink 1 sent',
      'produto deactivate 2 sent',
      'operador deactivate OPE_1 sent',
    ]);
    expect(await product(b)).toMatchObject({ denominacao: 'B mudou antes', situacao: 'DESATIVADO' });
    const after = await counts();
    expect([after.produto, after.operador]).toEqual([{ igual: 2 }, { igual: 1 }]);
    // The records are paired, but the exports no longer contain them.
    const comparison = await compare(localApp, ours, {}, { force: 'true' });
    await fetchChanges({}, comparison.id);
    expect((await product(a)).situacao).toBe('DESATIVADO');
  });

  test('that depends on a later deactivation is refused at first, and tried once more', async () => {
    const codigo = await include(theirs, 'Caixa', { codigosInterno: ['A'] });
    await fetchChanges();
    await deactivate(theirs, codigo);
    await include(theirs, 'Caixa', { codigosInterno: ['B'] });
    await restart({ perfil: 'portal' });
    const { run, steps } = await fetchChanges();
    expect(stepLines(steps)).toEqual(['produto include 2 sent', 'produto deactivate 1 sent']);
    expect(run.imports).toHaveLength(3);
    expect(await counts()).toEqual({ operador: {}, produto: { igual: 2 }, vinculo: {} });
  });
});

describe('any remote change', () => {
  test.each(Array.from({ length: 8 }, (_, at) => at + 1))(
    'seed %d: after the fetch everything is igual',
    async (seed) => {
      const random = new Random(seed);
      const active: number[] = [];
      const makers: string[] = [];
      const linked = new Set<string>();
      let count = 0;
      const one = async (): Promise<void> => {
        const codigo = active[random.integer(0, Math.max(0, active.length - 1))];
        const operator = makers[random.integer(0, Math.max(0, makers.length - 1))];
        const name = `${seed}-${(count += 1)}`;
        const what = random.integer(0, 7);
        if (what <= 1 || codigo === undefined)
          active.push(
            await include(theirs, name, random.integer(0, 1) === 1 ? { codigosInterno: [name] } : {}),
          );
        else if (what === 2) await change(theirs, codigo, name);
        else if (what === 3) {
          await deactivate(theirs, codigo);
          active.splice(active.indexOf(codigo), 1);
        } else if (what === 4 || operator === undefined) makers.push(await maker(theirs, { nome: name }));
        else if (what === 5) await ok(theirs, 'PUT', `${OPERATORS}/DE/${operator}`, { ...MAKER, nome: name });
        else {
          const link = linkOf(codigo, operator);
          const key = `${codigo} ${operator}`;
          await ok(theirs, linked.has(key) ? 'PUT' : 'POST', LINKS, link);
          if (!linked.delete(key)) linked.add(key);
        }
      };
      for (let round = 0; round < 3; round += 1) {
        for (let n = 0; n < 12; n += 1) await one();
        const { run } = await fetchChanges({ maxDeactivations: 100 });
        expect(run).toMatchObject({ state: 'done', refused: 0, skipped: 0, done: run.total });
        for (const states of Object.values(await counts()))
          expect(Object.keys(states as object).filter((state) => state !== 'igual')).toEqual([]);
      }
    },
  );
});
