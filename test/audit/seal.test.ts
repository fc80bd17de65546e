/**
 * The seal outside the database: a truncated end or an old seal is detected; the state after a crash is
 * valid.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { OuterSeal } from '../../src/audit/outer-seal.ts';
import { SEAL_FILE } from '../../src/db/folder.ts';
import { auditKey } from '../../src/audit/seal.ts';
import { BROKEN_AT, HASH, LAST_SEQ, SEAL, SEALED, type State, TrailBench } from './trail.ts';

let bench: TrailBench;
beforeEach(async () => {
  bench = new TrailBench();
  await bench.start();
});
afterEach(() => bench.close());

const fault = () => bench.verify().fault?.message ?? 'none';
const outerSeq = (): number | undefined => {
  const seal = new OuterSeal(bench.folder.path, undefined).find();
  return typeof seal === 'object' ? seal.seq : undefined;
};

/** Adds this number of pages to the trail. Returns its state before. */
async function growTrail(pages: number): Promise<State> {
  await bench.add();
  await bench.second();
  const before = bench.state();
  for (let page = 0; page < pages; page += 1) await bench.add();
  await bench.second();
  return before;
}

describe('catp.seal', () => {
  test('exists before the first page, and is updated within a second and at a stop', async () => {
    expect(outerSeq()).toBe(0);
    await bench.add(2);
    expect(outerSeq()).toBe(0);
    await bench.second();
    expect(outerSeq()).toBe(2);
    await bench.add();
    await bench.restarted();
    expect(outerSeq()).toBe(3);
  });

  test('lags after a kill, and the next start updates it', async () => {
    await bench.add();
    await bench.second();
    await bench.add();
    const { seal } = bench.state();
    expect([outerSeq(), fault()]).toEqual([1, 'none']);
    await bench.killed();
    expect([outerSeq(), fault(), seal?.length]).toEqual([2, 'none', 1024]);
  });

  test('is not written without a change', async () => {
    await bench.add();
    await bench.second();
    const { seal } = bench.state();
    await bench.second();
    expect(bench.state().seal).toEqual(seal as Buffer);
  });

  test('that cannot be written delays no work, and is written as soon as possible', async () => {
    const file = join(bench.folder.path, 'catp.seal');
    await bench.add();
    await bench.second();
    // A folder in the place of the seal: root cannot write to it either.
    const { pages, seal } = bench.state();
    bench.put({ pages, seal: undefined });
    mkdirSync(file);
    await bench.add();
    await bench.second();
    rmdirSync(file);
    bench.put({ pages: bench.state().pages, seal });
    expect([outerSeq(), fault()]).toEqual([1, 'none']);
    await bench.add();
    await bench.second();
    expect([outerSeq(), fault()]).toEqual([3, 'none']);
  });

  test('of a trail of a version without seals is created at the next start', async () => {
    await bench.add();
    await bench.add();
    bench.makeOlder();
    expect([outerSeq(), fault()]).toEqual([undefined, 'none']);
    await bench.killed();
    expect([outerSeq(), fault()]).toEqual([2, 'none']);
    const older = bench.state();
    bench.put({ ...older, seal: undefined });
    expect(fault()).toContain('Falta catp.seal');
    bench.put(older);
    await bench.add();
    expect(bench.state().pages.map((page) => page[SEALED])).toEqual([null, null, 2]);
  });
});

describe('a power cut while catp.seal is written', () => {
  /** Possible contents of the disk after a write of `now` over `before` that begins with this sector. */
  const cuts = (before: Buffer, now: Buffer, first: 0 | 1): Buffer[] => {
    const sectors = (seal: Buffer): [Buffer, Buffer] => [seal.subarray(0, 512), seal.subarray(512)];
    const [was, is] = [sectors(before), sectors(now)];
    const torn = (sector: 0 | 1): Buffer =>
      Buffer.concat([is[sector].subarray(0, 40), was[sector].subarray(40, 300), Buffer.alloc(212)]);
    const joinSectors = (written: Buffer, other: Buffer): Buffer =>
      Buffer.concat(first === 0 ? [written, other] : [other, written]);
    const second = first === 0 ? 1 : 0;
    return [
      joinSectors(torn(first), was[second]),
      joinSectors(is[first], was[second]),
      joinSectors(is[first], torn(second)),
      joinSectors(is[first], is[second]),
    ];
  };

  test.each([0, 1] as const)(
    'leaves an intact trail with any content of the disk; first sector %d',
    async (first) => {
      const before = await growTrail(1);
      const { pages, seal } = bench.state();
      for (const cutSeal of cuts(before.seal as Buffer, seal as Buffer, first)) {
        bench.put({ pages, seal: cutSeal });
        expect(fault()).toBe('none');
        await bench.killed();
        expect([bench.appContext.trail.fault, fault(), outerSeq()]).toEqual([undefined, 'none', 2]);
      }
    },
  );

  test('of an older version, whose sectors differ, never loses the newest seal', async () => {
    const before = await growTrail(1);
    const { pages, seal } = bench.state();
    const older = Buffer.concat([(before.seal as Buffer).subarray(0, 512), (seal as Buffer).subarray(512)]);
    bench.put({ pages, seal: older });
    expect([fault(), outerSeq()]).toEqual(['none', 2]);
    await bench.killed();
    bench.put({ pages: before.pages, seal: bench.state().seal });
    expect(fault()).toBe('Falta a entrada 2, que catp.seal conhece.');
  });
});

