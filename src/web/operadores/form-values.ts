/** The form of an operator and the body of its request: from one to the other. */
import type { AdditionalIdentification } from '../api/answers.ts';
import type { Problem } from '../api/result.ts';
import { OPERATOR } from '../../catalogue/members/foreign-operator.ts';
import { type Operator, TEXTS, isRequired } from './operator.ts';

type Texts = { readonly [Name in (typeof TEXTS)[number]]: string };

export interface OperatorValues extends Texts {
  readonly identificacoesAdicionais: readonly AdditionalIdentification[];
  /** Of a retroactive version; '' is from now on. */
  readonly dataReferencia: string;
}

export const valuesOf = (operator?: Operator): OperatorValues => ({
  ...(Object.fromEntries(TEXTS.map((name) => [name, operator?.[name] ?? ''])) as unknown as Texts), // of every name
  identificacoesAdicionais: operator?.identificacoesAdicionais ?? [],
  dataReferencia: '',
});

/** What is empty is absent; of spaces around it nothing is kept. */
export function requestOf({
  codigoPais,
  dataReferencia,
  ...content
}: OperatorValues): Record<string, unknown> {
  const { identificacoesAdicionais, ...texts } = content;
  const filled = Object.entries(texts)
    .map(([name, text]) => [name, text.trim()] as const)
    .filter(([, text]) => text !== '');
  // Numbered as they are in the form, so that what the server says of one finds it.
  return {
    ...Object.fromEntries(filled),
    identificacoesAdicionais: identificacoesAdicionais.map(({ numero, codigo }) => ({
      numero: numero.trim(),
      codigo: codigo.trim(),
    })),
  };
}

/** What the server would say of fields that are empty. */
export const missing = (values: OperatorValues): readonly Problem[] =>
  TEXTS.filter((name) => isRequired(name) && values[name].trim() === '').map((name) => ({
    message: `${OPERATOR[name].heading}: obrigatório; não foi informado.`,
    code: null,
    place: name,
  }));
