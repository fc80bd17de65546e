/**
 * Generates attributes for the invented table: required ones always, optional ones often, conditional ones
 * when their condition holds.
 */
import {
  type AttributeDetail,
  type Condition,
  type Modalidade,
  PRODUCT_OBJECTIVE,
} from '../../catalogue/attribute/words/model.ts';
import table from '../attribute-table-1.json' with { type: 'json' };
import type { SeededRandom } from '../../seeded-random.ts';

interface Value {
  readonly atributo: string;
  readonly valor: string;
}

export interface Attributes {
  readonly atributos: Value[];
  readonly atributosMultivalorados: { atributo: string; valores: string[] }[];
  readonly atributosCompostos: { atributo: string; valores: Value[] }[];
  readonly atributosCompostosMultivalorados: { atributo: string; valores: Value[][] }[];
}

const OPTIONAL_PERCENT = 60;
const MOST_VALUES = 3;

const DETAILS = new Map(
  (table.detalhesAtributos as unknown as AttributeDetail[]).map((detail) => [detail.codigo, detail]),
);
const NCMS = new Map(table.listaNcm.map((ncm) => [ncm.codigoNcm.replaceAll('.', ''), ncm.listaAtributos]));
const MODALITY = { IMPORTACAO: 'Importação', EXPORTACAO: 'Exportação' } as const;

export function attributesFor(random: SeededRandom, ncm: string, modalidade: Modalidade): Attributes {
  const attributes: Attributes = {
    atributos: [],
    atributosMultivalorados: [],
    atributosCompostos: [],
    atributosCompostosMultivalorados: [],
  };
  const pairs = (NCMS.get(ncm) ?? []).filter(
    (pair) => modalidade === 'AMBOS' || pair.modalidade === MODALITY[modalidade],
  );
  for (const codigo of new Set(pairs.map((pair) => pair.codigo))) {
    const detail = DETAILS.get(codigo);
    if (!detail?.objetivos.some((objective) => objective.codigo === PRODUCT_OBJECTIVE)) continue;
    const same = pairs.filter((pair) => pair.codigo === codigo);
    if (!same.some(({ obrigatorio }) => obrigatorio) && !random.chance(OPTIONAL_PERCENT)) continue;
    add(
      attributes,
      random,
      detail,
      same.some(({ multivalorado }) => multivalorado),
    );
  }
  return attributes;
}

function add(made: Attributes, random: SeededRandom, detail: AttributeDetail, isMany: boolean): void {
  const { codigo: atributo } = detail;
  const isCompound = detail.formaPreenchimento === 'COMPOSTO';
  const group = (): Value[] =>
    detail.listaSubatributos
      .filter(({ obrigatorio }) => obrigatorio || random.chance(OPTIONAL_PERCENT))
      .map((sub) => ({ atributo: sub.codigo, valor: valueOf(random, sub) }));
  if (isCompound && isMany) {
    const valores = Array.from({ length: random.between(1, MOST_VALUES) }, group);
    made.atributosCompostosMultivalorados.push({ atributo, valores });
  } else if (isCompound) made.atributosCompostos.push({ atributo, valores: group() });
  else if (isMany) {
    const codes = detail.dominio.map(({ codigo }) => codigo);
    made.atributosMultivalorados.push({ atributo, valores: random.some(codes, MOST_VALUES) });
  } else addSingle(made, random, detail);
}

/** Adds an attribute, and those that its value requires. */
function addSingle(made: Attributes, random: SeededRandom, detail: AttributeDetail): void {
  const valor = valueOf(random, detail);
  made.atributos.push({ atributo: detail.codigo, valor });
  for (const { condicao, atributo } of detail.condicionados)
    if (holds(condicao, valor)) addSingle(made, random, atributo);
}

/** Evaluates a condition. The invented table only has equality and OR. */
function holds({ valor, condicao }: Condition, given: string): boolean {
  return valor === given || (condicao !== undefined && holds(condicao, given));
}

const twoDecimals = (random: SeededRandom, first: number, last: number): string =>
  (random.between(first * 100, last * 100) / 100).toFixed(2);
const twoDigits = (number: number): string => String(number).padStart(2, '0');
const dayIn = (random: SeededRandom, firstYear: number, lastYear: number): string =>
  `${random.between(firstYear, lastYear)}-${twoDigits(random.between(1, 12))}-${twoDigits(random.between(1, 28))}`;

const SUBSTANCES = [
  'Ácido ascórbico',
  'Cafeína',
  'Glicerina',
  'Ácido hialurônico',
  'Pantenol',
  'Óxido de zinco',
];
const MODELS = ['Aurora', 'Brisa', 'Cerrado', 'Duna', 'Estrela', 'Falésia', 'Garoa', 'Horizonte'];
const REMARKS = ['Com lacre de segurança.', 'Rótulo em português.', 'Retornável.'];

/** Realistic values by attribute. Lists and booleans need no entry. */
const WRITTEN: Readonly<Record<string, (random: SeededRandom) => string>> = {
  ATT_90002: (random) => twoDecimals(random, 10, 15),
  ATT_90003: (random) => String(random.between(2012, 2024)),
  ATT_90007: (random) => dayIn(random, 2027, 2034),
  ATT_90012: (random) => random.pick(['0.187', '0.375', '0.75', '1', '1.5', '3']),
  ATT_90013: (random) => random.pick(REMARKS),
  ATT_90021: (random) => random.pick(SUBSTANCES),
  ATT_90022: (random) => twoDecimals(random, 1, 99),
  ATT_90030: (random) =>
    `${random.between(1, 9)}.${random.between(1000, 9999)}.${random.between(1000, 9999)}`,
  ATT_90031: (random) =>
    `${dayIn(random, 2022, 2025)}T${twoDigits(random.between(8, 17))}:${twoDigits(random.below(60))}:00`,
  ATT_90032: (random) => `${random.pick(MODELS)} ${random.between(100, 999)}`,
  ATT_90033: (random) => `HML-${random.between(10_000, 99_999)}-${random.between(20, 26)}`,
  ATT_90034: (random) => random.pick(['NBR14136', 'TIPO-C', 'TIPO-N']),
  ATT_90035: (random) => String(random.between(40, 62)),
};

function valueOf(random: SeededRandom, { codigo, formaPreenchimento, dominio }: AttributeDetail): string {
  if (formaPreenchimento === 'BOOLEANO') return String(random.chance(50));
  if (dominio.length > 0) return random.pick(dominio).codigo;
  const written = WRITTEN[codigo];
  if (written === undefined) throw new Error(`No values are known for ${codigo}.`);
  return written(random);
}
