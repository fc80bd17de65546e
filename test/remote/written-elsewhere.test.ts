/** A commit of another process, seen by a server in the turn in which it ends. */
import { Database } from 'bun:sqlite';
import { expect, spyOn, test } from 'bun:test';
import { endOfTurn } from '../../src/clock.ts';
import { openApp } from '../support/app.ts';

test('wakes nothing after the server has closed', async () => {
  const server = await openApp();
  const { core } = server.app;
  core.feed.checkNow();
  await endOfTurn();
  const other = new Database(core.folder.database);
  other.run(`UPDATE user SET nome = nome || '.'`);
  other.close();

  // The work after the look is delayed until the server has closed, as on a busy machine.
  const late: (() => void)[] = [];
  const keptBack = (work: () => void): void => void late.push(work);
  const immediate = spyOn(globalThis, 'setImmediate').mockImplementation(
    keptBack as unknown as typeof setImmediate,
  );
  core.feed.checkNow();
  immediate.mockRestore();
  await server.close();
  expect(late.length).toBeGreaterThan(1);
  for (const work of late) expect(work).not.toThrow();
});
