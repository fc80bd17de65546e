/** The form of an operator and the body of its request: from one to the other. */
import type { AdditionalIdentification } from '../api/answers.ts';
import type { Problem } from '../api/result.ts';
import { MEMBERS, type Operator } from './operator.ts';

export interface OperatorValues {
  readonly nome: string;
  readonly codigoPais: string;
  readonly logradouro: string;
  readonly nomeCidade: string;
  readonly codigoSubdivisaoPais: string;
  readonly cep: string;
  readonly tin: string;
  readonly codigoInterno: string;
  readonly email: string;
  readonly identificacoesAdicionais: readonly AdditionalIdentification[];
  /** Of a retroactive version; '' is from now on. */
  readonly dataReferencia: string;
}

export const valuesOf = (operator?: Operator): OperatorValues => ({
  nome: operator?.nome ?? '',
  codigoPais: operator?.codigoPais ?? '',
  logradouro: operator?.logradouro ?? '',
  nomeCidade: operator?.nomeCidade ?? '',
  codigoSubdivisaoPais: operator?.codigoSubdivisaoPais ?? '',
  cep: operator?.cep ?? '',
  tin: operator?.tin ?? '',
  codigoInterno: operator?.codigoInterno ?? '',
  email: operator?.email ?? '',
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

const REQUIRED = ['nome', 'codigoPais', 'logradouro', 'nomeCidade'] as const;

/** What the server would say of fields that are empty. */
export const missing = (values: OperatorValues): readonly Problem[] =>
  REQUIRED.filter((name) => values[name].trim() === '').map((name) => ({
    message: `${MEMBERS[name]}: obrigatório; não foi informado.`,
    code: null,
    place: name,
  }));
