/**
 * Requests and responses of the API, by the names of its OpenAPI document (`scripts/answers.ts` generates the
 * types).
 */
import type { Answers } from '../../../.generated/answers.ts';

export type * from '../../../.generated/answers.ts';

/** Response of a successful operation. */
export type Answer<Operation extends keyof Answers> = Answers[Operation];
