/** Service of comparisons: starts them, reads them, and records the decisions about records in doubt. */
import type { Actor } from '../change.ts';
import type { Transaction, Writer } from '../db/writer.ts';
import type { AlsoWrite } from '../idempotency/service.ts';
import { OperatorError, notFound } from '../errors.ts';
import type { QuotaOwner } from '../fair-shares.ts';
import { rootsIn } from '../session/account-roots.ts';
import { hasRight, represents, requireRight } from '../session/guard.ts';
import { COMMAND_LINE, type Caller } from '../session/model.ts';
import type { FileLimits } from '../files/file-limits.ts';
import type { Reads } from '../reading/pool.ts';
import type { DecidedRead } from './compare/decided.ts';
import type { ComparedFiles } from './compare/model.ts';
import type { PairStore } from './compare/pair-store.ts';
import { formatValue } from '../validation/format-value.ts';
import { comparisonFailure, refuseRemote } from './codes.ts';
import type { ComparisonReaders } from './comparison-readers.ts';
import type { RemoteLocks } from './remote-locks.ts';
import type { ComparedRecord, Comparison, PairRequest, Remote } from './model.ts';
import { PairDecisions, readDifferences } from './pair-decisions.ts';
import type { ComparisonRunner } from './runner.ts';
import { type RemoteService, remoteWork } from './service.ts';
import type { RemoteStore } from './store.ts';

/** Returns true when the remote or the company of a comparison or run no longer exists. */
export type IsOrphaned = (work: Pick<Comparison, 'remoteId' | 'cpfCnpjRaiz'>) => boolean;

interface Options {
  readonly forced: boolean;
  /** Files in the imports folder. `null`: the exports are fetched. */
  readonly files: ComparedFiles | null;
}

export interface ComparisonOptions extends Options {
  readonly cpfCnpjRaiz: string;
}

/** The text that stands for all companies of a remote that the caller may compare. */
const ALL_COMPANIES = 'todas';

/** Creates the refusal of a command while another command compares the same company. */
export const comparedByOtherProcess = (remote: string, cpfCnpjRaiz: string): OperatorError =>
  new OperatorError(
    `Outro comando compara a empresa ${cpfCnpjRaiz} com o remoto ${formatValue(remote)}; espere que termine.`,
  );

export type Comparisons = ReturnType<typeof createComparisons>;

