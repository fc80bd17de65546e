/**
 * `catp remote send` and `catp remote fetch`: shows the plan, asks for confirmation, runs it and shows the
 * progress (contract section 18).
 */
import type { Command } from 'commander';
import { REAL_TIME, SECOND_MS, monotonicMs } from '../clock.ts';
import { withUsableFolder } from '../db/folder.ts';
import { lockFolder } from '../db/lock.ts';
import { OperatorError, UsageError } from '../errors.ts';
import type { RemoteKind } from '../remote/compare/model.ts';
import { KIND_WORDS } from '../remote/records.ts';
import {
  type Direction,
  FETCHABLE_STATES,
  RUN_KINDS,
  type Run,
  type RunState,
  SENDABLE_STATES,
} from '../remote/run/model.ts';
import type { RunRequest } from '../remote/run/schemas.ts';
import { momentText } from '../validation/calendar.ts';
import { formatValue } from '../validation/format-value.ts';
import { withCount } from '../validation/text.ts';
import { onFolder, printLine } from './folder-command.ts';
import { companiesWith } from './known-companies.ts';
import { printNextSteps } from './next-steps.ts';
import type { OpenFolder } from './open.ts';
import { command } from './command.ts';
import { commandCaller, stopWork } from './operations.ts';
import { type FolderFlags, folderWords } from './options.ts';
import { withFlagNames } from './remote-words.ts';
import { RUN_WORDS, RunDisplay, countsText, localMomentText } from './run-display.ts';
import { printPlan, printComparison } from './run-plan.ts';
import { integer } from './values.ts';

type RequestedState = NonNullable<RunRequest['states']>[number];

interface RunFlags extends FolderFlags {
  readonly empresa: string;
  readonly only?: readonly RemoteKind[];
  readonly states?: readonly RequestedState[];
  readonly maxDeactivations?: number;
  readonly simular?: true;
  readonly yes?: true;
}

const DEACTIVATIONS_MAX = 1_000_000_000;
const NOT_FINISHED = 1;
const SOME_STEPS_FAILED = 2;
/** The time between two looks at the run. */
const LOOK_MS = 100;
/** The time between two progress lines. */
const REDRAW_MS = 500;
/** The time between two checks that a server still holds the folder. */
const HOLDER_CHECK_MS = 5 * SECOND_MS;
/** Maximum number of refused steps shown, and of uncertain ones. */
const STEPS_MAX = 20;

interface DirectionWords {
  readonly name: string;
  readonly about: string;
  readonly states: readonly RequestedState[];
  readonly ask: (steps: string, remote: string) => string;
}

const DIRECTION_WORDS: Readonly<Record<Direction, DirectionWords>> = {
  send: {
    name: 'send',
    about: 'envia ao remoto, passo a passo, o que a comparação mais recente encontrou para enviar',
    states: SENDABLE_STATES,
    ask: (steps, remote) => `Enviar ${steps} ao remoto ${remote}?`,
  },
  fetch: {
    name: 'fetch',
    about: 'busca no remoto, passo a passo, o que mudou nele segundo a comparação mais recente',
    states: FETCHABLE_STATES,
    ask: (steps, remote) => `Trazer ${steps} do remoto ${remote}?`,
  },
};

const HELP = `Mostra os passos e a previsão de término, e pede confirmação. Com o servidor em
execução, ele executa os passos e o comando acompanha; sem servidor, o comando
os executa, e a pasta fica ocupada até o fim. Ctrl+C termina o passo em
andamento e para; o mesmo comando, ou o servidor, continua de onde parou, também
depois de uma queda: nenhum passo é feito duas vezes. Só uma execução por vez
entre um remoto e uma empresa.

Código de saída: 0 tudo feito, ${SOME_STEPS_FAILED} algo foi recusado ou ficou
incerto, ou o comando é inválido, ${NOT_FINISHED} não pôde começar, ou
parou antes do fim.`;

/** Parses several words, separated by commas. */
const wordList =
  <const T extends string>(name: string, accepted: readonly T[]) =>
  (text: string): T[] =>
    text.split(',').map((word) => {
      const choice = accepted.find((one) => one === word);
      if (choice === undefined)
        throw new UsageError(`${name}: recebido ${formatValue(word)}; aceita ${accepted.join(', ')}.`);
      return choice;
    });

/** Builds the command of one direction. */
export function runCommand(direction: Direction): Command {
  const { name, about, states } = DIRECTION_WORDS[direction];
  return onFolder(
    command(name, about, HELP)
      .argument('<nome>', 'o remoto')
      .requiredOption('--empresa <cpfCnpjRaiz>', 'empresa')
      .option('--only <tipos>', `só estes tipos: ${RUN_KINDS.join(',')}`, wordList('--only', RUN_KINDS))
      .option('--states <estados>', `só estes estados: ${states.join(',')}`, wordList('--states', states))
      .option(
        '--max-deactivations <n>',
        'quantos produtos e operadores podem ser desativados (padrão: o maior de 10 e 5% dos ativos)',
        integer('--max-deactivations', 0, DEACTIVATIONS_MAX),
      )
      .option('--simular', 'só mostra os passos; nada é feito')
      .option('--yes', 'não pede confirmação'),
    (open, flags: RunFlags, remote: string) => withFlagNames(() => run(open, direction, remote, flags)),
  );
}

