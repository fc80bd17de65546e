/** Generates products, foreign operators and manufacturer links as items of a file, with realistic texts. */
import type { Modalidade } from '../../catalogue/attribute/words/model.ts';
import { withCheckDigits } from '../../validation/check-digits.ts';
import { attributesFor } from './attributes.ts';
import type { SeededRandom } from '../../seeded-random.ts';

const BRANDS = [
  'Serra Clara',
  'Ipê',
  'Boa Vista',
  'Montanhês',
  'Sabiá',
  'Ribeira',
  'Pampa',
  'Litoral',
  'Aroeira',
  'Jacarandá',
];
const COLOURS = ['preto', 'branco', 'azul', 'verde', 'cinza', 'vermelho'];

interface Kind {
  readonly ncm: string;
  /** At most 120 characters, which every profile accepts. */
  readonly denominacao: (random: SeededRandom) => string;
  readonly descricao: string;
}

/** The NCMs of the invented table. */
const KINDS: readonly Kind[] = [
  {
    ncm: '09012100',
    denominacao: (random) =>
      `Café ${random.pick(['torrado em grãos', 'torrado e moído', 'em cápsulas', 'solúvel'])} ${random.pick(BRANDS)}, ${random.pick(['250 g', '500 g', '1 kg'])}`,
    descricao: 'Café não descafeinado, torrado, em embalagem com válvula.',
  },
  {
    ncm: '22042100',
    denominacao: (random) =>
      `Vinho ${random.pick(['tinto', 'branco', 'rosé'])} ${random.pick(['seco', 'meio seco'])} ${random.pick(BRANDS)}, garrafa de ${random.pick(['375 ml', '750 ml', '1,5 l'])}`,
    descricao: 'Vinho de uvas frescas, em recipiente de até dois litros.',
  },
  {
    ncm: '30049099',
    denominacao: (random) =>
      `${random.pick(['Analgésico', 'Antialérgico', 'Suplemento vitamínico', 'Expectorante'])} ${random.pick(BRANDS)} ${random.pick(['100 mg', '250 mg', '500 mg'])}, ${random.pick([10, 20, 30])} comprimidos`,
    descricao: 'Medicamento acondicionado para venda a retalho, para uso humano.',
  },
  {
    ncm: '33049990',
    denominacao: (random) =>
      `${random.pick(['Creme hidratante', 'Protetor solar', 'Loção corporal', 'Sérum facial'])} ${random.pick(BRANDS)}, ${random.pick(['50 ml', '120 ml', '200 ml'])}`,
    descricao: 'Preparação para conservação ou cuidados da pele, de uso externo.',
  },
  {
    ncm: '39269090',
    denominacao: (random) =>
      `${random.pick(['Caixa organizadora', 'Abraçadeira', 'Suporte de parede', 'Tampa roscada'])} de plástico ${random.pick(COLOURS)}, ${random.pick(['pequena', 'média', 'grande'])}`,
    descricao: 'Obra de plástico moldada por injeção, sem partes metálicas.',
  },
  {
    ncm: '84713012',
    denominacao: (random) =>
      `Notebook ${random.pick(BRANDS)} ${random.pick(['13', '14', '15,6'])}", ${random.pick([8, 16, 32])} GB, ${random.pick(['256 GB', '512 GB', '1 TB'])}`,
    descricao: 'Máquina automática para processamento de dados, portátil, com teclado e tela.',
  },
  {
    ncm: '85171300',
    denominacao: (random) =>
      `Telefone inteligente ${random.pick(BRANDS)} ${random.pick(['128 GB', '256 GB', '512 GB'])}, ${random.pick(COLOURS)}`,
    descricao: 'Telefone celular com sistema operacional, tela sensível ao toque e duas câmeras.',
  },
  {
    ncm: '87120010',
    denominacao: (random) =>
      `Bicicleta ${random.pick(['urbana', 'de estrada', 'de montanha', 'dobrável'])} ${random.pick(BRANDS)}, aro ${random.pick([20, 26, 29])}, ${random.pick([7, 14, 21])} marchas`,
    descricao: 'Bicicleta sem motor, com freios a disco e quadro de alumínio.',
  },
];

export interface ProductItem {
  readonly cpfCnpjRaiz: string;
  readonly denominacao: string;
  readonly ncm: string;
  readonly [member: string]: unknown;
}

export interface SowingRules {
  readonly cpfCnpjRaiz: string;
  readonly seed: string;
  readonly mayBeAmbos: boolean;
  /** The numbers of existing records. New references and TINs continue after them. */
  readonly products: number;
  readonly operators: number;
}

