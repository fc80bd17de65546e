/** Measures how long work blocks other requests. */

/** Does the work. `stallMs`: the longest time in which the event loop ran no other task. */
export async function stalls<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly stallMs: number }> {
  let [before, stallMs] = [performance.now(), 0];
  const look = (): void => {
    const now = performance.now();
    stallMs = Math.max(stallMs, now - before);
    before = now;
  };
  const looking = setInterval(look, 1);
  try {
    const result = await work();
    look();
    return { result, stallMs };
  } finally {
    clearInterval(looking);
  }
}
