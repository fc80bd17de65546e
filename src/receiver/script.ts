import { MINUTE_MS, SECOND_MS } from '../clock.ts';
import { DomainError } from '../errors.ts';

/** The receiver's reaction to one request. */
export type Answer =
  | {
      readonly kind: 'status';
      readonly status: number;
      /** The wait before the first byte of the answer, in ms. */
      readonly delayMs?: number;
      /** The size of the answer's body, in bytes. */
      readonly bodyBytes?: number;
    }
  /** Never answers. */
  | { readonly kind: 'hang' }
  /** Resets the connection without an answer. */
  | { readonly kind: 'reset' }
  /** Answers 200, then sends an endless body, one byte at a time. */
  | { readonly kind: 'drip' }
  /** Answers 200 and half of the announced body, then resets the connection. */
  | { readonly kind: 'cut' };

const WORDS = ['hang', 'reset', 'drip', 'cut'] as const;
const REPEATED_MAX = 100_000;
const FORM =
  'passos separados por vírgula, cada um STATUS, STATUS+BYTES, STATUS@ESPERA, hang, reset, drip ou cut, ' +
  'com *N para repetir; por exemplo "500*3,200@4s,hang"';

/** Returns the answers in order, then the last one again for each further request. */
export class Script {
  readonly #answers: readonly [Answer, ...Answer[]];
  #next = 0;

  constructor(answers: readonly Answer[]) {
    const [first, ...others] = answers;
    if (first === undefined) throw new DomainError('malformed', `Roteiro vazio: informe ${FORM}.`);
    this.#answers = [first, ...others];
  }

  next(): Answer {
    return this.#answers[this.#next++] ?? this.#answers.at(-1) ?? this.#answers[0];
  }
}

/** Reads `500*3,200@4s,hang`. Throws `DomainError` at the first wrong step. */
export function parseScript(text: string): readonly Answer[] {
  return text.split(',').flatMap((step) => parseStep(step.trim()));
}

function parseStep(step: string): readonly Answer[] {
  const [, action = '', times = '1'] = /^([^*]+?)(?:\*(\d{1,6}))?$/.exec(step) ?? [];
  const count = Number(times);
  if (count < 1 || count > REPEATED_MAX) throw refusal(step, `repita de 1 a ${REPEATED_MAX} vezes`);
  return Array<Answer>(count).fill(parseAction(step, action));
}

function parseAction(step: string, action: string): Answer {
  const word = WORDS.find((known) => known === action);
  if (word !== undefined) return { kind: word };
  const [, status, bytes, delay] = /^(\d{3})(?:\+(\d{1,9}))?(?:@(\w+))?$/.exec(action) ?? [];
  if (status === undefined) throw refusal(step, `informe ${FORM}`);
  if (Number(status) < 200 || Number(status) > 599)
    throw refusal(step, 'o status deve estar entre 200 e 599');
  return {
    kind: 'status',
    status: Number(status),
    ...(bytes === undefined ? {} : { bodyBytes: Number(bytes) }),
    ...(delay === undefined ? {} : { delayMs: parseDelay(delay) }),
  };
}

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: SECOND_MS, m: MINUTE_MS };

/** Reads `300ms`, `4s`, `1m`. Throws `DomainError` otherwise. */
export function parseDelay(text: string): number {
  const [, digits, unit = ''] = /^(\d{1,6})(ms|s|m)$/.exec(text) ?? [];
  if (digits === undefined) throw refusal(text, 'uma espera é um número e ms, s ou m, por exemplo 4s');
  return Number(digits) * (UNITS_MS[unit] ?? 1);
}

const refusal = (step: string, why: string): DomainError =>
  new DomainError('malformed', `Roteiro do receptor, ${JSON.stringify(step)}: ${why}.`);
