/** What users feel while something long goes on. */

/** Loads again and again while `work` goes on; the p99 of each load that began before its end. */
export async function p99While(
  work: Promise<unknown>,
  load: () => Promise<{ readonly p99Ms: number }>,
): Promise<number[]> {
  let isGoingOn = true;
  const ended = work.finally(() => (isGoingOn = false));
  const p99s: number[] = [];
  while (isGoingOn) p99s.push((await load()).p99Ms);
  await ended;
  return p99s;
}
