/** What the API takes and answers, by the names of its document (`scripts/answers.ts` makes the types of it). */
import type { Answers } from '../../../.generated/answers.ts';

export type * from '../../../.generated/answers.ts';

/** Of an operation that succeeded. */
export type Answer<Operation extends keyof Answers> = Answers[Operation];
