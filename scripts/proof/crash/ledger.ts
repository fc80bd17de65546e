/** What the server has acknowledged, and therefore owes for ever. */
import type { Answer, Client } from '../client.ts';

/** The users in whose names the checks speak. */
export interface Users {
  readonly demo: Client;
  readonly demo2: Client;
  /** Represents a company whose changes nobody has subscribed to. */
  readonly estranho: Client;
  readonly admin: Client;
}

/** One acknowledged write: how to see that it is still there. */
export interface Claim {
  readonly what: string;
  /** What is wrong; `undefined` when it is as acknowledged. */
  readonly check: (users: Users) => Promise<string | undefined>;
}

const CHECKED_AT_ONCE = 16;
const SHOWN_PROBLEMS = 20;

export class Ledger {
  readonly #claims: Claim[] = [];
  readonly #given = new Map<string, Set<string>>();
  readonly #latest = new Map<string, number>();
  readonly #acknowledged = new Map<string, number>();
  readonly problems: string[] = [];
  checks = 0;

  /** Notes an acknowledged write. */
  owe(kind: string, claim: Claim): void {
    this.#claims.push(claim);
    this.count(kind);
  }

  count(kind: string, times = 1): void {
    this.#acknowledged.set(kind, (this.#acknowledged.get(kind) ?? 0) + times);
  }

  /** Notes a code or id that must never be given to anything else. */
  given(kind: string, id: string): void {
    const before = this.#given.get(kind) ?? new Set();
    this.#given.set(kind, before);
    if (before.has(id)) this.problem(`${kind} ${id} foi dado duas vezes`);
    before.add(id);
  }

  /** The highest id that was acknowledged before a request was sent: whatever it gets must be higher. */
  latest(kind: string): number {
    return this.#latest.get(kind) ?? 0;
  }

  rising(kind: string, id: number, latestBefore: number): void {
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

  /** Reads back the claims from `from` on, and of the older ones those that `chosen` picks. */
  async verify(users: Users, from: number, chosen: (index: number) => boolean): Promise<void> {
    let next = 0;
    const total = this.#claims.length; // what is acknowledged meanwhile is not due yet
    const checkSome = async (): Promise<void> => {
      while (next < total) {
        const index = next++;
        const claim = this.#claims[index];
        if (claim === undefined || (index < from && !chosen(index))) continue;
        this.checks += 1;
        const wrong = await claim.check(users);
        if (wrong !== undefined) this.problem(`${claim.what}: ${wrong}`);
      }
    };
    await Promise.all(Array.from({ length: CHECKED_AT_ONCE }, checkSome));
  }
}

/** An answer as it is told in a problem. */
export const told = (answer: Answer | undefined): string =>
  answer === undefined ? 'sem resposta' : `${answer.status} ${answer.text.slice(0, 300)}`;
