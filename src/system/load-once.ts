/** Loads a part of the program once, at its first use. */

/** Returns a function that calls `load` once and returns its result. The next call repeats a failed one. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
}
