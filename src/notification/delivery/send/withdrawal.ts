/**
 * Takes a request back that must not be sent any more. Two fields instead of an AbortController: each delivery makes one,
 * and hardly any is used.
 */
export class Withdrawal {
  #isWithdrawn = false;
  #end: (() => void) | undefined;

  get isWithdrawn(): boolean {
    return this.#isWithdrawn;
  }

  readonly withdraw = (): void => {
    this.#isWithdrawn = true;
    this.#end?.();
  };

  /** How to end the request; called at once where it has been taken back already. */
  endsBy(end: () => void): void {
    this.#end = end;
    if (this.#isWithdrawn) end();
  }
}