/** Generates a version of a product. Later versions only have other texts and values. */
export function productItem(
  random: SeededRandom,
  index: number,
  version: number,
  rules: SowingRules,
): ProductItem {
  const { cpfCnpjRaiz, seed, mayBeAmbos } = rules;
  const { ncm, denominacao, descricao } = KINDS[index % KINDS.length] as Kind; // the remainder is always a valid index
  const modalidade = random.pick<Modalidade>(
    mayBeAmbos
      ? ['IMPORTACAO', 'IMPORTACAO', 'EXPORTACAO', 'AMBOS']
      : ['IMPORTACAO', 'IMPORTACAO', 'EXPORTACAO'],
  );
  const reference = String(rules.products + index + 1).padStart(7, '0');
  const revised = version === 1 ? '' : ` Ficha técnica revista pela ${version - 1}ª vez.`;
  return {
    seq: 1,
    cpfCnpjRaiz,
    denominacao: denominacao(random),
    // The reference makes each description unique, so no profile treats two products as identical.
    descricao: `${descricao} Referência ${seed}-${reference}.${revised}`,
    modalidade,
    ncm,
    ...attributesFor(random, ncm, modalidade),
    codigosInterno: random.chance(20) ? [`SKU-${reference}`, `EAN-${reference}`] : [`SKU-${reference}`],
  };
}

type Country = readonly [
  codigoPais: string,
  cities: readonly string[],
  streets: readonly string[],
  forms: readonly string[],
  agency: string,
];

const COUNTRIES: readonly Country[] = [
  ['DE', ['Hamburg', 'Bremen', 'München', 'Köln'], ['Hafenstraße', 'Lindenweg'], ['GmbH', 'AG'], '9'],
  ['CN', ['Shenzhen', 'Ningbo', 'Shanghai'], ['Zhongshan Road', 'Renmin Road'], ['Co., Ltd.'], '9'],
  ['US', ['Newark', 'Houston', 'Oakland'], ['Market Street', 'Harbor Avenue'], ['Inc.', 'LLC'], '16'],
  [
    'AR',
    ['Mendoza', 'Rosario', 'Córdoba'],
    ['Avenida San Martín', 'Calle Belgrano'],
    ['S.A.', 'S.R.L.'],
    '9',
  ],
  ['IT', ['Genova', 'Torino', 'Bologna'], ['Via Garibaldi', 'Via Roma'], ['S.p.A.', 'S.r.l.'], '9'],
  ['PT', ['Porto', 'Lisboa', 'Aveiro'], ['Rua do Comércio', 'Avenida da Liberdade'], ['Lda.', 'S.A.'], '9'],
];

const FIRST_NAMES = [
  'Nordwind',
  'Golden Bridge',
  'Pacific',
  'Andina',
  'Aurelia',
  'Atlântica',
  'Meridian',
  'Solaris',
];
const TRADES = ['Trading', 'Foods', 'Electronics', 'Mobility', 'Beauty', 'Industries'];

export function operatorItem(random: SeededRandom, index: number, version: number, rules: SowingRules) {
  const { cpfCnpjRaiz } = rules;
  const [codigoPais, cities, streets, forms, agency] = COUNTRIES[index % COUNTRIES.length] as Country;
  const number = rules.operators + index + 1;
  return {
    seq: 1,
    cpfCnpjRaiz,
    codigoPais,
    tin: `${codigoPais}${String(number).padStart(9, '0')}`,
    nome: `${random.pick(FIRST_NAMES)} ${random.pick(TRADES)} ${number} ${random.pick(forms)}`,
    logradouro: `${random.pick(streets)} ${random.between(1, 400) + version - 1}`,
    nomeCidade: random.pick(cities),
    cep: String(random.between(10_000, 99_999)),
    codigoInterno: `FORN-${String(number).padStart(6, '0')}`,
    email: `contato${number}@fornecedor.example`,
    identificacoesAdicionais: random.chance(30)
      ? [{ numero: String(random.between(100_000_000, 999_999_999)), codigo: agency }]
      : [],
  };
}

export interface Linkable {
  readonly products: readonly number[];
  readonly operators: readonly { readonly codigo: string; readonly codigoPais: string }[];
}

const KNOWN_ABROAD_PERCENT = 70;

/** Generates a link. The links cycle through the products, without duplicates. */
export function linkItem(
  random: SeededRandom,
  index: number,
  { products, operators }: Linkable,
  cpfCnpjRaiz: string,
) {
  const place = index % products.length;
  const round = Math.floor(index / products.length);
  const codigoProduto = products[place];
  // Each product starts with a different operator and uses each operator once.
  const operator = operators[(place + round) % Math.max(1, operators.length)];
  const isAbroad = operator !== undefined && round < operators.length && random.chance(KNOWN_ABROAD_PERCENT);
  const manufacturer = isAbroad
    ? { codigoPais: operator.codigoPais, codigoOperadorEstrangeiro: operator.codigo }
    : { codigoPais: 'BR', cpfCnpjFabricante: cnpjOf(index + 1) };
  return { seq: 1, cpfCnpjRaiz, codigoProduto, conhecido: true, ...manufacturer };
}

/** Returns the CNPJ of the head office with root 50 000 000 + `number`, with its check digits. */
function cnpjOf(number: number): string {
  const root = `${50_000_000 + (number % 49_999_999)}0001`;
  return withCheckDigits(root);
}
