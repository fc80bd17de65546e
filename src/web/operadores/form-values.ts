/** Converts between the form of an operator and the body of its request. */
import type { AdditionalIdentification } from '../api/answers.ts';
import type { Problem } from '../api/result.ts';
import { OPERATOR } from '../../catalogue/members/foreign-operator.ts';
import { type Operator, TEXTS, isRequired } from './operator.ts';

type Texts = { readonly [Name in (typeof TEXTS)[number]]: string };

export interface OperatorValues extends Texts {
  readonly identificacoesAdicionais: readonly AdditionalIdentification[];
  /** Start of a retroactive version; '' means now. */
  readonly dataReferencia: string;
}

export const valuesOf = (operator?: Operator): OperatorValues => ({
  ...(Object.fromEntries(TEXTS.map((name) => [name, operator?.[name] ?? ''])) as unknown as Texts), // of every name
  identificacoesAdicionais: operator?.identificacoesAdicionais ?? [],
  dataReferencia: '',
});

/** Builds the request. Empty members are left out, and surrounding spaces are removed. */
export function requestOf({
  codigoPais,
  dataReferencia,
  ...content
}: OperatorValues): Record<string, unknown> {
  const { identificacoesAdicionais, ...texts } = content;
  const filled = Object.entries(texts)
    .map(([name, text]) => [name, text.trim()] as const)
    .filter(([, text]) => text !== '');
  // Numbered as in the form, so that the problems of the server match its fields.
  return {
    ...Object.fromEntries(filled),
    identificacoesAdicionais: identificacoesAdicionais.map(({ numero, codigo }) => ({
      numero: numero.trim(),
      codigo: codigo.trim(),
    })),
  };
}

/** Returns the problems that the server would report for empty fields. */
export const missingProblems = (values: OperatorValues): readonly Problem[] =>
  TEXTS.filter((name) => isRequired(name) && values[name].trim() === '').map((name) => ({
    message: `${OPERATOR[name].heading}: obrigatório; não foi informado.`,
    code: null,
    place: name,
  }));
