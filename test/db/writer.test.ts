/** Group commit (design, The way of a write): one fsync for all that waited, each unit undone alone. */
import { describe, expect, test } from 'bun:test';
import { TestClock } from '../../src/clock.ts';
import { Feed } from '../../src/db/feed.ts';
import { type GroupMeasure, Writer, type WriterParts } from '../../src/db/writer.ts';
import { refused } from '../../src/db/refusals.ts';
import { isLastingFailure, isOutOfSpace } from '../../src/db/trouble.ts';
import { DomainError } from '../../src/errors.ts';
import { scratchForEachTest } from './support.ts';

const scratch = scratchForEachTest();

function open(parts: Partial<WriterParts> = {}) {
  const { db, ...rest } = scratch();
  db.exec('CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT');
  const groups: GroupMeasure[] = [];
  const troubles: unknown[] = [];
  const writer = new Writer({
    db,
    feed: new Feed(db),
    clock: new TestClock(1000),
    stopwatch: () => 0,
    onGroup: (group) => groups.push(group),
    onTrouble: (trouble) => troubles.push(trouble),
    ...parts,
  });
  const insert = db.prepare<[string]>('INSERT INTO note (text) VALUES (?)');
  const texts = (): string[] => db.prepare<[], string>('SELECT text FROM note ORDER BY id').pluck().all();
  return { ...rest, db, writer, groups, troubles, insert, texts };
}

/** A storage failure as SQLite tells it. */
const storageError = (code: string): Error => Object.assign(new Error(code), { code });

