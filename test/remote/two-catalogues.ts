/**
 * Two whole catalogues in one process, one sending to the other, and a connection between them with injected
 * faults (contract section 18).
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REAL_TIME, TestClock, endOfTurn } from '../../src/clock.ts';
import { importLimits } from '../../src/catalogue/import/feed.ts';
import { downloadLinks } from '../../src/remote/run/links-there.ts';
import type { RunFilter, Run, Step } from '../../src/remote/run/model.ts';
import { Sender } from '../../src/remote/run/sender.ts';
import { StepStore } from '../../src/remote/run/step-store.ts';
import { RunWorker, type RunWorkerDependencies } from '../../src/remote/run/worker.ts';
import type { Wire, WireAnswer, WireRequest } from '../../src/remote/wire/model.ts';
import { PairStore } from '../../src/remote/compare/pair-store.ts';
import { RemoteStore } from '../../src/remote/store.ts';
import { type Client, START, type TestApp, openApp } from '../support/app.ts';
import { COMPANY, compare } from './support.ts';

/** The process ends at this point. */
class Killed extends Error {}

/** The fate of one request. */
export type Fate =
  | 'done'
  | 'lost-answer'
  | 'drop'
  | 'late'
  | 'rest'
  | 'killed-before'
  | 'killed-after'
  /** Done, and answered with JSON that is not a record. */
  | 'garbled'
  /** Done, and answered with the answer to the previous request. */
  | 'doubled'
  /** Applies to a lookup; any other request is done. */
  | 'refused-lookup';

type TestWire = Wire & Partial<Pick<FaultyWire, 'begin' | 'doLate'>>;

const EXPORTS = {
  produtos: `/catp/api/ext/produto/exportar/${COMPANY}/true`,
  operadores: `/catp/api/ext/operador-estrangeiro/exportar/${COMPANY}/true`,
  vinculos: `/catp/api/ext/fabricante/exportar/${COMPANY}`,
};
const PRODUCTS = `/catp/api/ext/produto/${COMPANY}`;
const PLAIN = { descricao: 'Com tampa', modalidade: 'IMPORTACAO', ncm: '39269090' };

export class TwoCatalogues {
  readonly clock: TestClock;
  readonly localApp: TestApp;
  readonly remoteApp: TestApp;
  ours: Client;
  theirs: Client;
  /** Called after each arrow of a step's state machine. */
  onArrow: ((run: Run, step: Step) => void) | undefined;

  /** Reasons of paused runs, as people read them. */
  readonly pauses: string[] = [];

  private constructor(clock: TestClock, here: TestApp, there: TestApp, [ours, theirs]: [Client, Client]) {
    [this.clock, this.localApp, this.remoteApp] = [clock, here, there];
    [this.ours, this.theirs] = [ours, theirs];
  }

  /** Opens both. `perfil`: the profile of the remote. */
  static async open(perfil = 'portal'): Promise<TwoCatalogues> {
    const clock = new TestClock(START);
    const [here, there] = [await openApp({ clock }), await openApp({ clock, settings: { perfil } })];
    const admin = await here.as('admin');
    await admin.call('POST', '/appliance/api/remotes', { name: 'portal', companies: [COMPANY] });
    return new TwoCatalogues(clock, here, there, [await here.as('demo'), await there.as('demo')]);
  }

  async close(): Promise<void> {
    await this.localApp.close();
    await this.remoteApp.close();
  }

  /** Signs in again after a session ended, no sooner than the remote allows. */
  async signIn(): Promise<void> {
    this.clock.moveTo(this.clock.now() + 61_000);
    [this.ours, this.theirs] = [await this.localApp.as('demo'), await this.remoteApp.as('demo')];
  }

  async runComparison() {
    await this.signIn();
    const files: Record<string, unknown> = {};
    for (const [name, path] of Object.entries(EXPORTS))
      files[name] = (await this.theirs.call('GET', path)).bytes;
    return compare(this.localApp, this.ours, files);
  }