describe('is detected:', () => {
  test('an end that was cut off, with the seal that the page had as the last one', async () => {
    const before = await growTrail(3);
    bench.put({ ...bench.state(), pages: before.pages });
    expect(bench.verify().fault).toEqual({
      seq: 2,
      message: 'Faltam as entradas 2 a 4, que catp.seal conhece.',
    });
  });

  test('a single entry that was cut off', async () => {
    const before = await growTrail(1);
    bench.put({ ...bench.state(), pages: before.pages });
    expect(fault()).toBe('Falta a entrada 2, que catp.seal conhece.');
  });

  test('a catp.seal that was removed, garbled, or replaced by that of another folder or an older one', async () => {
    const before = await growTrail(2);
    await bench.add();
    const now = bench.state();
    const otherBench = new TrailBench();
    await otherBench.start();
    const strange = otherBench.state().seal;
    await otherBench.close();
    for (const [seal, message] of [
      [undefined, 'Falta catp.seal'],
      [Buffer.alloc(1024, 'x'), 'não foi feito com as chaves desta pasta'],
      [Buffer.alloc(0), 'não foi feito com as chaves desta pasta'],
      [strange, 'não foi feito com as chaves desta pasta'],
      [before.seal, 'catp.seal é um de antes, da entrada 1; o último era da 3'],
    ] as const) {
      bench.put({ ...now, seal });
      expect(fault()).toContain(message);
    }
  });

  test('entries that were cut off, even if any single bit of catp.seal is damaged', async () => {
    const before = await growTrail(1);
    const { seal } = bench.state();
    const file = join(bench.folder.path, SEAL_FILE);
    const outer = new OuterSeal(bench.folder.path, auditKey(bench.folder.keys));
    for (let bit = 0; bit < 1024 * 8; bit += 1) {
      const damaged = Buffer.from(seal as Buffer);
      damaged[bit >> 3] = (damaged[bit >> 3] as number) ^ (1 << (bit & 7));
      writeFileSync(file, damaged);
      expect([bit, outer.find()]).toEqual([bit, expect.objectContaining({ seq: 2 })]);
      if (bit % 500 !== 0) continue;
      bench.put({ pages: before.pages, seal: damaged });
      expect(fault()).toBe('Falta a entrada 2, que catp.seal conhece.');
    }
  });

  test('entries that were cut off, even if a whole sector is garbled or catp.seal ends in the middle of one', async () => {
    const before = await growTrail(2);
    const seal = bench.state().seal as Buffer;
    const garbled = Buffer.alloc(512, 'x');
    for (const damaged of [
      Buffer.concat([garbled, seal.subarray(512)]),
      Buffer.concat([seal.subarray(0, 512), garbled]),
      seal.subarray(0, 700),
    ]) {
      bench.put({ pages: before.pages, seal: damaged });
      expect(fault()).toBe('Faltam as entradas 2 a 3, que catp.seal conhece.');
    }
  });

  test('a garbled seal in a folder that claims to be restored', async () => {
    const before = await growTrail(1);
    bench.appContext.db.exec("INSERT INTO folder_mark VALUES ('restored-from', 'catp-1.zip')");
    bench.put({ pages: before.pages, seal: Buffer.alloc(1024, 'x') });
    expect(fault()).toContain('não foi feito com as chaves desta pasta');
    await bench.killed();
    expect(bench.appContext.trail.fault?.message).toContain('não foi feito com as chaves desta pasta');
  });

  test('the removal of the whole trail, with its seal', async () => {
    await growTrail(2);
    bench.put({ pages: [], seal: undefined });
    expect(fault()).toContain('Falta catp.seal');
  });

  test('an older database with its own seal, by a witness with a later state', async () => {
    const before = await growTrail(2);
    const [, , page] = bench.state().pages;
    const witness = { name: 'catp-1.zip', seq: 3, hash: page?.[HASH] as Uint8Array };
    expect(bench.verify({ witnesses: [witness] }).fault).toBeUndefined();
    bench.put(before);
    expect(fault()).toBe('none');
    expect(bench.verify({ witnesses: [witness] }).fault?.message).toBe(
      'Faltam as entradas 2 a 3, que catp-1.zip conhece.',
    );
    await bench.killed();
    await bench.add();
    await bench.add();
    expect(bench.verify({ witnesses: [witness] }).fault?.message).toBe(
      'A entrada 3, ou outra antes dela, não é a que catp-1.zip conhece.',
    );
  });
});

