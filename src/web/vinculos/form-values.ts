/** The form of new links: products on one side, manufacturers on the other, and each with each. */
import type { ApiError, Problem } from '../api/result.ts';
import { keyOf, type LinkRequest, type Maker, namedBy, NO_MAKER, requestOf } from './maker.ts';

export interface LinkValues {
  /** Their codes; '' where none has been chosen yet. */
  readonly products: readonly string[];
  readonly makers: readonly Maker[];
  /** '' is today. */
  readonly dataReferencia: string;
}

export const valuesFor = (codigoProduto: string): LinkValues => ({
  products: [codigoProduto],
  makers: [NO_MAKER],
  dataReferencia: '',
});

/** Each product with each manufacturer, none twice. */
export function linksOf({ products, makers }: LinkValues): readonly LinkRequest[] {
  const links = products.flatMap((product) => makers.map((maker) => requestOf(product, maker)));
  return [...new Map(links.map((link) => [keyOf(link), link])).values()];
}

/** What of many links is not filled in; of one the server says it. */
export function missing({ products, makers }: LinkValues): readonly Problem[] {
  return [
    ...products.flatMap((product, at) =>
      product === '' ? [problem(`products/${at}`, 'Escolha um produto da lista, ou retire este.')] : [],
    ),
    ...makers.flatMap((maker, at) => missingOf(maker, `makers/${at}`)),
  ];
}

/** `place`: where the form has it. */
export function missingOf(maker: Maker, place: string): readonly Problem[] {
  if (maker.codigoPais === '') return [problem(`${place}/codigoPais`, 'Escolha um país da lista.')];
  const name = namedBy(maker);
  if (name === undefined || maker[name] !== '') return [];
  const message = name === 'cpfCnpjFabricante' ? 'Informe o CPF ou o CNPJ.' : 'Escolha um operador da lista.';
  return [problem(`${place}/${name}`, message)];
}

const problem = (place: string, message: string): Problem => ({ place, message, code: null });

/** What the server says of one link, at the fields of the form. */
export const atFields = (error: ApiError): ApiError => ({
  ...error,
  problems: error.problems.map((one) => ({
    ...one,
    place: one.place === 'codigoProduto' ? 'products/0' : `makers/0/${one.place}`,
  })),
});

/** The same for the message above the form, where the places of its fields say nothing to people. */
export const withoutPlaces = (error: ApiError | undefined): ApiError | undefined =>
  error && { ...error, problems: error.problems.map((one) => ({ ...one, place: '' })) };
