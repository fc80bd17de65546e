/** One data folder, one server (contract section 13). */
import { afterEach, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockFolder } from '../../src/db/lock.ts';

let folder = '';
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const newFolder = (): string => (folder = mkdtempSync(join(tmpdir(), 'catp-lock-')));

/** Takes the lock in a separate process, which reports the result and then waits for its end. */
async function otherProcess(place: string) {
  const lock = join(import.meta.dir, '..', '..', 'src', 'db', 'lock.ts');
  const script = `const { lockFolder } = await import(${JSON.stringify(lock)});
    // Kept in a global: the garbage collector closes an unreferenced database, which releases its lock.
    globalThis.lock = lockFolder(${JSON.stringify(place)});
    process.stdout.write(globalThis.lock === undefined ? 'refused' : 'locked');
    setInterval(() => {}, 1000);`;
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', stderr: 'inherit' });
  const { value } = await child.stdout.getReader().read();
  return { child, firstOutput: new TextDecoder().decode(value) };
}

test('a second lock is refused while the first is held, in this process and in another', async () => {
  const place = newFolder();
  const lock = lockFolder(place);
  expect(lock).toBeDefined();
  expect(lockFolder(place)).toBeUndefined();
  const other = await otherProcess(place);
  expect(other.firstOutput).toBe('refused');
  other.child.kill('SIGKILL');
  await other.child.exited;
  lock?.release();
  const nextLock = lockFolder(place);
  expect(nextLock).toBeDefined();
  nextLock?.release();
});

test('the lock of a process that was killed is free at once', async () => {
  const place = newFolder();
  const other = await otherProcess(place);
  expect(other.firstOutput).toBe('locked');
  expect(lockFolder(place)).toBeUndefined();
  other.child.kill('SIGKILL');
  await other.child.exited;
  const lock = lockFolder(place);
  expect(lock).toBeDefined();
  lock?.release();
});

/** Takes the lock of each folder at its instant. Returns which of them it got. */
async function taker(places: readonly string[], from: number): Promise<readonly boolean[]> {
  const lock = join(import.meta.dir, '..', '..', 'src', 'db', 'lock.ts');
  const script = `const { lockFolder } = await import(${JSON.stringify(lock)});
    globalThis.locks = ${JSON.stringify(places)}.map((place, round) => {
      while (performance.timeOrigin + performance.now() < ${from} + round * ${BETWEEN_MS}) {}
      return lockFolder(place);
    });
    const took = globalThis.locks.map((lock) => lock !== undefined);
    process.stdout.write(JSON.stringify(took), () => setInterval(() => {}, 1000));`;
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', stderr: 'inherit' });
  takers.push(child);
  const { value } = await child.stdout.getReader().read();
  return JSON.parse(new TextDecoder().decode(value)) as boolean[];
}

const ROUNDS = 300;
const BETWEEN_MS = 4;
const takers: Bun.Subprocess[] = [];

test('one of several simultaneous processes gets the lock, never none', async () => {
  const place = newFolder();
  const places = Array.from({ length: ROUNDS }, (_, round) => join(place, String(round)));
  for (const one of places) mkdirSync(one);
  const from = Date.now() + 500;
  const took = await Promise.all([taker(places, from), taker(places, from)]);
  for (const child of takers.splice(0)) child.kill('SIGKILL');
  expect(places.map((_, round) => took.filter((one) => one[round] === true).length)).toEqual(
    places.map(() => 1),
  );
});

test('another folder is another lock', () => {
  const place = newFolder();
  const first = lockFolder(place);
  const otherFolder = mkdtempSync(join(tmpdir(), 'another folder has another lock'));
  const second = lockFolder(otherFolder);
  expect([first, second].every((lock) => lock !== undefined)).toBe(true);
  first?.release();
  second?.release();
  rmSync(otherFolder, { recursive: true, force: true });
});
