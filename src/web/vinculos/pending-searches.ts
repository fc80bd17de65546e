/** Tracks fields with a pending lookup, so that a submit waits until a typed text is resolved. */
import { useState } from 'preact/hooks';

export class PendingSearches {
  readonly #fields = new Set<object>();
  #waiting: (() => void)[] = [];

  /** `field`: any object that identifies the field. */
  set(field: object, isWaiting: boolean): void {
    if (isWaiting) this.#fields.add(field);
    else this.#fields.delete(field);
    if (this.#fields.size > 0) return;
    for (const resolve of this.#waiting) resolve();
    this.#waiting = [];
  }

  /** Resolves when no lookup is pending. */
  async done(): Promise<void> {
    if (this.#fields.size > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

export const usePendingSearches = (): PendingSearches => useState(() => new PendingSearches())[0];