/** Returns the exit code. */
async function run(open: OpenFolder, direction: Direction, name: string, flags: RunFlags): Promise<number> {
  const { empresa } = flags;
  companiesWith(open, empresa);
  if (flags.simular !== true && flags.yes !== true && !process.stdin.isTTY)
    throw new UsageError(
      `remote ${direction}: sem um terminal não há como confirmar; informe --yes para fazer, ou --simular para só ver.`,
    );
  // The process that holds the lock of the folder does the work: the server, else this one (contract section
  // 18).
  const { path } = open.folder;
  const lock = withUsableFolder(path, () => lockFolder(path));
  if (lock === undefined) await stopWork(open);
  try {
    return await planAndRun(open, direction, name, flags);
  } finally {
    await stopWork(open);
    lock?.release();
  }
}

async function planAndRun(
  open: OpenFolder,
  direction: Direction,
  name: string,
  flags: RunFlags,
): Promise<number> {
  const { empresa } = flags;
  const { comparisons, remotes, runs, runStore } = open.remote;
  const { id: remoteId } = comparisons.remoteOfCompany(name, empresa);
  const openId = flags.simular === true ? undefined : runStore.findOpen(remoteId, empresa);
  if (openId !== undefined) return resumeOpenRun(open, runOf(open, openId), direction, flags);
  if (flags.simular !== true && direction === 'send' && !remotes.hasConnection(remoteId))
    throw new OperatorError(
      `O remoto ${name} não tem url, e nada é enviado a ele pela rede. Veja os passos com --simular, e grave os arquivos da tela de upload: catp remote files ${name} --empresa ${empresa} --to <pasta>`,
    );
  const comparison = comparisons.newest(name, empresa);
  printComparison(open, comparison);
  const caller = commandCaller(open);
  const request = requestOf(direction, flags);
  const plan = await untilOver(open, await runs.start(caller, comparison.id, { ...request, simulate: true }));
  if (plan.state !== 'done') throw new OperatorError(plan.reason ?? `${NO_WORKER} Repita o comando.`);
  if (flags.simular === true)
    printLine(`Plano ${plan.id}, da comparação ${plan.comparisonId}: nada é feito.`);
  if (!printPlan(open, plan) || flags.simular === true) return 0;
  if (!(await isConfirmed(open, plan, flags))) return NOT_FINISHED;
  return follow(open, await runs.start(caller, comparison.id, request), flags);
}

function runOf({ remote }: OpenFolder, id: number): Run {
  const run = remote.runStore.find(id);
  if (run === undefined) throw new OperatorError(`O envio ${id} foi apagado.`);
  return run;
}

const requestOf = (direction: Direction, flags: RunFlags): RunRequest => {
  const { only: kinds, states, maxDeactivations } = flags;
  return {
    direction,
    ...(kinds !== undefined && { kinds: [...kinds] }),
    ...(states !== undefined && { states: [...states] }),
    ...(maxDeactivations !== undefined && { maxDeactivations }),
  };
};

/** Continues an unfinished run. A new one begins only after it. */
async function resumeOpenRun(
  open: OpenFolder,
  waiting: Run,
  direction: Direction,
  flags: RunFlags,
): Promise<number> {
  const { id, asked, state, reason, at } = waiting;
  const { kinds, states } = requestOf(direction, flags);
  const isOther =
    waiting.direction !== direction ||
    (kinds !== undefined && JSON.stringify(kinds) !== JSON.stringify(asked.kinds)) ||
    (states !== undefined && JSON.stringify(states) !== JSON.stringify(asked.states));
  if (isOther)
    throw new OperatorError(
      `O envio ${id}, de ${localMomentText(momentText(at))}, não terminou, e é de outro pedido. Continue-o sem --only nem --states (catp remote ${waiting.direction}), ou cancele-o no servidor: DELETE /appliance/api/runs/${id}.`,
    );
  const why = state === 'paused' && reason !== null ? `: ${reason}` : '';
  printLine(
    `O envio ${id}, de ${localMomentText(momentText(at))}, não terminou${why}. Continua de onde está:`,
  );
  printPlan(open, waiting);
  if (!(await isConfirmed(open, waiting, flags))) return NOT_FINISHED;
  const { runs, runRunner } = open.remote;
  if (runOf(open, id).state === 'paused') await runs.resume(commandCaller(open), id);
  else runRunner.wake();
  return follow(open, id, flags);
}

