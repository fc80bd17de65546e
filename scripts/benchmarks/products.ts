/**
 * Invented products, the same for the same number: for requests, for files, and for catalogues filled on
 * disk.
 */
import { type ProductContent, toContent } from '../../src/catalogue/product/model.ts';

/**
 * The number of NCMs in the public table. The first NCMs are spread over the first products of every
 * catalogue in the same way.
 */
const NCMS = 10_500;

/** The number of first NCMs that have products among the first ones only, for any catalogue size. */
export const SHARED_NCMS = 90;
export const SHARED_PER_NCM = 10;
const SHARED_PRODUCTS = SHARED_NCMS * SHARED_PER_NCM;

/** About the number of attributes that the public table requires for an NCM. */
const LISTED_ATTRIBUTES = 7;

/** The NCM of the bench's own attribute table (table-file.ts). */
export const CHECKED_NCM = '99990000';

const COLOURS = ['azul', 'verde', 'âmbar', 'cinza', 'preto', 'branco', 'vermelho', 'dourado'] as const;
const THINGS = ['Parafuso', 'Válvula', 'Rolamento', 'Conexão', 'Sensor', 'Tecido', 'Reagente'] as const;

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

/** Returns the `place`-th NCM of the bench. */
export const ncmOf = (place: number): string => String(10_000_000 + place * 7919);

const ncmOfProduct = (index: number): string =>
  ncmOf(index <= SHARED_PRODUCTS ? index % SHARED_NCMS : SHARED_NCMS + (index % (NCMS - SHARED_NCMS)));

/** Returns the `index`-th product of a catalogue. */
export function productContent(index: number): ProductContent {
  const colour = pick(COLOURS, index);
  const thing = pick(THINGS, index);
  return toContent({
    denominacao: `${thing} ${colour} número ${index}`,
    descricao: `${thing} de uso industrial, cor ${colour}, lote ${index % 1000}, fornecido em embalagem de ${1 + (index % 50)} unidades, com manual em português.`,
    modalidade: Math.floor(index / SHARED_NCMS) % SHARED_PER_NCM === 0 ? 'EXPORTACAO' : 'IMPORTACAO',
    ncm: ncmOfProduct(index),
    atributos: Array.from({ length: LISTED_ATTRIBUTES }, (_, place) => ({
      atributo: `ATT_${10_000 + ((index + place) % 1300)}`,
      valor: String(1 + ((index + place) % 40)).padStart(2, '0'),
    })),
    codigosInterno: [`SKU-${index}`],
  });
}

/** Returns the body of one inclusion, with the NCM whose 20 attributes are checked. */
export function checkedProduct(index: number): object {
  const { denominacao, descricao } = productContent(index);
  return {
    denominacao,
    descricao,
    modalidade: 'IMPORTACAO',
    ncm: CHECKED_NCM,
    atributos: CHECKED_ATTRIBUTES.map(({ codigo, valor }) => ({ atributo: codigo, valor })),
    codigosInterno: [`SKU-${index}`],
  };
}

/** Every form of filling that a single value can have, with a valid value. */
const FORMS = [
  { formaPreenchimento: 'LISTA_ESTATICA', valor: '07' },
  { formaPreenchimento: 'TEXTO', tamanhoMaximo: 40, valor: 'Aço inoxidável AISI 304' },
  { formaPreenchimento: 'NUMERO_INTEIRO', tamanhoMaximo: 8, valor: '120400' },
  { formaPreenchimento: 'NUMERO_REAL', tamanhoMaximo: 10, casasDecimais: 3, valor: '12.505' },
  { formaPreenchimento: 'BOOLEANO', valor: 'true' },
] as const;

const CHECKED_COUNT = 20;

export const CHECKED_ATTRIBUTES = Array.from({ length: CHECKED_COUNT }, (_, index) => ({
  codigo: `ATT_${90_000 + index}`,
  ...pick(FORMS, index),
}));
