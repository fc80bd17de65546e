/** Texts made of what is stored, remembered until anything is committed: a client that reads them again need not wait for SQLite. */
import type { Snapshot } from './snapshot.ts';

export class Remembered {
  readonly #snapshot: Snapshot;
  readonly #maxCharacters: number;
  readonly #texts = new Map<string, string>();
  #characters = 0;

  constructor(snapshot: Snapshot, maxCharacters: number) {
    this.#snapshot = snapshot;
    this.#maxCharacters = maxCharacters;
    snapshot.onCommit(() => this.#forget());
  }

  /** The text of `key`, made where it is not remembered. What `make` throws is not remembered. */
  get(key: string, make: () => string): string {
    this.#snapshot.begin();
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const text = make();
    this.#characters += key.length + text.length;
    if (this.#characters > this.#maxCharacters) this.#forget();
    else this.#texts.set(key, text);
    return text;
  }

  #forget(): void {
    if (this.#characters === 0) return;
    this.#texts.clear();
    this.#characters = 0;
  }
}
