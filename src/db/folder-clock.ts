/**
 * Where the test clock of a development instance stands, in a file of its folder while the instance serves: what a command
 * does beside it happens at the instance's time, not at the machine's.
 */
import { closeSync, ftruncateSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, type EpochMs, SystemClock, TestClock, type Timer } from '../clock.ts';
import { lockFolder } from './lock.ts';

const CLOCK_FILE = 'catp.clock';
/** How often it is looked whether the instance's clock was moved. */
const LOOK_MS = 200;

/** For whoever holds the lock of the folder: tells where the clock stands, whenever it was moved, until it is ended. */
export function tellClock(path: string, clock: Clock): { end(): void } {
  const file = join(path, CLOCK_FILE);
  rmSync(file, { force: true }); // that of a server that was killed
  if (!(clock instanceof TestClock)) return { end: () => undefined };
  const descriptor = openSync(file, 'w', 0o600);
  // A journey of years has many stops: each is one short write. Nobody reads half of it.
  const tell = (): void => {
    const text = `${clock.now()}\n`;
    ftruncateSync(descriptor, writeSync(descriptor, text, 0));
  };
  tell();
  clock.onMove = tell;
  return {
    end: () => {
      clock.onMove = undefined;
      closeSync(descriptor);
      rmSync(file, { force: true });
    },
  };
}

/** The clock for a command on a folder: that of the instance which serves it, where that is a test clock. */
export function clockOfFolder(path: string): Clock {
  const file = join(path, CLOCK_FILE);
  if (instantIn(file) === undefined) return new SystemClock();
  const lock = lockFolder(path);
  if (lock !== undefined) {
    // Nobody serves: the file is that of a server that was killed.
    lock.release();
    return new SystemClock();
  }
  return new ClockBeside(file);
}

/**
 * The time is the instance's. What a command waits for ends when the instance's clock gets there, and takes no longer than it
 * does anywhere where that clock stands still.
 */
class ClockBeside implements Clock {
  readonly test = true;
  readonly #file: string;
  readonly #machine = new SystemClock();
  #seen: EpochMs | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  now(): EpochMs {
    this.#seen = instantIn(this.#file) ?? this.#seen ?? this.#machine.now();
    return this.#seen;
  }

  at(when: EpochMs, work: () => void): Timer {
    const latest = this.#machine.now() + when - this.now();
    let timer: Timer;
    const arm = (): void => {
      const next = Math.min(latest, this.#machine.now() + LOOK_MS);
      timer = this.#machine.at(next, () =>
        this.now() >= when || this.#machine.now() >= latest ? work() : arm(),
      );
    };
    arm();
    return { cancel: () => timer.cancel() };
  }
}

/** `undefined`: no instance tells it. */
function instantIn(file: string): EpochMs | undefined {
  try {
    const found = /^(-?\d+)\n/.exec(readFileSync(file, 'utf8'))?.[1];
    return found === undefined ? undefined : Number(found);
  } catch {
    return undefined;
  }
}
