/**
 * Group commit (design, The way of a write): one fsync for all waiting units, and a rollback of each failed
 * unit alone.
 */
import { describe, expect, test } from 'bun:test';
import { TestClock } from '../../src/clock.ts';
import { DomainError } from '../../src/errors.ts';
import { writerForEachTest } from './support.ts';

const open = writerForEachTest();

describe('a unit of work that throws', () => {
  test('is rolled back alone, and only its caller gets the error', async () => {
    const { writer, insert, texts, groups } = open();
    const fault = new Error('no');
    const outcomes = await Promise.allSettled([
      writer.write(() => insert.run('a').changes),
      writer.write(() => {
        insert.run('b');
        throw fault;
      }),
      writer.write(() => insert.run('c').changes),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((outcomes[1] as PromiseRejectedResult).reason).toBe(fault);
    expect(texts()).toEqual(['a', 'c']);
    expect(groups.map(({ size }) => size)).toEqual([3]);
  });

  test('by a violated constraint is rolled back alone too', async () => {
    const { writer, insert, texts } = open();
    const [, second] = await Promise.allSettled([
      writer.write(() => insert.run('a')),
      writer.write(() => insert.run('a')),
    ]);
    expect(second?.status).toBe('rejected');
    expect(texts()).toEqual(['a']);
  });

  test('runs none of its hooks', async () => {
    const { writer } = open();
    const called: string[] = [];
    await Promise.allSettled([
      writer.write((tx) => tx.afterCommit(() => called.push('kept'))),
      writer.write((tx) => {
        tx.afterCommit(() => called.push('undone'));
        throw new Error('no');
      }),
    ]);
    expect(called).toEqual(['kept']);
  });
});

describe('a unit of work that refuses before it writes', () => {
  test('does not make the others run again', async () => {
    const { writer, insert, texts } = open();
    let runs = 0;
    const count = () => {
      runs += 1;
      insert.run(String(runs));
    };
    await Promise.allSettled([
      writer.write(count),
      writer.write((tx) => {
        tx.afterCommit(() => expect.unreachable());
        throw new Error('no');
      }),
      writer.write(count),
    ]);
    expect([runs, texts()]).toEqual([2, ['1', '2']]);
  });
});

describe('a unit of work that writes and then throws', () => {
  test('leaves the writes of the others, made once, and their hooks run once', async () => {
    const { writer, insert, texts, groups } = open();
    const called: string[] = [];
    const insertNoted = (text: string) =>
      writer.write((tx) => {
        insert.run(text);
        tx.afterCommit(() => called.push(text));
      });
    const thrown = writer.write((tx) => {
      insert.run('b');
      tx.afterCommit(() => called.push('b'));
      throw new Error('no');
    });
    await Promise.allSettled([insertNoted('a'), thrown, insertNoted('c')]);
    expect([texts(), called]).toEqual([
      ['a', 'c'],
      ['a', 'c'],
    ]);
    expect(groups.map(({ size }) => size)).toEqual([3]);
  });
});

describe('a group', () => {
  test('runs all waiting units in one transaction, in order, with one instant', async () => {
    const clock = new TestClock(5);
    const { writer, db, groups } = open({ clock });
    const states = await Promise.all(
      Array.from({ length: 50 }, () => writer.write((tx) => [tx.now, db.inTransaction])),
    );
    expect(states).toEqual(Array(50).fill([5, true]));
    expect(groups).toEqual([{ size: 50, commitMs: 0 }]);
  });

  test('is on stable storage before any caller is answered: another connection sees it', async () => {
    const { writer, insert, file } = open();
    const { openForReading } = await import('../../src/db/open.ts');
    const reader = openForReading(file);
    const count = reader.prepare<[], number>('SELECT count(*) FROM note').pluck();
    let seenAfterCommit = -1;
    await writer.write((tx) => {
      insert.run('a');
      expect(count.get()).toBe(0);
      tx.afterCommit(() => (seenAfterCommit = count.get() ?? -1));
    });
    expect([seenAfterCommit, count.get()]).toEqual([1, 1]);
    reader.close();
  });

  test('runs its hooks in order, and a write of a hook goes into the next group', async () => {
    const { writer, groups } = open();
    const called: number[] = [];
    let later: Promise<void> | undefined;
    const hook = (number: number) => writer.write((tx) => tx.afterCommit(() => void called.push(number)));
    await Promise.all([hook(1), hook(2), writer.write((tx) => tx.afterCommit(() => (later = hook(3))))]);
    await later;
    expect(called).toEqual([1, 2, 3]);
    expect(groups.map(({ size }) => size)).toEqual([3, 1]);
  });

  test('that takes too long leaves the other units for the next turn, and loses none', async () => {
    let now = 0;
    const { writer, groups, insert, texts } = open({ stopwatch: () => now });
    const works = Array.from({ length: 5 }, (_, index) =>
      writer.write(() => {
        now += 6;
        insert.run(String(index));
      }),
    );
    await Promise.all(works);
    expect(texts()).toEqual(['0', '1', '2', '3', '4']);
    expect(groups.map(({ size }) => size)).toEqual([2, 2, 1]);
  });
});

describe('closing', () => {
  test('waits for accepted writes and refuses later ones', async () => {
    const { writer, insert, texts } = open();
    const accepted = writer.write(() => insert.run('a'));
    await writer.close();
    await accepted;
    expect(texts()).toEqual(['a']);
    const error = await writer.write(() => insert.run('b')).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DomainError);
    expect((error as DomainError).kind).toBe('unavailable');
    expect(texts()).toEqual(['a']);
  });

  test('of an idle writer takes no turn of the event loop and no group', async () => {
    const { writer, groups } = open();
    let isClosed = false;
    void writer.close().then(() => (isClosed = true));
    // Resolved promises run before any task of the event loop.
    for (let step = 0; step < 3; step += 1) await undefined;
    expect(isClosed).toBe(true);
    expect(groups).toEqual([]);
  });
});

test('measures only the commit, by the given stopwatch', async () => {
  let readings = 0;
  let readingsInWork = 0;
  // Each reading is 7 ms after the previous one. Two of them enclose the commit.
  const { writer, groups } = open({ stopwatch: () => 7 * ++readings });
  await writer.write(() => (readingsInWork = readings));
  expect(groups).toEqual([{ size: 1, commitMs: 7 }]);
  expect(readings).toBeGreaterThan(readingsInWork + 1);
});

describe('exclusive work on the database', () => {
  test('makes every write wait until its end, and none afterwards', async () => {
    const { writer, insert, texts } = open();
    const gate = Promise.withResolvers<void>();
    const alone = writer.alone(async () => {
      await gate.promise;
      return texts();
    });
    const written = writer.write(() => insert.run('a'));
    await new Promise<void>((resolve) => setTimeout(resolve)); // turns in which the write would have run
    gate.resolve();
    expect(await alone).toEqual([]);
    await written;
    expect(texts()).toEqual(['a']);
  });

  test('ends also when it fails, and the next one begins after it', async () => {
    const { writer, insert, texts } = open();
    const order: string[] = [];
    const failing = writer.alone(() => {
      order.push('first');
      throw new Error('no');
    });
    const next = writer.alone(() => void order.push('second'));
    await expect(failing).rejects.toThrow('no');
    await next;
    await writer.write(() => insert.run('a'));
    expect([order, texts()]).toEqual([['first', 'second'], ['a']]);
  });

  test('is awaited by the close, and none begins after the close', async () => {
    const { writer } = open();
    const gate = Promise.withResolvers<void>();
    let isDone = false;
    const alone = writer.alone(() => gate.promise).then(() => (isDone = true));
    const closed = writer.close();
    gate.resolve();
    await closed;
    await alone;
    expect(isDone).toBe(true);
    await expect(writer.alone(() => undefined)).rejects.toThrow('encerrado');
  });
});
