/** A full or failing disk (contract section 3): its reports, the stored data, and the automatic recovery. */
import { describe, expect, test } from 'bun:test';
import { refused } from '../../src/db/refusals.ts';
import { isLastingFailure, isOutOfSpace } from '../../src/db/trouble.ts';
import { DomainError } from '../../src/errors.ts';
import { writerForEachTest } from './support.ts';

const open = writerForEachTest();

/** Returns a storage failure as SQLite throws it. */
const storageError = (code: string): Error => Object.assign(new Error(code), { code });

describe('storage that refuses a write', () => {
  const rejection = async (work: Promise<unknown>): Promise<DomainError> => {
    const reason = await work.then(
      () => undefined,
      (error: unknown) => error,
    );
    if (!(reason instanceof DomainError)) throw new Error(`not refused: ${String(reason)}`);
    return reason;
  };

  test('for lack of space keeps nothing of the group, and writes are accepted again once there is space', async () => {
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

  test('to the database file, when the log must move there, refuses writes until the log has moved', async () => {
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
    await over.promise; // recovers automatically
    await writer.write(() => insert.run('after'));
    expect([texts(), troubles]).toEqual([
      ['taken', 'after'],
      ['full', undefined],
    ]);
    await writer.close();
  });

  test('for lack of space recovers automatically despite repeated attempts', async () => {
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
    // Continuous requests must not postpone the next check of the disk.
    let isOver = false;
    void over.promise.then(() => (isOver = true));
    const refusedWrites = await (async () => {
      for (let times = 0; ; times += 1) {
        if (isOver) return times;
        await writer.write(() => undefined).catch(() => new Promise((resolve) => setTimeout(resolve, 1)));
      }
    })();
    expect(refusedWrites).toBeGreaterThan(1);
    await writer.close();
  });

  test('to the index of the log counts as a full disk, and leaves the result unknown', () => {
    const error = storageError('SQLITE_IOERR_SHMSIZE');
    expect([isOutOfSpace(error), isLastingFailure(error)]).toEqual([true, false]);
    expect(refused(error, false).message).toContain('nada desta requisição foi gravado');
    expect(refused(error, true).message).toContain('não se sabe se esta requisição foi gravada');
  });

  test('to the index of the log refuses small writes too until the log has moved, despite a delay at first', async () => {
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
    await over.promise; // recovers automatically
    await writer.write(() => insert.run('after'));
    expect([looks, texts()]).toEqual([2, ['after']]);
    await writer.close();
  });

  test('after a failed write of the disk suspends writes until a restart, and reports it once', async () => {
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

  test('for missing permissions reports them, and no failure of the disk, and is not tried again until a restart', async () => {
    const { writer, insert, texts, troubles } = open();
    const refusing = (code: string): Promise<DomainError> =>
      rejection(
        writer.write(() => {
          throw storageError(code);
        }),
      );
    const readOnlyMessage =
      /^O banco de dados só permite leitura \(SQLITE_READONLY_DIRECTORY\); nada .* catp\.sqlite-shm/;
    expect((await refusing('SQLITE_READONLY_DIRECTORY')).message).toMatch(readOnlyMessage);
    expect((await rejection(writer.write(() => insert.run('b')))).message).toMatch(readOnlyMessage);
    expect([troubles, texts()]).toEqual([['readonly'], []]);
    // A moved file is writable but no longer at its path: a change of permissions does not help.
    expect(refused(storageError('SQLITE_READONLY_DBMOVED'), false).message).toContain('O disco falhou');
    expect(refused(storageError('SQLITE_READONLY'), true).message).toContain('não se sabe se');
  });

  test('because another process holds the lock accepts writes afterwards', async () => {
    const { writer, insert, texts, troubles } = open();
    const busy = writer.write(() => {
      throw storageError('SQLITE_BUSY');
    });
    expect((await rejection(busy)).kind).toBe('unavailable');
    await writer.write(() => insert.run('a'));
    expect([texts(), troubles]).toEqual([['a'], []]);
  });
});
