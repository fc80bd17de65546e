import type { Result } from '../api/result.ts';

/** An answer without a body, as a value that tells it from a refusal. */
export async function done(answer: Promise<Result<unknown>>): Promise<Result<true>> {
  const result = await answer;
  return result.ok ? { ...result, value: true } : result;
}
