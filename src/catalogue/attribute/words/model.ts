/**
 * Types of attributes by NCM: the public table (contract section 8) and a product's four attribute lists (section
 * 4). Plain values: a table never passes through the wire schemas, and is sent to and from a Worker.
 */
import type { Day } from '../../../clock.ts';

/** Input forms of an attribute; the ten forms of the public table. */
export const FORMAS_PREENCHIMENTO = [
  'LISTA_ESTATICA',
  'BOOLEANO',
  'DATA',
  'DATA_HORA',
  'NUMERO_INTEIRO',
  'NUMERO_REAL',
  'TEXTO',
  'DOMINIO_DINAMICO',
  'COMPOSTO',
  'LISTA_TABX_FILTRO',
] as const;
export type FormaPreenchimento = (typeof FORMAS_PREENCHIMENTO)[number];

export const OPERADORES = ['==', '!=', '>', '>=', '<', '<='] as const;
export type Operador = (typeof OPERADORES)[number];

export const COMPOSICOES = ['||', '&&'] as const;
export type Composicao = (typeof COMPOSICOES)[number];

/** Modality of a product; both kinds of pairs apply to AMBOS. */
export type Modalidade = 'IMPORTACAO' | 'EXPORTACAO' | 'AMBOS';

/** Modality of a pair, as the public table writes it. */
export type PairModalidade = 'Importação' | 'Exportação';

/** Days of validity, both inclusive; `''` is open. */
export interface Validity {
  readonly dataInicioVigencia: Day | '';
  readonly dataFimVigencia: Day | '';
}

/** Attribute of an NCM (`listaAtributos[]`). */
export interface Pair extends Validity {
  readonly codigo: string;
  readonly modalidade: PairModalidade;
  readonly obrigatorio: boolean;
  readonly multivalorado: boolean;
}

export interface NcmPairs {
  /** Eight digits, for any notation in the file. */
  readonly codigoNcm: string;
  readonly listaAtributos: readonly Pair[];
}

export interface DomainItem {
  readonly codigo: string;
  readonly descricao: string;
}

export interface Objective {
  readonly codigo: number;
  readonly descricao: string;
}

/** Right-nested: `a || (b && (c …))`, every term on the parent's value. */
export interface Condition {
  readonly operador: Operador;
  readonly valor: string;
  readonly composicao?: Composicao;
  readonly condicao?: Condition;
}

/** Term of a flattened condition. */
export interface Term {
  readonly operador: Operador;
  readonly valor: string;
  /** Operator that joins this term to everything on its right. */
  readonly composicao: Composicao | undefined;
}

export interface Conditional extends Validity {
  readonly obrigatorio: boolean;
  readonly multivalorado: boolean;
  readonly descricaoCondicao: string;
  readonly condicao: Condition;
  readonly atributo: AttributeDetail;
}

/**
 * Description of an attribute (`detalhesAtributos[]`, `condicionados[].atributo`, `listaSubatributos[]`).
 */
export interface AttributeDetail extends Validity {
  readonly codigo: string;
  readonly nome: string;
  readonly nomeApresentacao: string;
  readonly definicao: string;
  readonly orientacaoPreenchimento: string;
  readonly formaPreenchimento: FormaPreenchimento;
  readonly tamanhoMaximo?: number;
  readonly casasDecimais?: number;
  readonly mascara?: string;
  /**
   * True for a sub-attribute that its group requires. For other attributes the pair or the condition decides.
   */
  readonly obrigatorio: boolean;
  readonly dominio: readonly DomainItem[];
  readonly objetivos: readonly Objective[];
  readonly orgaos: readonly string[];
  readonly atributoCondicionante: boolean;
  readonly condicionados: readonly Conditional[];
  readonly listaSubatributos: readonly AttributeDetail[];
}

/** Table as stored: one row per NCM, one per attribute. */
export interface AttributeTable {
  readonly versao: string;
  readonly listaNcm: readonly NcmPairs[];
  readonly detalhesAtributos: readonly AttributeDetail[];
}