describe('a unit of work that throws', () => {
  test('is undone alone, and its caller alone learns of it', async () => {
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

  test('by a violated constraint is undone alone too', async () => {
    const { writer, insert, texts } = open();
    const [, second] = await Promise.allSettled([
      writer.write(() => insert.run('a')),
      writer.write(() => insert.run('a')),
    ]);
    expect(second?.status).toBe('rejected');
    expect(texts()).toEqual(['a']);
  });

  test('has none of its hooks called', async () => {
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
  test('does not have the others run again', async () => {
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
  test('has the others keep what they wrote, once, and their hooks called once', async () => {
    const { writer, insert, texts, groups } = open();
    const called: string[] = [];
    const kept = (text: string) =>
      writer.write((tx) => {
        insert.run(text);
        tx.afterCommit(() => called.push(text));
      });
    const thrown = writer.write((tx) => {
      insert.run('b');
      tx.afterCommit(() => called.push('b'));
      throw new Error('no');
    });
    await Promise.allSettled([kept('a'), thrown, kept('c')]);
    expect([texts(), called]).toEqual([
      ['a', 'c'],
      ['a', 'c'],
    ]);
    expect(groups.map(({ size }) => size)).toEqual([3]);
  });
});

describe('a group', () => {
  test('takes all that waited in one transaction, in order, with one instant', async () => {
    const clock = new TestClock(5);
    const { writer, db, groups } = open({ clock });
    const seen = await Promise.all(
      Array.from({ length: 50 }, () => writer.write((tx) => [tx.now, db.inTransaction])),
    );
    expect(seen).toEqual(Array(50).fill([5, true]));
    expect(groups).toEqual([{ size: 50, commitMs: 0 }]);
  });

  test('is on stable storage before anybody is told: another connection sees it', async () => {
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

  test('calls its hooks in order, and a write that a hook begins goes into the next one', async () => {
    const { writer, groups } = open();
    const called: number[] = [];
    let later: Promise<void> | undefined;
    const hook = (number: number) => writer.write((tx) => tx.afterCommit(() => void called.push(number)));
    await Promise.all([hook(1), hook(2), writer.write((tx) => tx.afterCommit(() => (later = hook(3))))]);
    await later;
    expect(called).toEqual([1, 2, 3]);
    expect(groups.map(({ size }) => size)).toEqual([3, 1]);
  });

  test('that grows too long leaves the rest for the next turn, and loses none', async () => {
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
  test('waits for what was accepted and refuses what comes later', async () => {
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
    // Promises that are resolved already come before anything that the event loop has.
    for (let step = 0; step < 3; step += 1) await undefined;
    expect(isClosed).toBe(true);
    expect(groups).toEqual([]);
  });
});

describe('storage that refuses', () => {
  const rejection = async (work: Promise<unknown>): Promise<DomainError> => {
    const reason = await work.then(
      () => undefined,
      (error: unknown) => error,
    );
    if (!(reason instanceof DomainError)) throw new Error(`not refused: ${String(reason)}`);
    return reason;
  };

  test('for want of space keeps nothing of the group, and writing goes on when there is space again', async () => {
    const { writer, db, insert, texts, troubles } = open();
    await writer.write(() => insert.run('before'));
    const pages = db.pragma('page_count', { simple: true }) as number;
    db.pragma(`max_page_count = ${pages}`);
    const small = writer.write(() => insert.run('small'));
    const large = writer.write(() => insert.run('x'.repeat(1_000_000)));
    const refusals = await Promise.all([rejection(small), rejection(large)]);
    for (const refusal of refusals)
      expect([refusal.kind, refusal.message]).toEqual([
        'unavailable',
        expect.stringContaining('disco está cheio'),
      ]);
    expect(texts()).toEqual(['before']);
    expect(troubles).toEqual(['full']);
    db.pragma('max_page_count = 1000000');
    await writer.write(() => insert.run('after'));
    expect(texts()).toEqual(['before', 'after']);
    expect(troubles).toEqual(['full', undefined]);
    await writer.close();
  });

  test('for the database file, when the log must go there, has writes refused until it has gone', async () => {
    let refusals = 0;
    const over = Promise.withResolvers<void>();
    const log = {
      isLong: () => true,
      checkpoint: () => {
        if (++refusals < 2) throw storageError('SQLITE_FULL');
      },
    };
    const troubles: unknown[] = [];
    const { writer, insert, texts } = open({
      log,
      onTrouble: (trouble) => {
        troubles.push(trouble);
        if (trouble === undefined) over.resolve();
      },
    });
    await writer.write(() => insert.run('taken'));
    await new Promise((resolve) => setImmediate(resolve)); // after the answers
    expect(troubles).toEqual(['full']);
    const refusal = await rejection(writer.write(() => insert.run('refused')));
    expect(refusal.message).toContain('disco está cheio; nada desta requisição foi gravado');
    expect(texts()).toEqual(['taken']);
    await over.promise; // by itself
    await writer.write(() => insert.run('after'));
    expect([texts(), troubles]).toEqual([
      ['taken', 'after'],
      ['full', undefined],
    ]);
    await writer.close();
  });

  test('for want of space, asked again and again, still comes back by itself', async () => {
    const over = Promise.withResolvers<void>();
    let isFull = false;
    const log = {
      isLong: () => true,
      checkpoint: () => {
        if (isFull) throw storageError('SQLITE_FULL');
      },
    };
    const { writer } = open({
      log,
      onTrouble: (trouble) => {
        if (trouble === undefined) over.resolve();
      },
    });
    isFull = true;
    await writer.write(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    isFull = false;
    // Whoever asks without end must not put off the next look at the disk.
    let isOver = false;
    void over.promise.then(() => (isOver = true));
    const asked = await (async () => {
      for (let times = 0; ; times += 1) {
        if (isOver) return times;
        await writer.write(() => undefined).catch(() => new Promise((resolve) => setTimeout(resolve, 1)));
      }
    })();
    expect(asked).toBeGreaterThan(1);
    await writer.close();
  });

  test('for the index of the log is a full disk, and does not claim what nobody knows', () => {
    const error = storageError('SQLITE_IOERR_SHMSIZE');
    expect([isOutOfSpace(error), isLastingFailure(error)]).toEqual([true, false]);
    expect(refused(error, false).message).toContain('nada desta requisição foi gravado');
    expect(refused(error, true).message).toContain('não se sabe se esta requisição foi gravada');
  });

  test('for the index of the log refuses small writes too until the log has gone, whoever is in the way at first', async () => {
    let looks = 0;
    const over = Promise.withResolvers<void>();
    const log = {
      isLong: () => false,
      checkpoint: () => {
        if (++looks < 2) throw storageError('SQLITE_BUSY');
      },
    };
    const { writer, insert, texts } = open({
      log,
      onTrouble: (trouble) => {
        if (trouble === undefined) over.resolve();
      },
    });
    const large = writer.write(() => {
      throw storageError('SQLITE_IOERR_SHMSIZE');
    });
    expect((await rejection(large)).message).toContain('disco está cheio');
    expect((await rejection(writer.write(() => insert.run('small')))).message).toContain(
      'nada desta requisição',
    );
    await over.promise; // by itself
    await writer.write(() => insert.run('after'));
    expect([looks, texts()]).toEqual([2, ['after']]);
    await writer.close();
  });

  test('by a failed write of the disk suspends writing until a restart, and says so once', async () => {
    const { writer, insert, texts, troubles } = open();
    const fault = storageError('SQLITE_IOERR_FSYNC');
    const works = [
      writer.write(() => insert.run('a')),
      writer.write(() => {
        throw fault;
      }),
    ];
    const refusals = await Promise.all(works.map(rejection));
    expect(refusals.map(({ kind }) => kind)).toEqual(['unavailable', 'unavailable']);
    const later = await rejection(writer.write(() => insert.run('b')));
    expect(later.message).toContain('suspensas');
    expect(troubles).toEqual(['failed']);
    expect(texts()).toEqual([]);
  });

  test('by another process that holds the lock passes', async () => {
    const { writer, insert, texts, troubles } = open();
    const busy = writer.write(() => {
      throw storageError('SQLITE_BUSY');
    });
    expect((await rejection(busy)).kind).toBe('unavailable');
    await writer.write(() => insert.run('a'));
    expect([texts(), troubles]).toEqual([['a'], []]);
  });
});

test('measures the commit alone, by the stopwatch it is given', async () => {
  let readings = 0;
  let readingsInWork = 0;
  // Each reading is 7 ms after the one before: of the commit there are two, one on either side.
  const { writer, groups } = open({ stopwatch: () => 7 * ++readings });
  await writer.write(() => (readingsInWork = readings));
  expect(groups).toEqual([{ size: 1, commitMs: 7 }]);
  expect(readings).toBeGreaterThan(readingsInWork + 1);
});

describe('who has the database alone', () => {
  test('keeps every write waiting until the end, and no one after it', async () => {
    const { writer, insert, texts } = open();
    const gate = Promise.withResolvers<void>();
    const alone = writer.alone(async () => {
      await gate.promise;
      return texts();
    });
    const written = writer.write(() => insert.run('a'));
    await new Promise<void>((resolve) => setTimeout(resolve)); // turns in which it would have been written
    gate.resolve();
    expect(await alone).toEqual([]);
    await written;
    expect(texts()).toEqual(['a']);
  });

  test('lets go when his work fails, and the next one begins after him', async () => {
    const { writer, insert, texts } = open();
    const told: string[] = [];
    const failing = writer.alone(() => {
      told.push('first');
      throw new Error('no');
    });
    const next = writer.alone(() => void told.push('second'));
    await expect(failing).rejects.toThrow('no');
    await next;
    await writer.write(() => insert.run('a'));
    expect([told, texts()]).toEqual([['first', 'second'], ['a']]);
  });

  test('is waited for at the close; nobody is let in after it', async () => {
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