describe('a fault that a server detects', () => {
  test('at its start is recorded in the trail, and every later verify reports it; work continues', async () => {
    const before = await growTrail(3);
    bench.put({ ...bench.state(), pages: before.pages });
    await bench.killed();
    expect(bench.appContext.trail.fault?.message).toContain('Faltam as entradas 2 a 4');
    await bench.add();
    await bench.restarted();
    await bench.add();
    expect(fault()).toContain('Antes da entrada 2 a trilha foi alterada');
    expect(bench.appContext.trail.fault?.message).toContain('Antes da entrada 2');
    const entries = bench.state().pages.map(([, , , text]) => text);
    expect(entries.filter((text) => String(text).includes('"trilha"'))).toHaveLength(1);
  });

  test('while it serves is recorded too', async () => {
    const before = await growTrail(3);
    bench.put({ ...bench.state(), pages: before.pages });
    await bench.add();
    expect(bench.appContext.trail.fault?.message).toContain('Faltam as entradas 2 a 4');
    expect(fault()).toContain('Antes da entrada 2');
  });

  test('in the middle, by a complete check, is recorded as well', async () => {
    await growTrail(2);
    await bench.appContext.sealUpdater.inspect({ seq: 2, message: 'x' });
    expect(bench.verify().fault?.seq).toBe(2);
    await bench.restarted();
    expect(bench.appContext.trail.fault?.seq).toBe(2);
  });
});

type Step = 'add' | 'many' | 'second' | 'kill' | 'restart';

describe('in any trail', () => {
  const STEPS = fc.array(
    fc.constantFrom<Step[]>('add', 'add', 'add', 'many', 'second', 'second', 'kill', 'restart'),
    { minLength: 1, maxLength: 14 },
  );

  /** Every intermediate state is one that a crash may leave. */
  async function lived(
    steps: readonly Step[],
  ): Promise<{ readonly one: TrailBench; readonly states: State[] }> {
    const copyBench = new TrailBench();
    await copyBench.start();
    const states = [copyBench.state()];
    for (const step of steps) {
      if (step === 'add') await copyBench.add();
      else if (step === 'many') await copyBench.add(3);
      else if (step === 'second') await copyBench.second();
      else await (step === 'kill' ? copyBench.killed() : copyBench.restarted());
      states.push(copyBench.state());
    }
    return { one: copyBench, states };
  }

  const seqOf = (seal: Buffer | undefined): number => {
    const sectors = [0, 512].map((from) =>
      String(seal?.toString('latin1', from, from + 512))
        .trim()
        .split(' '),
    );
    const [newest] = sectors.sort(([a], [b]) => Number(b) - Number(a));
    return Number(newest?.[1]);
  };
  const lastSeq = ({ pages }: State): number => Number(pages.at(-1)?.[LAST_SEQ] ?? 0);

  test('a crash leaves a sound trail; a restored older state, whole or in part, is detected if more was sealed', async () => {
    await fc.assert(
      fc.asyncProperty(STEPS, async (steps) => {
        const { one, states } = await lived(steps);
        const now = states.at(-1) as State;
        for (const state of states) {
          one.put(state);
          expect(one.verify().fault).toBeUndefined();
          // The earlier database with the later seal, and the reverse.
          one.put({ pages: state.pages, seal: now.seal });
          expect(one.verify().fault === undefined).toBe(seqOf(now.seal) <= lastSeq(state));
          one.put({ pages: now.pages, seal: state.seal });
          expect(one.verify().fault === undefined).toBe(
            seqOf(state.seal) >= Number(now.pages.at(-1)?.[SEALED] ?? 0),
          );
          one.put({ ...state, seal: undefined });
          expect(one.verify().fault).toBeDefined();
        }
        one.put(now);
        await one.close();
      }),
      { numRuns: 12 },
    );
  });

  test('every edit of every page is detected, and reported permanently', async () => {
    await fc.assert(
      fc.asyncProperty(STEPS, fc.nat(), fc.nat(), async (steps, which, column) => {
        const { one, states } = await lived(['add', ...steps, 'second']);
        const { pages, seal } = states.at(-1) as State;
        const index = which % pages.length;
        const page = [...(pages[index] ?? [])];
        const at = column % page.length;
        const old = page[at];
        page[at] =
          at === SEAL || at === HASH
            ? Buffer.alloc(32, 1)
            : at === BROKEN_AT || old === null
              ? 1
              : typeof old === 'number'
                ? -old - 7
                : 'x';
        // Only the seal on the last page is verified, so a seal on another page has no effect.
        const isIdle = at === SEAL && index < pages.length - 1;
        one.put({ pages: pages.map((before, other) => (other === index ? page : before)), seal });
        expect(one.verify().fault === undefined).toBe(isIdle);
        await one.killed();
        await one.add();
        expect(one.verify().fault === undefined).toBe(isIdle);
        await one.close();
      }),
      { numRuns: 30 },
    );
  });
});
