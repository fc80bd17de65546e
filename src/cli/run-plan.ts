/** The plan of a run, as a command shows it before the run begins. */
import { DAY_MS, HOUR_MS } from '../clock.ts';
import type { Comparison } from '../remote/model.ts';
import { KIND_WORDS } from '../remote/records.ts';
import type { Run } from '../remote/run/model.ts';
import { momentText } from '../validation/calendar.ts';
import { withCount } from '../validation/text.ts';
import { printLine } from './folder-command.ts';
import { printNextSteps } from './next-steps.ts';
import type { OpenFolder } from './open.ts';
import { RUN_WORDS, localMomentText } from './run-display.ts';
import { stepRow } from './run-steps.ts';
import { printTable } from './table.ts';

export function printComparison({ clock }: OpenFolder, { id, at, remote, cpfCnpjRaiz }: Comparison): void {
  const age = clock.now() - at;
  const hours = age < HOUR_MS ? 'menos de uma hora' : withCount(Math.floor(age / HOUR_MS), 'hora');
  const ageText = age < DAY_MS ? hours : withCount(Math.floor(age / DAY_MS), 'dia');
  printLine(`Comparação ${id}, de ${localMomentText(momentText(at))}, feita há ${ageText}.`);
  if (age >= DAY_MS)
    printNextSteps([
      `O que mudou depois dela fica de fora; para incluí-lo, compare antes: catp remote compare ${remote} --empresa ${cpfCnpjRaiz}`,
    ]);
}

/** Maximum number of open steps shown. `catp remote runs --run` lists all of them. */
const FIRST_STEPS = 20;
const DEACTIVATIONS_MAX = 100;

/** Prints the first steps in their order, and then the deactivations among the later steps. */
function printSteps({ remote: { runStore } }: OpenFolder, { id, cpfCnpjRaiz }: Run, openSteps: number): void {
  const first = runStore.steps(id, 0, FIRST_STEPS, 'pending');
  printTable(first.map(stepRow));
  const lastPrinted = first.at(-1)?.n ?? 0;
  const deactivations = runStore.deactivations(id, DEACTIVATIONS_MAX).filter(({ n }) => n > lastPrinted);
  if (deactivations.length > 0) {
    printLine('O que se desativa:');
    printTable(deactivations.map(stepRow));
  }
  if (openSteps > first.length)
    printNextSteps([`Veja todos os passos: catp remote runs --run ${id} --empresa ${cpfCnpjRaiz}`]);
}

/** Prints the plan. Returns `false` when it has no steps. */
export function printPlan(open: OpenFolder, plan: Run): boolean {
  const { clock } = open;
  const { runs } = open.remote;
  const counts = runs.counts(plan);
  printTable(
    counts.map(({ kind, operation, outcome, count }) => ({
      Tipo: KIND_WORDS[kind],
      Passo: operation,
      Estado: outcome === 'pending' ? RUN_WORDS[plan.direction].toDo : outcome,
      Registros: count,
    })),
  );
  if (plan.notSent !== null && plan.direction === 'send') {
    const { drafts, pastVersions, concessionActs } = plan.notSent;
    printLine(
      `Nunca são enviados: rascunhos (${drafts}), versões passadas (${pastVersions}), atos concessórios (${concessionActs}).`,
    );
  }
  const { estimatedEnd } = runs.formOf(plan, clock.now());
  if (estimatedEnd !== null) printLine(`Começando agora, deve terminar em ${localMomentText(estimatedEnd)}.`);
  const toDo = counts.reduce((sum, { open, count }) => (open === 1 ? sum + count : sum), 0);
  if (toDo > 0) printSteps(open, plan, toDo);
  const hasOpenSteps = counts.some(({ open }) => open === 1) || !plan.planned;
  if (!hasOpenSteps) printLine('Não há o que fazer.');
  return hasOpenSteps;
}
