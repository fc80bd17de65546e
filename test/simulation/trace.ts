/** The events of a simulation: the count of each kind, and the last ones as text. */
import { DAY_MS } from '../../src/clock.ts';

const LENGTH = 60;

export class Trace {
  readonly counts: Record<string, number> = {};
  readonly #last: [elapsed: number, what: string][] = [];

  /** Records an event. The first word of `what` is its kind. */
  note(elapsed: number, what: string): void {
    const [word = ''] = what.split(' ');
    this.counts[word] = (this.counts[word] ?? 0) + 1;
    this.#last.push([elapsed, what]);
    if (this.#last.length > LENGTH) this.#last.shift();
  }

  get lines(): readonly string[] {
    return this.#last.map(([elapsed, what]) => `${(elapsed / DAY_MS).toFixed(5)} d  ${what}`);
  }
}
