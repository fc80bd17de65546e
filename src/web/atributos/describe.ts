/** Describes the requirements of an attribute. Pure functions. */
import type {
  AttributeCondition,
  AttributeDetail,
  AttributeDomainItem,
  AttributePair,
  NcmAttributes,
} from '../api/answers.ts';
import { countText, withCount } from '../words.ts';

const FORMS: Readonly<Record<string, string>> = {
  LISTA_ESTATICA: 'Um valor da lista',
  BOOLEANO: 'Sim ou não',
  DATA: 'Data',
  DATA_HORA: 'Data e hora',
  NUMERO_INTEIRO: 'Número inteiro',
  NUMERO_REAL: 'Número com decimais',
  TEXTO: 'Texto',
  DOMINIO_DINAMICO: 'Código de uma lista externa',
  COMPOSTO: 'Grupo de atributos',
  LISTA_TABX_FILTRO: 'Código de uma lista externa',
};

/** Describes the form of a value: `Número com decimais, até 4 algarismos, 2 deles decimais`. */
export function formInWords(
  detail: {
    readonly formaPreenchimento: string;
    readonly tamanhoMaximo?: number | null;
    readonly casasDecimais?: number | null;
    readonly mascara?: string | null;
  },
  isMulti = false,
): string {
  const { formaPreenchimento, tamanhoMaximo, casasDecimais, mascara } = detail;
  const form = FORMS[formaPreenchimento] ?? formaPreenchimento;
  const isNumber = formaPreenchimento.startsWith('NUMERO');
  return [
    form,
    tamanhoMaximo == null
      ? ''
      : `até ${isNumber ? withCount(tamanhoMaximo, 'algarismo', 'algarismos') : withCount(tamanhoMaximo, 'posição', 'posições')}`,
    casasDecimais == null || casasDecimais === 0 ? '' : `${countText(casasDecimais)} decimais`,
    mascara == null || mascara === '' ? '' : `na forma ${mascara}`,
    isMulti ? 'um ou mais' : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}

const OPERATORS: Readonly<Record<string, string>> = {
  '==': 'for',
  '!=': 'não for',
  '>': 'for maior que',
  '>=': 'for pelo menos',
  '<': 'for menor que',
  '<=': 'for no máximo',
};

const JOINED: Readonly<Record<string, string>> = { '||': 'ou', '&&': 'e' };

/** Describes a condition: `Quando Produto orgânico for Sim`. Values get the names of the parent's domain. */
export const conditionInWords = (condition: AttributeCondition, parent: AttributeDetail): string =>
  `Quando “${nameOf(parent)}” ${terms(condition, parent)}`;

function terms(
  { operador, valor, composicao, condicao }: AttributeCondition,
  parent: AttributeDetail,
): string {
  const term = `${OPERATORS[operador] ?? operador} ${valueInWords(valor, parent)}`;
  if (composicao == null || condicao == null) return term;
  // The remaining terms form a group: `a e (b ou c)` is not `a e b ou c`.
  const rest = terms(condicao, parent);
  return `${term} ${JOINED[composicao] ?? composicao} ${condicao.condicao == null ? rest : `(${rest})`}`;
}

/** Formats a value as `Sim`, as `01 (Certificadora nacional)`, or unchanged. */
function valueInWords(valor: string, { formaPreenchimento, dominio }: AttributeDetail): string {
  if (formaPreenchimento === 'BOOLEANO') return BOOLEANS[valor] ?? valor;
  const item = dominio?.find(({ codigo }) => codigo === valor);
  return item === undefined ? valor : `${item.codigo} (${item.descricao})`;
}

const BOOLEANS: Readonly<Record<string, string>> = { true: 'Sim', false: 'Não' };

export const nameOf = ({ nomeApresentacao, nome }: AttributeDetail): string =>
  nomeApresentacao == null || nomeApresentacao === '' ? nome : nomeApresentacao;

export const domainOf = ({ dominio }: AttributeDetail): readonly AttributeDomainItem[] => dominio ?? [];

/**
 * Returns true for attributes of the catalogue, which have the objective Produto. A nested attribute may omit
 * its objective.
 */
export const isOfProducts = ({ objetivos }: AttributeDetail): boolean =>
  objetivos == null || objetivos.length === 0 || objetivos.some(({ codigo }) => Number(codigo) === 7);

export interface RequiredAttribute {
  readonly detail: AttributeDetail;
  /** One pair per modality that requires the attribute. */
  readonly pairs: readonly AttributePair[];
}

/** Returns the attributes of an NCM, required ones first, then in the order of the table. */
export function attributesOfNcm(
  answer: Pick<NcmAttributes, 'listaAtributos' | 'detalhesAtributos'>,
): readonly RequiredAttribute[] {
  const details = new Map(answer.detalhesAtributos.map((detail) => [detail.codigo, detail]));
  const pairs = Map.groupBy(answer.listaAtributos, ({ codigo }) => codigo);
  return [...pairs]
    .flatMap(([codigo, attributePairs]) => {
      const detail = details.get(codigo);
      return detail === undefined ? [] : { detail, pairs: attributePairs };
    })
    .toSorted((a, b) => Number(isRequired(b)) - Number(isRequired(a)));
}

export const isRequired = ({ pairs }: RequiredAttribute): boolean =>
  pairs.some(({ obrigatorio }) => obrigatorio);

/**
 * Formats the modalities as `Importação: obrigatório · Exportação: opcional`, or as one word when they agree.
 */
export function modalitiesInWords({ pairs }: RequiredAttribute): string {
  const phrases = [
    ...new Set(pairs.map((pair) => `${pair.modalidade}: ${pair.obrigatorio ? 'obrigatório' : 'opcional'}`)),
  ];
  return phrases.join(' · ');
}
