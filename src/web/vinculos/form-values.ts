/** The form of new links: every product is linked with every manufacturer. */
import type { ApiError, Problem } from '../api/result.ts';
import { keyOf, type LinkRequest, type Maker, identifyingField, NO_MAKER, requestOf } from './maker.ts';

export interface LinkValues {
  /** Product codes; '' while none is selected. */
  readonly products: readonly string[];
  readonly makers: readonly Maker[];
  /** '' means today. */
  readonly dataReferencia: string;
}

export const valuesFor = (codigoProduto: string): LinkValues => ({
  products: [codigoProduto],
  makers: [NO_MAKER],
  dataReferencia: '',
});

/** Returns a link for each product and manufacturer, without duplicates. */
export function linksOf({ products, makers }: LinkValues): readonly LinkRequest[] {
  const links = products.flatMap((product) => makers.map((maker) => requestOf(product, maker)));
  return [...new Map(links.map((link) => [keyOf(link), link])).values()];
}

/** Returns the empty fields of several links. The server checks a single link. */
export const missingProblems = ({ products, makers }: LinkValues): readonly Problem[] => [
  ...products.flatMap((product, index) =>
    product === '' ? [problem(`products/${index}`, 'Escolha um produto da lista, ou retire este.')] : [],
  ),
  ...makers.flatMap((maker, index) => missingOf(maker, `makers/${index}`)),
];

/** `place`: the path of the manufacturer in the form. */
export function missingOf(maker: Maker, place: string): readonly Problem[] {
  if (maker.codigoPais === '') return [problem(`${place}/codigoPais`, 'Escolha um país da lista.')];
  const name = identifyingField(maker);
  if (name === undefined || maker[name] !== '') return [];
  const message = name === 'cpfCnpjFabricante' ? 'Informe o CPF ou o CNPJ.' : 'Escolha um operador da lista.';
  return [problem(`${place}/${name}`, message)];
}

const problem = (place: string, message: string): Problem => ({ place, message, code: null });

/** Moves the problems of one link to the fields of the form. */
export const atFields = (error: ApiError): ApiError => ({
  ...error,
  problems: error.problems.map((serverProblem) => ({
    ...serverProblem,
    place: serverProblem.place === 'codigoProduto' ? 'products/0' : `makers/0/${serverProblem.place}`,
  })),
});

/** Returns the error for the message above the form, without field paths, which users do not know. */
export const withoutPaths = (error: ApiError | undefined): ApiError | undefined =>
  error && { ...error, problems: error.problems.map((serverProblem) => ({ ...serverProblem, place: '' })) };