async function isConfirmed({ remote: { runs } }: OpenFolder, plan: Run, { yes }: RunFlags): Promise<boolean> {
  if (yes === true) return true;
  const steps = runs.counts(plan).reduce((sum, { open, count }) => (open === 1 ? sum + count : sum), 0);
  const question = DIRECTION_WORDS[plan.direction].ask(withCount(steps, 'registro'), plan.remote);
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await lines.question(`${question} [s/N] `).finally(() => lines.close());
  if (/^s(im)?$/i.test(answer.trim())) return true;
  printLine('Nada foi feito.');
  return false;
}

/** Shows the progress of a run until its end, or until a signal or another user stops it. */
async function follow(open: OpenFolder, id: number, flags: RunFlags): Promise<number> {
  const { runs, runRunner } = open.remote;
  const display = new RunDisplay(process.stderr, monotonicMs);
  const caller = commandCaller(open);
  const stopWatching = onSignals((signal) => {
    display.printLine(
      'Termina o passo em andamento e para; outra vez Ctrl+C corta na hora, e nada se perde.',
    );
    const { state } = runOf(open, id);
    const stopped =
      state === 'queued'
        ? runs.cancel(caller, id)
        : runs.pause(caller, id, `parado por ${signal} no comando`);
    void stopped.catch(() => undefined); // it ended meanwhile
  });
  const ended = await untilOver(open, id, display).finally(stopWatching);
  await runRunner.stop();
  return printEnd(open, runOf(open, ended.id), display, flags);
}

/** Message when the server ended before the run. */
const NO_WORKER = 'Nenhum catp trabalha mais nesta pasta.';

const UNDER_WAY: ReadonlySet<RunState> = new Set(['queued', 'running', 'resting']);

/** Waits until a run is over or paused, or until no process holds the folder any more. */
async function untilOver(open: OpenFolder, id: number, display?: RunDisplay): Promise<Run> {
  const { clock, folder, remote } = open;
  let [printedAt, checkedAt] = [-Infinity, monotonicMs()];
  for (;;) {
    const run = runOf(open, id);
    if (!UNDER_WAY.has(run.state)) {
      if (run.planned) display?.showEnd(remote.runs.formOf(run, clock.now()));
      return run;
    }
    const now = monotonicMs();
    if (run.planned && now - printedAt >= REDRAW_MS) {
      display?.show(remote.runs.formOf(run, clock.now()));
      printedAt = now;
    }
    if (now - checkedAt >= HOLDER_CHECK_MS) {
      checkedAt = now;
      using lock = lockFolder(folder.path);
      if (lock !== undefined) return run;
    }
    await new Promise<void>((resolve) => REAL_TIME.after(LOOK_MS, resolve));
  }
}

/** Handles signals. The first one requests a stop after the current step. The second one ends the process. */
function onSignals(stop: (signal: string) => void): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const onSignal = (signal: string): void => {
    removeHandlers();
    stop(signal === 'SIGINT' ? 'Ctrl+C' : signal);
  };
  const removeHandlers = (): void => {
    for (const signal of signals) process.off(signal, onSignal);
  };
  for (const signal of signals) process.once(signal, onSignal);
  return removeHandlers;
}

function printEnd(open: OpenFolder, ended: Run, display: RunDisplay, flags: RunFlags): number {
  const { runs, runStore } = open.remote;
  const { id, state, reason, remote, cpfCnpjRaiz, direction } = ended;
  const form = runs.formOf(ended, open.clock.now());
  const { refused, uncertain, done, total } = form;
  display.printLine(
    `${RUN_WORDS[direction].name} ${id}: ${done} de ${withCount(total, 'passo')}; ${countsText(form)}.`,
  );
  for (const outcome of ['refused', 'uncertain'] as const)
    for (const step of runStore.steps(id, 0, STEPS_MAX, outcome))
      display.printLine(
        `${KIND_WORDS[step.kind]} ${step.name} (${step.operation}), ${outcome}: ${step.message ?? ''}`,
      );
  const sameCommand = `catp remote ${direction} ${remote} --empresa ${cpfCnpjRaiz} ${folderWords(flags)}`;
  if (form.imports.length > 0)
    display.printLine(
      `Veio em ${form.imports.map((one) => `/importar/${one}`).join(', ')}, onde se pode desfazer.`,
    );
  if (state === 'done') {
    printNextSteps([
      `Compare outra vez: catp remote compare ${remote} --empresa ${cpfCnpjRaiz} ${folderWords(flags)}`,
    ]);
    return refused + uncertain > 0 ? SOME_STEPS_FAILED : 0;
  }
  display.printLine(`Não terminou (${state})${reason === null ? '' : `: ${reason}`}.`);
  if (UNDER_WAY.has(state)) display.printLine(NO_WORKER);
  if (state !== 'failed' && state !== 'cancelled')
    printNextSteps([
      `Continue de onde parou: ${sameCommand}\n     ou no servidor: POST /appliance/api/runs/${id}/resume`,
    ]);
  return NOT_FINISHED;
}
