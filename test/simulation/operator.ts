/** Simulated people: they subscribe, change, delete, publish, replay, and cause accidents of the machine. */
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../src/clock.ts';
import { COMPANY, EVENTOS, USERS } from './product-process.ts';
import { MOTIVO_USER, type Subscribed, Violation } from './ledger.ts';
import type { Machine } from './machine.ts';
import type { Exchange } from './network.ts';
import { Random } from './random.ts';

/** The number of times of each action in the whole simulation. */
const TIMES = {
  publish: 45,
  burst: 3,
  subscribe: 8,
  change: 5,
  unsubscribe: 5,
  replay: 6,
  replayFailed: 1,
  crash: 4,
  stop: 2,
  stepClock: 3,
} as const;
type ActorTransaction = keyof typeof TIMES;

/** The actions that do most harm while a request is in transit. */
const DISTURBANCES: ReadonlySet<ActorTransaction> = new Set([
  'change',
  'unsubscribe',
  'replay',
  'crash',
  'stop',
  'stepClock',
]);
const AMBUSH_MAX_MS = 4 * SECOND_MS;

/**
 * Once in each simulation, after at most this many outcomes, a subscription is deleted in the same turn as an
 * outcome.
 */
const OVERTAKEN_AFTER_MAX = 100;
const FIRST_SUBSCRIPTIONS = 7;
const STEP_MAX_MS = 40 * HOUR_MS;

export class Operator {
  readonly #machine: Machine;
  #ambush: ActorTransaction | undefined;
  #isRetired = false;
  #secrets = 0;
  #events = 0;
  #endpoints = 0;
  #endingsLeft: number;

  constructor(machine: Machine, seed: number) {
    this.#machine = machine;
    this.#endingsLeft = new Random(seed).integer(1, OVERTAKEN_AFTER_MAX);
  }

  begin(until: number): void {
    const { random } = this.#machine;
    for (let i = 1; i <= FIRST_SUBSCRIPTIONS; i++)
      this.#machine.plan(i * SECOND_MS, () => this.#do('subscribe'));
    for (const actorTx of Object.keys(TIMES) as ActorTransaction[])
      for (let i = 0; i < TIMES[actorTx]; i++)
        this.#machine.plan(random.integer(SECOND_MS, until), () => this.#begin(actorTx));
  }

  /** May cause an accident while a request is in transit. */
  seeSending(): void {
    const actorTx = this.#ambush;
    this.#ambush = undefined;
    if (actorTx !== undefined)
      this.#machine.plan(this.#machine.random.magnitude(1, AMBUSH_MAX_MS), () => this.#doIfUp(actorTx));
  }

  /** Deletes a subscription between a known outcome and its recording. */
  seeEnding({ secret, outcome }: Exchange): void {
    const sub = this.#machine.ledger.bySecret.get(secret);
    const isCandidate = outcome?.kind !== 'withdrawn' && sub?.deletedAt === null;
    if (!isCandidate || this.#isRetired || !this.#machine.isUp || --this.#endingsLeft !== 0) return;
    this.#machine.note(`overtaken ${secret}`);
    this.#end(sub);
  }

  /** Stops all actions, so that pending work can finish. */
  retire(): void {
    this.#isRetired = true;
  }

  goOnAfterCrash(): void {
    this.#comeBackLater();
  }

  #begin(actorTx: ActorTransaction): void {
    const isBetterLater =
      DISTURBANCES.has(actorTx) && this.#ambush === undefined && this.#machine.random.chance(0.7);
    if (isBetterLater) this.#ambush = actorTx;
    else this.#doIfUp(actorTx);
  }

  #doIfUp(actorTx: ActorTransaction): void {
    if (this.#machine.isUp && !this.#isRetired) this.#do(actorTx);
  }

