/** Value that components subscribe to. */
import { useEffect, useState } from 'preact/hooks';

export class Observed<T> {
  #value: T;
  readonly #followers = new Set<(value: T) => void>();

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  set(value: T): void {
    if (value === this.#value) return;
    this.#value = value;
    for (const listener of this.#followers) listener(value);
  }

  /** Returns a function that unsubscribes. */
  subscribe(listener: (value: T) => void): () => void {
    this.#followers.add(listener);
    return () => this.#followers.delete(listener);
  }
}

export function useObserved<T>(observed: Observed<T>): T {
  const [value, setValue] = useState(observed.value);
  useEffect(() => {
    setValue(() => observed.value);
    return observed.subscribe((next) => setValue(() => next));
  }, [observed]);
  return value;
}
