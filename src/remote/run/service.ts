/** Service of runs: starts, reads, pauses, resumes and cancels them. */
import type { Actor, ChangeAction } from '../../change.ts';
import type { EpochMs } from '../../clock.ts';
import type { Writer } from '../../db/writer.ts';
import type { AlsoWrite } from '../../idempotency/service.ts';
import { notFound } from '../../errors.ts';
import { represents, requireRight } from '../../session/guard.ts';
import { type Caller, SYSTEM } from '../../session/model.ts';
import type { RemoteKind, RemoteState } from '../compare/model.ts';
import { freeDeactivations } from '../../catalogue/brake.ts';
import { refuse, violated } from '../../catalogue/codes.ts';
import { formatValue } from '../../validation/format-value.ts';
import { refuseRemote } from '../codes.ts';
import type { Comparisons, IsOrphaned } from '../comparisons.ts';
import type { Comparison } from '../model.ts';
import { keysOfCode } from '../forms.ts';
import type { RemoteStore } from '../store.ts';
import type { Pace } from '../wire/model.ts';
import {
  FETCHABLE_STATES,
  RUN_KINDS,
  type Run,
  type RunState,
  type Step,
  type StepOutcome,
} from './model.ts';
import type { RunForm, RunRequest } from './schemas.ts';
import { estimatedEnd } from './estimate.ts';
import { DEFAULT_STATES, ACCEPTED_STATES } from './planner.ts';
import type { RunRunner } from './runner.ts';
import { runOf } from './forms.ts';
import type { OutcomeCount, RunStore } from './store.ts';
import { remoteWork } from '../service.ts';

/** The state that deactivates records in each direction, and the side where it does. */
const DEACTIVATIONS = {
  send: { state: 'desativadoAqui', side: 'there', where: 'lá' },
  fetch: { state: 'desativadoLa', side: 'here', where: 'aqui' },
} as const;

export type Runs = ReturnType<typeof createRuns>;

