/** The steps of a run, in the order in which they are done. */
import { KIND_WORDS } from '../remote/records.ts';
import type { Step } from '../remote/run/model.ts';
import { stepFormOf } from '../remote/run/shown.ts';
import type { RunStore } from '../remote/run/store.ts';

const PAGE_STEPS = 500;

export const stepRow = (step: Step) => {
  const { n, kind, operation, codigo, remoteCodigo, name, outcome } = stepFormOf(step);
  return {
    Nº: n,
    Tipo: KIND_WORDS[kind],
    Passo: operation,
    Código: codigo,
    Lá: remoteCodigo,
    Nome: name,
    Estado: outcome,
  };
};

export function stepsOf(runStore: RunStore, id: number): Step[] {
  const steps: Step[] = [];
  for (;;) {
    const page = runStore.steps(id, steps.at(-1)?.n ?? 0, PAGE_STEPS);
    steps.push(...page);
    if (page.length < PAGE_STEPS) return steps;
  }
}