  /** Plans a run of the comparison and works it off; starts again after each kill. */
  async run(wire: TestWire, decide?: (comparisonId: number) => Promise<unknown>, filter: RunFilter = {}) {
    const { clock, localApp } = this;
    const { id: comparisonId } = await this.runComparison();
    await decide?.(comparisonId);
    const { core } = localApp.app;
    const { runStore: runs, runRunner } = core.remote;
    const { db, writer } = core;
    const [steps, remotes, pairs] = [new ReportedSteps(db, this), new RemoteStore(db), new PairStore(db)];
    const remoteId = remotes.find('portal')?.id ?? 0;
    const order = { remoteId, cpfCnpjRaiz: COMPANY, comparisonId, documento: '1', key: null, asked: filter };
    const id = await writer.write((tx) =>
      runs.insert({ ...order, direction: 'send', simulated: false }, tx.now),
    );
    await runRunner.plan(id);
    const sender = new Sender({
      db,
      writer,
      clock,
      steps,
      remotes,
      pairs,
      downloadLinks: ({ cpfCnpjRaiz }, over) =>
        downloadLinks(over, cpfCnpjRaiz, {
          file: join(localApp.folder, 'vinculos.zip'),
          limits: importLimits(1e8),
          now: clock.now(),
        }),
    });
    for (;;) {
      wire.begin?.();
      const paused: RunWorkerDependencies['paused'] = (_tx, _run, reason) => void this.pauses.push(reason);
      const worker = new RunWorker(
        { runs, steps, sender, writer, clock, realTime: REAL_TIME, paused },
        id,
        wire,
      );
      let isOver = false;
      const work = worker.work().finally(() => (isOver = true));
      work.catch(() => undefined);
      while (!isOver) {
        await endOfTurn();
        if (isOver || runs.find(id)?.state !== 'resting') continue;
        await wire.doLate?.();
        const next = clock.nextTimer();
        if (next !== undefined && runs.find(id)?.state === 'resting')
          clock.moveTo(Math.max(next, clock.now()));
      }
      try {
        await work;
        return { run: runs.find(id), steps: runs.steps(id, 0, 1000) };
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
      }
    }
  }

  /** Writes one of our own records. */
  async ok(method: string, path: string, body?: object) {
    const reply = await this.ours.call(method, path, body);
    if (reply.status !== 200) throw new Error(reply.text);
    return reply.json;
  }

  async include(denominacao: string, codigosInterno: string[] = []): Promise<number> {
    return (await this.ok('POST', PRODUCTS, { ...PLAIN, denominacao, codigosInterno })).codigo;
  }

  change(codigo: number, denominacao: string, codigosInterno: string[] = []) {
    return this.ok('PUT', `${PRODUCTS}/${codigo}`, { ...PLAIN, denominacao, codigosInterno });
  }

  deactivate(codigo: number) {
    return this.ok('PUT', `/catp/api/ext/produto/desativar/${COMPANY}/${codigo}`);
  }

  /** Includes a German operator. */
  async includeOperator(members: object = {}): Promise<string> {
    const maker = { nome: 'Muster', logradouro: 'Hauptstrasse 1', nomeCidade: 'Bonn', ...members };
    return (await this.ok('POST', `/catp/api/ext/operador-estrangeiro/${COMPANY}/DE`, maker)).codigo;
  }

  /** Links, or unlinks with `PUT`. */
  link(codigoProduto: number, codigoOperadorEstrangeiro: string, method: 'POST' | 'PUT' = 'POST') {
    const operator = { conhecido: true, codigoPais: 'DE', codigoOperadorEstrangeiro };
    return this.ok(method, `/catp/api/ext/fabricante/${COMPANY}`, { codigoProduto, ...operator });
  }

  async remoteNames(): Promise<string[]> {
    await this.signIn();
    const list = await this.theirs.call('GET', `/catp/api/ext/produto?cpfCnpjRaiz=${COMPANY}`);
    return list.status === 204 ? [] : list.json.map((one: { denominacao: string }) => one.denominacao);
  }

  /** Calls the remote catalogue; signs in again after the session has ended. */
  async callRemote(method: string, path: string, body?: unknown) {
    const reply = await this.theirs.call(method, path, body);
    if (reply.status !== 401) return reply;
    this.clock.moveTo(this.clock.now() + 61_000);
    this.theirs = await this.remoteApp.as('demo');
    return this.theirs.call(method, path, body);
  }
}