export function createRuns({
  runs,
  remotes,
  writer,
  comparisons,
  runner,
  hasConnection,
  endImports,
  paceOf,
}: {
  readonly runs: RunStore;
  readonly remotes: RemoteStore;
  readonly writer: Writer;
  readonly comparisons: Comparisons;
  readonly runner: RunRunner;
  readonly hasConnection: (remoteId: number) => boolean;
  /** Ends the local imports of a cancelled run. */
  readonly endImports: (run: Run, by: Actor) => Promise<void>;
  readonly paceOf: (remoteId: number, now: EpochMs) => Pace;
}) {
  /** Queues a run of a comparison and returns its id. Throws 404, 422. */
  async function start(
    caller: Caller,
    comparisonId: number,
    request: RunRequest,
    alsoWrite?: AlsoWrite,
  ): Promise<number> {
    const { documento, key } = caller;
    const { direction, kinds, states, codigos, simulate = false } = request;
    const started = await writer.write((tx) => {
      const comparison = comparisons.findDone(caller, comparisonId);
      const { remoteId, cpfCnpjRaiz } = comparison;
      requireRight(caller, cpfCnpjRaiz, simulate ? 'leitura' : 'aprovacao');
      refuseUnknownStates(request);
      if (direction === 'fetch') requireExports(comparison);
      else if (!simulate && !hasConnection(remoteId))
        refuseRemote(
          'noAddress',
          '/simulate',
          `o remoto ${comparison.remote} não tem endereço; envie simulate: true para ver os passos, e os arquivos de 100 (files.zip) para enviar.`,
        );
      if (remotes.newestOf(remoteId, cpfCnpjRaiz) !== comparisonId)
        refuseRemote(
          'newerComparison',
          'id',
          `há uma comparação mais nova que a ${comparisonId}; o plano dela já não vale. Use a mais nova.`,
        );
      refuseUnknownCodes(comparison, request);
      refuseManyDeactivations(comparison, request);
      const open = runs.findOpen(remoteId, cpfCnpjRaiz);
      if (open !== undefined)
        refuseRemote(
          'runUnderWay',
          'id',
          `o envio ${open} entre este remoto e esta empresa não terminou; espere por ele, ou cancele-o.`,
        );
      const filter = { kinds, states, codigos };
      const id = runs.insert(
        {
          remoteId,
          cpfCnpjRaiz,
          comparisonId,
          direction,
          documento,
          key,
          asked: filter,
          simulated: simulate,
        },
        tx.now,
      );
      const run = { id, remote: comparison.remote, cpfCnpjRaiz, direction };
      tx.record(remoteWork(run, direction === 'send' ? 'ENVIO' : 'BUSCA', caller));
      alsoWrite?.(tx, id);
      return id;
    });
    runner.wake();
    return started;
  }

  /**
   * Checks that the exports of the comparison are kept, because a run fetches what the comparison saw.
   * Throws 422.
   */
  function requireExports({ id, counts }: Comparison): void {
    const isContentMissing = (['produto', 'operador'] as const).some((kind) =>
      FETCHABLE_STATES.some((state) => (counts?.[kind][state] ?? 0) > 0),
    );
    if (isContentMissing && remotes.findKept(id) === undefined)
      refuseRemote(
        'notKept',
        'id',
        `as exportações da comparação ${id} não estão mais aqui; compare de novo, e traga dessa.`,
      );
  }

  /** Throws 422 for the first code that no record of the requested kinds has. */
  function refuseUnknownCodes({ id }: Comparison, { kinds: requestedKinds, codigos = [] }: RunRequest): void {
    const kinds: readonly RemoteKind[] = requestedKinds ?? RUN_KINDS;
    const isInComparison = (kind: RemoteKind, codigo: string): boolean => {
      const keys = keysOfCode(kind, codigo);
      return keys !== undefined && remotes.hasKey(id, kind, ...keys);
    };
    for (const [index, codigo] of codigos.entries())
      if (!kinds.some((kind) => isInComparison(kind, codigo)))
        refuseRemote(
          'unknownCodigo',
          `/codigos/${index}`,
          `recebido ${formatValue(codigo)}; a comparação ${id} não tem ${kinds.join(', ')} com esse código. Envie os códigos como estão em records.`,
        );
  }

  /** Throws 422 with the number of deactivations when it is over the limit. */
  function refuseManyDeactivations({ id }: Comparison, request: RunRequest): void {
    const { direction, kinds = RUN_KINDS, states = DEFAULT_STATES[direction], codigos } = request;
    const { state, side, where } = DEACTIVATIONS[direction];
    const pairedKinds = kinds.filter((kind) => kind !== 'vinculo');
    const count = remotes.countRecords(id, state, { states, kinds: pairedKinds, codigos });
    const active = remotes.activeOf(id)[side];
    const max = request.maxDeactivations ?? freeDeactivations(active);
    if (count > max)
      refuse([
        violated(
          'tooManyDeactivations',
          '/maxDeactivations',
          `desativaria ${where} ${count} produto(s) e operador(es), e o permitido é ${max}. Confira-os na comparação; se devem sair, informe ${count}.`,
        ),
      ]);
  }

  /** Returns the runs of a company, newest first. `remote` limits them to one remote. */
  function list(cpfCnpjRaiz: string, remote?: string): Run[] {
    return runs.listOf(cpfCnpjRaiz).filter((run) => remote === undefined || run.remote === remote);
  }

  /** Returns a run. Throws 404, also when the caller may not see it. */
  function find(caller: Caller, id: number): Run {
    const run = runs.find(id);
    if (run === undefined || !represents(caller, run.cpfCnpjRaiz))
      throw notFound(`Não existe envio ${id} de uma empresa que o usuário logado representa.`);
    return run;
  }

  /** Pauses a run: the step under way ends, and nothing more is sent. Throws 404, 422. */
  function pause(caller: Caller, id: number, reason = `parado por ${caller.documento}`): Promise<Run> {
    return changeState(caller, id, 'PARADA', ['running', 'resting'], (run) => {
      runs.setState(run.id, 'paused', reason);
    });
  }

  /** Resumes a paused run in the name of the caller. Throws 404, 422. */
  function resume(caller: Caller, id: number): Promise<Run> {
    return changeState(caller, id, 'CONTINUACAO', ['paused'], (run) => {
      runs.setState(run.id, 'running', null);
      runs.setOrderer(run.id, caller);
    });
  }

  /** Cancels a run: steps that did not begin are never sent. Throws 404, 422. */
  async function cancel(caller: Caller, id: number): Promise<Run> {
    const run = await changeState(
      caller,
      id,
      'CANCELAMENTO',
      ['queued', 'running', 'resting', 'paused'],
      (cancelledRun, now) => {
        runs.end(cancelledRun.id, 'cancelled', `cancelado por ${caller.documento}`, now);
      },
    );
    await endImports(run, caller);
    return run;
  }

  /** Ends the runs whose remote or company no longer exists. */
  async function endOrphaned(isOrphaned: IsOrphaned, reason: string): Promise<void> {
    const orphaned = await writer.write((tx) => {
      const ended = runs.listOpen().filter(isOrphaned);
      for (const { id } of ended) runs.end(id, 'cancelled', reason, tx.now);
      return ended;
    });
    for (const run of orphaned) {
      runner.pause(run.id);
      await endImports(run, SYSTEM);
    }
  }

  async function changeState(
    caller: Caller,
    id: number,
    action: ChangeAction,
    from: readonly RunState[],
    change: (run: Run, now: EpochMs) => void,
  ): Promise<Run> {
    await writer.write((tx) => {
      const run = find(caller, id);
      requireRight(caller, run.cpfCnpjRaiz, 'aprovacao');
      if (!from.includes(run.state))
        refuseRemote('notUnderWay', '/id', `o envio ${id} está em ${run.state}; só de ${from.join(', ')}.`);
      change(run, tx.now);
      tx.record(remoteWork(run, action, caller));
    });
    runner.pause(id); // a resumed run starts with a new worker
    runner.wake();
    return find(caller, id);
  }

  /** Returns the response form of a run with its estimated end. */
  function formOf(run: Run, now: EpochMs): RunForm {
    const { state, simulated, remoteId, direction } = run;
    const isOver = (state === 'done' && !simulated) || state === 'failed' || state === 'cancelled';
    const stepCounts = counts(run);
    // A fetch sends no requests: its data came with the comparison.
    const ends =
      isOver || direction === 'fetch' ? null : estimatedEnd(stepCounts, paceOf(remoteId, now), now);
    return runOf(run, stepCounts, ends);
  }

  /** Returns the progress of a run. */
  function counts({ id }: Run): OutcomeCount[] {
    return runs.counts(id);
  }

  /** Returns a page of steps. Throws 404. */
  function steps(caller: Caller, id: number, after: number, limit: number, outcome?: StepOutcome): Step[] {
    return runs.steps(find(caller, id).id, after, limit, outcome);
  }

  return { start, list, find, pause, resume, cancel, endOrphaned, formOf, counts, steps };
}

/** Checks the states of the direction. Throws 422. */
function refuseUnknownStates({ direction, states }: RunRequest): void {
  const acceptedStates: readonly RemoteState[] = ACCEPTED_STATES[direction];
  const unknownState = states?.find((state) => !acceptedStates.includes(state));
  if (unknownState !== undefined)
    refuseRemote(
      'wrongState',
      '/states',
      `recebido ${unknownState}; ${direction} aceita ${acceptedStates.join(', ')}.`,
    );
}
