/**
 * Withdraws a request that must not be sent any more. It has two fields instead of an AbortController: each
 * delivery creates one, and few are used.
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

  /** Sets how to end the request. Calls `end` immediately when the request is already withdrawn. */
  onWithdrawn(end: () => void): void {
    this.#end = end;
    if (this.#isWithdrawn) end();
  }
}
