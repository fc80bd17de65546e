/** Everything that the server has acknowledged, and must therefore keep. */
import type { Answer, Client } from '../client.ts';

/** The users of the checks. */
export interface Users {
  readonly demo: Client;
  readonly demo2: Client;
  /** Represents a company whose changes have no subscriber. */
  readonly estranho: Client;
  readonly admin: Client;
}

/** One acknowledged write, and the check that it still exists. */
export interface Claim {
  readonly what: string;
  /** Returns the problem; `undefined` when the data is as acknowledged. */
  readonly check: (users: Users) => Promise<string | undefined>;
}

const CHECKED_AT_ONCE = 16;
const SHOWN_PROBLEMS = 20;

export class Ledger {
  readonly #claims: Claim[] = [];
  readonly #uniqueIds = new Map<string, Set<string>>();
  readonly #latest = new Map<string, number>();
  readonly #acknowledged = new Map<string, number>();
  readonly problems: string[] = [];
  checks = 0;

  /** Records an acknowledged write. */
  expect(kind: string, claim: Claim): void {
    this.#claims.push(claim);
    this.count(kind);
  }

  count(kind: string, times = 1): void {
    this.#acknowledged.set(kind, (this.#acknowledged.get(kind) ?? 0) + times);
  }

  /** Records a code or id that must never be reused. */
  recordUnique(kind: string, id: string): void {
    const before = this.#uniqueIds.get(kind) ?? new Set();
    this.#uniqueIds.set(kind, before);
    if (before.has(id)) this.problem(`${kind} ${id} foi dado duas vezes`);
    before.add(id);
  }

  /** Returns the highest id acknowledged before a request: the id of its record must be higher. */
  latest(kind: string): number {
    return this.#latest.get(kind) ?? 0;
  }

  /** Records an id that must be higher than all earlier ones. */
  recordRising(kind: string, id: number, latestBefore: number): void {
    if (id <= latestBefore)
      this.problem(`${kind}: recebido ${id} depois de ${latestBefore}; o id foi reusado`);
    this.#latest.set(kind, Math.max(this.latest(kind), id));
  }

  problem(text: string): void {
    this.problems.push(text);
    if (this.problems.length <= SHOWN_PROBLEMS) console.error(`  PERDA: ${text}`);
  }

  get size(): number {
    return this.#claims.length;
  }

  get acknowledged(): ReadonlyMap<string, number> {
    return this.#acknowledged;
  }

  /** Reads back the claims from `from` on, and the older ones that `chosen` picks. */
  async verify(users: Users, from: number, chosen: (index: number) => boolean): Promise<void> {
    let next = 0;
    const total = this.#claims.length; // claims acknowledged during the check are not due yet
    const checkSome = async (): Promise<void> => {
      while (next < total) {
        const index = next++;
        const claim = this.#claims[index];
        if (claim === undefined || (index < from && !chosen(index))) continue;
        this.checks += 1;
        const problem = await claim.check(users);
        if (problem !== undefined) this.problem(`${claim.what}: ${problem}`);
      }
    };
    await Promise.all(Array.from({ length: CHECKED_AT_ONCE }, checkSome));
  }
}

/** Formats an answer for a problem report. */
export const answerText = (answer: Answer | undefined): string =>
  answer === undefined ? 'sem resposta' : `${answer.status} ${answer.text.slice(0, 300)}`;
