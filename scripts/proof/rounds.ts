/** Common parts of proofs with many rounds: a seed, a folder, progress lines, and the last line. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Random, freshSeed, randomOf } from './random.ts';

const SHOWN_PROBLEMS = 30;

/** Options in addition to `rounds`, whose default depends on the proof. */
export const ROUND_OPTIONS = { seed: { type: 'string' }, executable: { type: 'string' } } as const;

export interface RoundsParts {
  readonly name: string;
  readonly options: { readonly rounds: string; readonly seed?: string | undefined };
  /** The name of the rounds in the output, and their description. */
  readonly called?: string;
  readonly said?: string;
  readonly perLine?: number;
  /** The parent of its folder. */
  readonly within?: string | undefined;
}

/**
 * One pair of folders from their first start on, with its own random numbers: it can be repeated
 * independently of earlier ones.
 */
export interface OneLife {
  readonly folder: string;
  readonly random: Random;
  readonly rounds: number;
}

export class Rounds {
  readonly #parts: RoundsParts & { readonly called: string };
  readonly #started = performance.now();
  readonly wanted: number;
  readonly random: Random;
  readonly folder: string;
  done = 0;
  #shown = 0;

  constructor(parts: RoundsParts) {
    this.#parts = { called: 'rodadas', ...parts };
    const { name, options, called, said = '', within = tmpdir() } = this.#parts;
    this.wanted = Number(options.rounds);
    this.random = randomOf(options.seed === undefined ? freshSeed() : Number(options.seed));
    this.folder = mkdtempSync(join(within, `catp-${name}-`));
    console.log(`${name}: ${this.wanted} ${called}${said}, semente ${this.random.seed}`);
  }

  readonly onRound = (problems: readonly string[] = []): void => {
    const { called, perLine = 10 } = this.#parts;
    this.done += 1;
    for (const problem of problems)
      if ((this.#shown += 1) <= SHOWN_PROBLEMS) console.error(`  rodada ${this.done}: ${problem}`);
    if (this.done % perLine === 0) console.log(`  ${this.done} ${called}, ${this.#seconds} s`);
  };

  *lives(rounds: number): Generator<OneLife> {
    for (let remaining = this.wanted, lifecycle = 1; remaining > 0; remaining -= rounds, lifecycle += 1) {
      const folder = join(this.folder, `vida-${lifecycle}`);
      mkdirSync(folder);
      yield { folder, random: randomOf(this.random.seed + lifecycle), rounds: Math.min(remaining, rounds) };
    }
  }

  /** Ends the proof. `keeps`: keeps the folder for inspection. */
  end(isWell: boolean, verdict: string, keeps = !isWell): never {
    const { name, called } = this.#parts;
    console.log(
      `\n${name}: ${this.done} ${called} em ${this.#seconds} s, semente ${this.random.seed}: ${verdict}`,
    );
    if (!keeps) rmSync(this.folder, { recursive: true, force: true });
    process.exit(isWell ? 0 : 1);
  }

  get #seconds(): string {
    return ((performance.now() - this.#started) / 1000).toFixed(0);
  }
}