  #do(actorTx: ActorTransaction): void {
    switch (actorTx) {
      case 'publish':
        return this.#publish();
      case 'burst':
        return this.#burst();
      case 'subscribe':
        return this.#subscribe();
      case 'change':
        return this.#change();
      case 'unsubscribe':
        return this.#unsubscribe();
      case 'replay':
        return this.#replay();
      case 'replayFailed':
        return this.#replayFailed();
      case 'crash':
        return this.#machine.crashSoon();
      case 'stop':
        this.#machine.stop();
        return this.#comeBackLater();
      case 'stepClock':
        return this.#stepClock();
    }
  }

  #publish(): void {
    const { product, ledger, random, time } = this.#machine;
    const evento = random.pick(EVENTOS);
    const number = ++this.#events;
    this.#machine.note(`publish ${number} ${evento}`);
    const published = product.events.publishAlone({
      evento,
      destinatarioTipo: 'CNPJ',
      destinatarioId: COMPANY,
      conteudo: JSON.stringify({ n: number }),
    });
    this.#then(published, ({ id }) =>
      ledger.published(product.db, { id, number, evento }, time.now, time.elapsed),
    );
  }

  #burst(): void {
    for (let remaining = this.#machine.random.integer(3, 8); remaining > 0; remaining--) this.#publish();
  }

  #subscribe(): void {
    const { product, ledger, random } = this.#machine;
    const [documento, evento] = [random.pick(USERS), random.pick(EVENTOS)];
    if (this.#isSubscribed(documento, evento)) return;
    const secret = `s${++this.#secrets}`;
    const endpoint = this.#newEndpoint();
    this.#machine.note(`subscribe ${secret} to ${evento} at ${endpoint}`);
    const subscribed = product.subscriptions.subscribe(documento, { evento, endpoint, chaveSecreta: secret });
    this.#then(subscribed, ({ id }) => ledger.subscribed({ id, secret, documento, evento, endpoint }));
  }

  #change(): void {
    const { product, ledger, random } = this.#machine;
    const sub = this.#anySubscription();
    if (sub === undefined) return;
    const other = random.pick(EVENTOS);
    const evento = this.#isSubscribed(sub.documento, other) ? sub.evento : other;
    const endpoint = random.chance(0.8) ? this.#newEndpoint() : sub.endpoint;
    this.#machine.note(`change ${sub.secret} to ${evento} at ${endpoint}`);
    const changed = product.subscriptions.change(sub.documento, { id: sub.id, evento, endpoint });
    this.#then(changed, () => ledger.changed(sub, evento, endpoint));
  }

  #unsubscribe(): void {
    const { ledger } = this.#machine;
    // Prefers a subscription with a request in transit.
    const busy = [...ledger.owed.values()].find(
      ({ exchange, sub }) => exchange !== undefined && sub.deletedAt === null,
    );
    const sub = busy?.sub ?? this.#anySubscription();
    if (sub !== undefined) this.#end(sub);
  }

  #end(sub: Subscribed): void {
    const { product, ledger, time } = this.#machine;
    this.#machine.note(`unsubscribe ${sub.secret}`);
    const ended = product.subscriptions.unsubscribe(sub.documento, sub.id);
    this.#then(ended, () => ledger.ended(sub, MOTIVO_USER, time.now));
  }

  #replay(): void {
    const { product, ledger, random, time } = this.#machine;
    const candidates = [...ledger.owed.values()].filter(
      ({ state, sub }) => state !== 'cancelled' && sub.deletedAt === null,
    );
    if (candidates.length === 0) return;
    const owed = random.pick(candidates);
    this.#machine.note(`replay ${owed.id}, ${owed.state}`);
    this.#then(product.history.replay(owed.id), () => ledger.replayed(owed, time.now));
  }

  #replayFailed(): void {
    const { product, ledger, random, time } = this.#machine;
    const from = time.now - random.magnitude(HOUR_MS, 20 * DAY_MS);
    const failed = [...ledger.owed.values()].filter(
      ({ state, finishedAt, sub }) =>
        state === 'failed' && (finishedAt ?? 0) >= from && sub.deletedAt === null,
    );
    this.#machine.note(`replay of all ${failed.length} that failed`);
    this.#then(product.history.replayFailedSince(from), ({ replayed }) => {
      if (replayed !== failed.length)
        throw new Violation(`${replayed} were replayed of ${failed.length} that failed`);
      for (const owed of failed) ledger.replayed(owed, time.now);
    });
  }

  #stepClock(): void {
    const { random } = this.#machine;
    const ms = random.chance(0.5)
      ? random.magnitude(SECOND_MS, HOUR_MS)
      : random.integer(HOUR_MS, STEP_MAX_MS);
    this.#machine.stepClock(random.chance(0.5) ? ms : -ms);
  }

  /** Returns mostly at once, sometimes after weeks. */
  #comeBackLater(): void {
    const { random } = this.#machine;
    const ms = random.chance(0.1)
      ? random.integer(20 * DAY_MS, 35 * DAY_MS)
      : random.magnitude(SECOND_MS, 2 * DAY_MS);
    this.#machine.plan(ms, () => {
      if (this.#machine.isOff) this.#machine.switchOn();
    });
  }

  /** `take` runs in the turn of the commit. */
  #then<T>(done: Promise<T>, take: (result: T) => void): void {
    const { stir, fault } = this.#machine;
    const living = this.#machine.lifecycle;
    done
      .then((result) => {
        take(result);
        stir();
      })
      .catch((error: unknown) => living.alive && fault(error));
  }

  #isSubscribed(documento: string, evento: string): boolean {
    return this.#machine.ledger
      .activeSubs()
      .some((sub) => sub.documento === documento && sub.evento === evento);
  }

  #anySubscription(): Subscribed | undefined {
    const { ledger, random } = this.#machine;
    const active = ledger.activeSubs();
    return active.length === 0 ? undefined : random.pick(active);
  }

  /** Returns a unique endpoint. */
  #newEndpoint(): string {
    const { hosts, random } = this.#machine;
    return `https://${random.pick(hosts).name}/${++this.#endpoints}`;
  }
}