class ReportedSteps extends StepStore {
  readonly #two: TwoCatalogues;

  constructor(db: ConstructorParameters<typeof StepStore>[0], two: TwoCatalogues) {
    super(db);
    this.#two = two;
  }

  override put(run: Run, step: Step, now: number): void {
    super.put(run, step, now);
    this.#two.onArrow?.(run, step);
  }
}

const REFUSED_LOOKUP: WireAnswer = {
  kind: 'answer',
  status: 403,
  body: { code: 'X-2', message: 'não pode ver' },
};

export class FaultyWire implements Wire {
  readonly requests: string[] = [];
  readonly strayRequests: string[] = [];
  readonly #two: TwoCatalogues;
  readonly #late: WireRequest[] = [];
  readonly #reportedRests = new Set<string>();
  readonly #closed = new Map<string, number>();
  readonly #fate: (request: WireRequest) => Fate;
  #before: WireAnswer | undefined;

  constructor(two: TwoCatalogues, fate: (request: WireRequest) => Fate) {
    [this.#two, this.#fate] = [two, fate];
  }

  /** Returns whether a requested change is not done yet. */
  get hasLate(): boolean {
    return this.#late.length > 0;
  }

  /** Returns the same wire with another way to send requests. */
  asking(ask: Wire['ask']): TestWire {
    return {
      ask,
      download: (request, file) => this.download(request, file),
      begin: () => this.begin(),
      doLate: () => this.doLate(),
    };
  }

  async ask(request: WireRequest): Promise<WireAnswer> {
    const { operation, method } = request;
    const { clock } = this.#two;
    const closedUntil = this.#closed.get(operation) ?? 0;
    if (closedUntil > clock.now()) {
      if (this.#reportedRests.has(operation)) this.strayRequests.push(operation);
      return this.#rest(operation, closedUntil); // no request is sent: the counts are stored
    }
    this.requests.push(`${method} ${operation}`);
    const fate = this.#fate(request);
    if (fate === 'rest') {
      const until = clock.now() + 3_600_000;
      this.#closed.set(operation, until);
      return this.#rest(operation, until);
    }
    if (fate === 'killed-before') throw new Killed();
    if (fate === 'drop') return { kind: 'unknown', reason: 'cortada' };
    if (fate === 'late') {
      this.#late.push(request);
      return { kind: 'unknown', reason: 'sem resposta em 60 s' };
    }
    if (fate === 'refused-lookup' && method === 'GET') return REFUSED_LOOKUP;
    const before = this.#before;
    const answer = await this.#call(request);
    this.#before = answer;
    if (fate === 'killed-after') throw new Killed();
    if (fate === 'garbled') return { kind: 'answer', status: 200, body: { pagina: 'de outro' } };
    if (fate === 'doubled') return before ?? answer;
    return fate === 'lost-answer' ? { kind: 'unknown', reason: 'cortada' } : answer;
  }

  /** Starts another process, which does not know the pause yet. */
  begin(): void {
    this.#reportedRests.clear();
  }

  /** Executes the requests that the remote finishes after the client gave up. */
  async doLate(): Promise<void> {
    for (const request of this.#late.splice(0)) await this.#call(request);
  }

  async download(request: WireRequest, file: string): Promise<WireAnswer> {
    if (this.#fate(request) === 'refused-lookup') return REFUSED_LOOKUP;
    const { path } = request;
    const reply = await this.#two.callRemote('GET', path);
    writeFileSync(file, reply.bytes);
    return { kind: 'answer', status: reply.status, body: undefined };
  }

  #rest(operation: string, until: number): WireAnswer {
    this.#reportedRests.add(operation);
    return { kind: 'rest', until, operation, reason: 'limite por hora' };
  }

  async #call({ method, path, body }: WireRequest): Promise<WireAnswer> {
    const reply = await this.#two.callRemote(method, path, body);
    return { kind: 'answer', status: reply.status, body: reply.text === '' ? undefined : reply.json };
  }
}
