/**
 * Publishes the test clock of a development instance in a file of its folder while the instance serves, so
 * that a concurrent command uses the instance's time and not the machine's.
 */
import { closeSync, ftruncateSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, type EpochMs, SystemClock, TestClock, type Timer } from '../clock.ts';
import { lockFolder } from './lock.ts';

const CLOCK_FILE = 'catp.clock';
/** Interval in ms at which a command reads the instance's clock. */
const READ_INTERVAL_MS = 200;

/**
 * Writes the time of the clock to a file whenever it moves, until it is ended. Only the holder of the
 * folder's lock may call it.
 */
export function publishClock(path: string, clock: Clock): { end(): void } {
  const file = join(path, CLOCK_FILE);
  rmSync(file, { force: true }); // left by a server that was killed
  if (!(clock instanceof TestClock)) return { end: () => undefined };
  const descriptor = openSync(file, 'w', 0o600);
  // A leap of years has many stops: each is one short write, which no reader sees half done.
  const writeTime = (): void => {
    const text = `${clock.now()}\n`;
    ftruncateSync(descriptor, writeSync(descriptor, text, 0));
  };
  writeTime();
  clock.onMove = writeTime;
  return {
    end: () => {
      clock.onMove = undefined;
      closeSync(descriptor);
      rmSync(file, { force: true });
    },
  };
}

/**
 * Returns the clock for a command on a folder: the test clock of the instance that serves it, otherwise the
 * machine's.
 */
export function clockOfFolder(path: string): Clock {
  const file = join(path, CLOCK_FILE);
  if (publishedTime(file) === undefined) return new SystemClock();
  const lock = lockFolder(path);
  if (lock !== undefined) {
    // No instance serves the folder: a server that was killed left the file.
    lock.release();
    return new SystemClock();
  }
  return new FolderClock(file);
}

/**
 * Follows the time of the instance. A timer fires when the instance's clock reaches its time, or after the
 * same real time when that clock stands still.
 */
class FolderClock implements Clock {
  readonly test = true;
  readonly #file: string;
  readonly #machine = new SystemClock();
  #lastTime: EpochMs | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  now(): EpochMs {
    this.#lastTime = publishedTime(this.#file) ?? this.#lastTime ?? this.#machine.now();
    return this.#lastTime;
  }

  at(when: EpochMs, work: () => void): Timer {
    const latest = this.#machine.now() + when - this.now();
    let timer: Timer;
    const arm = (): void => {
      const next = Math.min(latest, this.#machine.now() + READ_INTERVAL_MS);
      timer = this.#machine.at(next, () =>
        this.now() >= when || this.#machine.now() >= latest ? work() : arm(),
      );
    };
    arm();
    return { cancel: () => timer.cancel() };
  }
}

/** `undefined`: no instance publishes its time. */
function publishedTime(file: string): EpochMs | undefined {
  try {
    const digits = /^(-?\d+)\n/.exec(readFileSync(file, 'utf8'))?.[1];
    return digits === undefined ? undefined : Number(digits);
  } catch {
    return undefined;
  }
}
