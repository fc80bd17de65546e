/** The effect of long work on users. */

/**
 * Repeats `step` while `work` runs. Returns the results of the steps that began before its end. Throws what
 * `work` throws.
 */
async function againWhile<T>(work: Promise<unknown>, step: () => Promise<T>): Promise<T[]> {
  let isGoingOn = true;
  const ended = work.finally(() => (isGoingOn = false));
  const all: T[] = [];
  while (isGoingOn) all.push(await step());
  await ended;
  return all;
}

/** Returns the p99 of each load. */
export const p99While = (
  work: Promise<unknown>,
  load: () => Promise<{ readonly p99Ms: number }>,
): Promise<number[]> => againWhile(work, async () => (await load()).p99Ms);

/**
 * Runs look-ups of one product, one after the other. Returns the ms of each. `pauseMs`: the pause of a user
 * between two.
 */
export const lookUpsWhile = (
  work: Promise<unknown>,
  { url }: { readonly url: string },
  headers: Readonly<Record<string, string>>,
  pauseMs = 0,
): Promise<number[]> =>
  againWhile(work, async () => {
    const started = performance.now();
    const answer = await fetch(`${url}/catp/api/ext/produto/12345678/1/1`, { headers });
    if (!answer.ok) throw new Error(`The product was not found: ${answer.status}`);
    await answer.arrayBuffer();
    const ms = performance.now() - started;
    if (pauseMs > 0) await Bun.sleep(pauseMs);
    return ms;
  });