export function createComparisons({
  store,
  pairs,
  writer,
  remotes,
  runner,
  remoteLocks,
  reads,
  readers,
  limits,
  pathOf,
}: {
  readonly store: RemoteStore;
  readonly pairs: PairStore;
  readonly writer: Writer;
  readonly remotes: RemoteService;
  readonly runner: ComparisonRunner;
  readonly remoteLocks: RemoteLocks;
  readonly reads: Reads<DecidedRead>;
  readonly readers: ComparisonReaders;
  readonly limits: FileLimits;
  /** Returns the path of a file in the imports folder. */
  readonly pathOf: (storedFile: string) => string;
}) {
  /** Queues a comparison and returns its id. Throws 403, 404, 422. */
  async function start(
    caller: Caller,
    name: string,
    options: ComparisonOptions,
    alsoWrite?: AlsoWrite,
  ): Promise<number> {
    return queue(caller, name, [options.cpfCnpjRaiz], options, () => '/cpfCnpjRaiz', alsoWrite);
  }

  /**
   * Queues one comparison per company, all or none, whose exports are fetched. Returns the id of the first;
   * the others follow it without a gap. Throws 403, 404, 422.
   */
  function startEach(
    caller: Caller,
    name: string,
    companies: readonly string[],
    forced: boolean,
    alsoWrite?: AlsoWrite,
  ): Promise<number> {
    const options = { forced, files: null };
    return queue(caller, name, companies, options, (index) => `/companies/${index}`, alsoWrite);
  }

  /** Returns the companies of a request for several, without repetitions. Throws 404, 422. */
  function companiesOf(caller: Caller, name: string, requested: unknown): readonly string[] {
    if (requested !== ALL_COMPANIES) return [...new Set(rootsIn(requested))];
    const companies = remotes
      .find(name)
      .companies.filter((company) => hasRight(caller, company, 'aprovacao'));
    if (companies.length === 0)
      refuseRemote(
        'companyElsewhere',
        '/companies',
        `o remoto ${formatValue(name)} não tem nenhuma empresa em que o usuário logado tem aprovacao; um administrador a acrescenta às empresas do remoto.`,
      );
    return companies;
  }

  async function queue(
    caller: Caller,
    name: string,
    companies: readonly string[],
    options: Options,
    pathOf: (index: number) => string,
    alsoWrite: AlsoWrite | undefined,
  ): Promise<number> {
    for (const company of companies) requireRight(caller, company, 'aprovacao');
    const { documento } = caller;
    const initial = { documento, state: 'queued', files: options.files } as const;
    const first = await writer.write((tx) => {
      const ids = companies.map((cpfCnpjRaiz, index) =>
        insert(tx, name, { ...options, cpfCnpjRaiz }, initial, caller, pathOf(index)),
      );
      const [id = 0] = ids;
      alsoWrite?.(tx, id);
      return id;
    });
    runner.wake();
    return first;
  }

  /**
   * Makes a comparison from files at any path, or from fetched exports, for a command on the data folder.
   * Throws 404, 422.
   */
  async function runNow(name: string, options: ComparisonOptions): Promise<Comparison> {
    const pair = {
      remoteId: remoteOfCompany(name, options.cpfCnpjRaiz).id,
      cpfCnpjRaiz: options.cpfCnpjRaiz,
    };
    using lock = remoteLocks.takeComparison(pair);
    if (lock === undefined) throw comparedByOtherProcess(name, options.cpfCnpjRaiz);
    await runner.endInterrupted(pair);
    return await runLocked(name, options); // holds the lock
  }

  async function runLocked(name: string, options: ComparisonOptions): Promise<Comparison> {
    const { files } = options;
    const initial = { documento: '', state: 'running', files: null } as const;
    const id = await writer.write((tx) => insert(tx, name, options, initial, COMMAND_LINE));
    await (files === null ? runner.fetchAndRun(id) : runner.run(id, files));
    const comparison = store.findComparison(id);
    if (comparison === undefined) throw new Error(`Comparison ${id} is gone.`);
    return comparison;
  }

  /** Inserts a comparison. Throws 404, 422. */
  function insert(
    tx: Transaction,
    name: string,
    { cpfCnpjRaiz, forced, files }: ComparisonOptions,
    initial: Pick<Comparison, 'documento' | 'state' | 'files'>,
    by: Actor,
    path?: string,
  ): number {
    const { id: remoteId } = remoteOfCompany(name, cpfCnpjRaiz, path);
    if (files === null && !remotes.hasConnection(remoteId))
      refuseRemote(
        'noAddress',
        '/produtos',
        `o remoto ${formatValue(name)} não tem endereço; envie as três exportações de lá, ou peça a um administrador que o ponha no cadastro.`,
      );
    const id = store.insertComparison({ remoteId, cpfCnpjRaiz, forced, ...initial }, tx.now);
    tx.record(remoteWork({ id, remote: name, cpfCnpjRaiz }, 'COMPARACAO', by));
    return id;
  }

  /** Returns a remote that serves the company. `path`: the member that names it. Throws 404, 422. */
  function remoteOfCompany(name: string, cpfCnpjRaiz: string, path = '/cpfCnpjRaiz'): Remote {
    const remote = remotes.find(name);
    if (!remote.companies.includes(cpfCnpjRaiz))
      refuseRemote(
        'companyElsewhere',
        path,
        `o remoto ${formatValue(name)} não tem a empresa ${cpfCnpjRaiz}; tem ${remote.companies.join(', ')}. Um administrador a acrescenta às empresas do remoto.`,
      );
    return remote;
  }

  /** Returns the comparisons of a company, newest first. `remote` limits them to one remote. */
  function list(cpfCnpjRaiz: string, remote?: string): Comparison[] {
    return store
      .listOf(cpfCnpjRaiz)
      .filter((comparison) => remote === undefined || comparison.remote === remote);
  }

  /** Returns a comparison. Throws 404, also when the caller may not see it. */
  function find(caller: Caller, id: number): Comparison {
    const comparison = store.findComparison(id);
    if (comparison === undefined || !represents(caller, comparison.cpfCnpjRaiz))
      throw notFound(`Não existe comparação ${id} de uma empresa que o usuário logado representa.`);
    return comparison;
  }

  /**
   * Cancels a queued or running comparison, for a caller who may start one. Does nothing when it is over.
   * Throws 404.
   */
  async function cancel(caller: Caller, id: number): Promise<void> {
    const comparison = find(caller, id);
    const { remote, cpfCnpjRaiz } = comparison;
    requireRight(caller, cpfCnpjRaiz, 'aprovacao');
    const isFirst = await writer.write((tx) => {
      const isOpen = store.cancel(
        id,
        comparisonFailure('cancelledComparison', `cancelada por ${caller.documento}`),
      );
      const after = { cpfCnpjRaiz, id };
      if (isOpen)
        tx.record({ by: caller, action: 'CANCELAMENTO', kind: 'remoto', key: remote, before: null, after });
      return isOpen;
    });
    if (isFirst) await runner.release(comparison);
  }

  /** Ends the comparisons whose remote or company no longer exists. */
  async function endOrphaned(isOrphaned: IsOrphaned, reason: string): Promise<void> {
    const ended = await writer.write(() =>
      store
        .listUnfinished()
        .filter(isOrphaned)
        .filter(({ id }) => store.cancel(id, comparisonFailure('cancelledComparison', reason))),
    );
    for (const comparison of ended) await runner.release(comparison);
  }

  /** Returns a finished comparison. Throws 404, 422. */
  function findDone(caller: Caller, id: number): Comparison {
    const comparison = find(caller, id);
    if (comparison.state !== 'done')
      refuseRemote(
        'notCompared',
        'id',
        `a comparação ${id} está em ${comparison.state}; espere até que termine (done), ou faça outra.`,
      );
    return comparison;
  }

  /** Returns the newest finished comparison. Throws 404, 422. */
  function newest(name: string, cpfCnpjRaiz: string): Comparison {
    const id = store.newestOf(remoteOfCompany(name, cpfCnpjRaiz).id, cpfCnpjRaiz);
    const comparison = id === undefined ? undefined : store.findComparison(id);
    if (comparison === undefined)
      throw notFound(
        `Não há comparação da empresa ${cpfCnpjRaiz} com o remoto ${formatValue(name)}; faça uma antes.`,
      );
    return comparison;
  }

  /**
   * Records a person's decisions about pairs, or about the sides whose content is right: all or none. Returns
   * the records in the same order. `pointerOf` returns the pointer to a decision in the request. Throws 404,
   * 422.
   */
  async function decidePairs(
    caller: Caller,
    quotaOwner: QuotaOwner,
    id: number,
    requests: readonly PairRequest[],
    pointerOf: (index: number) => string,
  ): Promise<ComparedRecord[]> {
    const read = findDone(caller, id);
    const differences = await readDifferences(
      { store, reads, limits, pathOf },
      readers.quotaOwnerOf(quotaOwner, read),
      read,
      requests,
    );
    return writer.write((tx) => {
      const comparison = findDone(caller, id);
      const { remoteId, cpfCnpjRaiz } = comparison;
      requireRight(caller, cpfCnpjRaiz, 'aprovacao');
      if (store.newestOf(remoteId, cpfCnpjRaiz) !== id)
        refuseRemote('newerComparison', 'id', `há uma comparação mais nova que a ${id}; decida nela.`);
      const decisions = new PairDecisions({ store, pairs }, comparison, differences);
      const records = requests.map((request, index) => decisions.decide(request, pointerOf(index)));
      store.putCounts(id, decisions.counts);
      tx.record(remoteWork(comparison, 'PAREAMENTO', caller));
      return records;
    });
  }

  return {
    start,
    startEach,
    companiesOf,
    runNow,
    remoteOfCompany,
    list,
    find,
    cancel,
    endOrphaned,
    findDone,
    newest,
    decidePairs,
  };
}