export interface AttributeValue {
  readonly atributo: string;
  readonly valor: string;
}

export interface AttributeLists {
  readonly atributos: readonly AttributeValue[];
  readonly atributosMultivalorados: readonly {
    readonly atributo: string;
    readonly valores: readonly string[];
  }[];
  readonly atributosCompostos: readonly {
    readonly atributo: string;
    readonly valores: readonly AttributeValue[];
  }[];
  readonly atributosCompostosMultivalorados: readonly {
    readonly atributo: string;
    readonly valores: readonly (readonly AttributeValue[])[];
  }[];
}

export const NO_LISTS: AttributeLists = {
  atributos: [],
  atributosMultivalorados: [],
  atributosCompostos: [],
  atributosCompostosMultivalorados: [],
};

export type ListName = keyof AttributeLists;
export const LISTS = Object.keys(NO_LISTS) as readonly ListName[];

/** Returns the list, among the possible ones, in which a product has an attribute. */
export const listWith = (
  codigo: string,
  product: AttributeLists,
  lists: readonly ListName[] = LISTS,
): ListName | undefined =>
  lists.find((list) =>
    product[list].some(({ atributo }: { readonly atributo: string }) => atributo === codigo),
  );

/** Attributes of an NCM, by code. */
export type NcmAttributes = ReadonlyMap<string, NcmAttribute>;

/** Attribute as a table names it for an NCM. */
export interface NcmAttribute {
  readonly detail: AttributeDetail;
  /** Lists that its values may be in; the first one is used unless a product has them in another. */
  readonly lists: readonly ListName[];
  /** Parts of a compound, by code. */
  readonly parts: ReadonlyMap<string, AttributeDetail>;
}

/** Explanation of one attribute; sub-attributes follow their compound and name it. */
export interface AttributeNote {
  readonly atributo: string;
  readonly nomeApresentacao: string;
  readonly lista: ListName;
  readonly composto: string | null;
  readonly obrigatorio: boolean;
  /** Condition in words, if the attribute is required only on a condition. */
  readonly condicao: string | null;
  readonly formaPreenchimento: FormaPreenchimento;
  readonly tamanhoMaximo: number | null;
  readonly casasDecimais: number | null;
  readonly mascara: string | null;
  readonly definicao: string;
  readonly orientacaoPreenchimento: string;
  readonly dominio: readonly DomainItem[];
}

/** Requirements of a table for an NCM on a day, for users who still have to fill them in. */
export interface NcmGuide {
  /** Notes of the requested modality, or of both. */
  readonly notes: readonly AttributeNote[];
  /** Notes of each modality. */
  readonly ofModality: Readonly<Record<'IMPORTACAO' | 'EXPORTACAO', readonly AttributeNote[]>>;
  /** Example values that the rules accept, for one modality. */
  readonly example: AttributeLists;
}

/** Returns the input form of an attribute, with its limits; `null`: the table does not say. */
export const fillingOf = (detail: AttributeDetail) => ({
  formaPreenchimento: detail.formaPreenchimento,
  tamanhoMaximo: detail.tamanhoMaximo ?? null,
  casasDecimais: detail.casasDecimais ?? null,
  mascara: detail.mascara ?? null,
});

/** Code of the objective Produto: only attributes with it belong to the catalogue (contract section 8). */
export const PRODUCT_OBJECTIVE = 7;

/** Returns true if something is valid on a day. */
export const isInForce = (validity: Validity, day: Day): boolean =>
  validity.dataInicioVigencia <= day && (validity.dataFimVigencia === '' || day <= validity.dataFimVigencia);

/** Returns the list for the values of an attribute. */
export function listOf(forma: FormaPreenchimento, multivalorado: boolean): ListName {
  if (forma === 'COMPOSTO') return multivalorado ? 'atributosCompostosMultivalorados' : 'atributosCompostos';
  return multivalorado ? 'atributosMultivalorados' : 'atributos';
}
