/** A step of a run, as a row. */
import { KIND_WORDS } from '../remote/records.ts';
import type { Step } from '../remote/run/model.ts';
import { stepFormOf } from '../remote/run/forms.ts';

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
