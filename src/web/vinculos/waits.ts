/** Fields whose record is still looked for: what is typed whole counts, also where somebody presses the button before it is found. */
import { useState } from 'preact/hooks';

export class Waits {
  readonly #fields = new Set<object>();
  #waiting: (() => void)[] = [];

  /** `field`: anything that stands for it. */
  set(field: object, isWaiting: boolean): void {
    if (isWaiting) this.#fields.add(field);
    else this.#fields.delete(field);
    if (this.#fields.size > 0) return;
    for (const go of this.#waiting) go();
    this.#waiting = [];
  }

  /** Resolves when none is waited for. */
  async over(): Promise<void> {
    if (this.#fields.size > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

export const useWaits = (): Waits => useState(() => new Waits())[0];
