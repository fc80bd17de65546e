/**
 * Words of attributes by NCM: the public table (contract section 8) and a product's four attribute lists (section 4).
 * Plain types: a table never comes through the wire's schemas, and its values must cross to and from a Worker.
 */
import type { Day } from '../../../clock.ts';

/** How an attribute is filled in; the ten forms of the public table. */
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

/** The modality of a product; of AMBOS both kinds of pairs count. */
export type Modalidade = 'IMPORTACAO' | 'EXPORTACAO' | 'AMBOS';

/** The modality of a pair, as the public table writes it. */
export type PairModalidade = 'Importação' | 'Exportação';

/** Days of validity, both inclusive; `''` is open. */
export interface Validity {
  readonly dataInicioVigencia: Day | '';
  readonly dataFimVigencia: Day | '';
}

/** One attribute of one NCM (`listaAtributos[]`). */
export interface Pair extends Validity {
  readonly codigo: string;
  readonly modalidade: PairModalidade;
  readonly obrigatorio: boolean;
  readonly multivalorado: boolean;
}

export interface NcmPairs {
  /** Eight digits, however the file wrote it. */
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

/** Right-nested: `a || (b && (c …))`, every term over the parent's value. */
export interface Condition {
  readonly operador: Operador;
  readonly valor: string;
  readonly composicao?: Composicao;
  readonly condicao?: Condition;
}

/** One of a condition, laid flat. */
export interface Term {
  readonly operador: Operador;
  readonly valor: string;
  /** How this term joins everything to its right. */
  readonly composicao: Composicao | undefined;
}

export interface Conditional extends Validity {
  readonly obrigatorio: boolean;
  readonly multivalorado: boolean;
  readonly descricaoCondicao: string;
  readonly condicao: Condition;
  readonly atributo: AttributeDetail;
}

/** One attribute described (`detalhesAtributos[]`, `condicionados[].atributo`, `listaSubatributos[]`). */
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
  /** Of a sub-attribute: whether its group needs it. Elsewhere the pair or the condition says so. */
  readonly obrigatorio: boolean;
  readonly dominio: readonly DomainItem[];
  readonly objetivos: readonly Objective[];
  readonly orgaos: readonly string[];
  readonly atributoCondicionante: boolean;
  readonly condicionados: readonly Conditional[];
  readonly listaSubatributos: readonly AttributeDetail[];
}

/** A table as it is kept: one row per NCM, one per attribute. */
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

/** The list in which a product has an attribute, of those that are meant. */
export const listWith = (
  codigo: string,
  product: AttributeLists,
  lists: readonly ListName[] = LISTS,
): ListName | undefined =>
  lists.find((list) =>
    product[list].some(({ atributo }: { readonly atributo: string }) => atributo === codigo),
  );

/** The attributes of an NCM, by their codes. */
export type NamedAttributes = ReadonlyMap<string, NamedAttribute>;

/** An attribute as a table names it for an NCM. */
export interface NamedAttribute {
  readonly detail: AttributeDetail;
  /** Where its values may stand, the first one unless a product has them in another. */
  readonly lists: readonly ListName[];
  /** Of a compound: its parts, by their codes. */
  readonly parts: ReadonlyMap<string, AttributeDetail>;
}

/** One attribute explained; sub-attributes follow their compound and name it. */
export interface AttributeNote {
  readonly atributo: string;
  readonly nomeApresentacao: string;
  readonly lista: ListName;
  readonly composto: string | null;
  readonly obrigatorio: boolean;
  /** In words, where the attribute is wanted only on a condition. */
  readonly condicao: string | null;
  readonly formaPreenchimento: FormaPreenchimento;
  readonly tamanhoMaximo: number | null;
  readonly casasDecimais: number | null;
  readonly mascara: string | null;
  readonly definicao: string;
  readonly orientacaoPreenchimento: string;
  readonly dominio: readonly DomainItem[];
}

/** What a table asks for an NCM on a day, for who has yet to fill it in. */
export interface NcmAsked {
  /** Of the modality that was asked for, or of both. */
  readonly notes: readonly AttributeNote[];
  /** The same of each modality. */
  readonly ofModality: Readonly<Record<'IMPORTACAO' | 'EXPORTACAO', readonly AttributeNote[]>>;
  /** Values that the rules take, for one of the modality. */
  readonly example: AttributeLists;
}

/** How an attribute is filled in, with its limits; `null`: the table does not say. */
export const fillingOf = (detail: AttributeDetail) => ({
  formaPreenchimento: detail.formaPreenchimento,
  tamanhoMaximo: detail.tamanhoMaximo ?? null,
  casasDecimais: detail.casasDecimais ?? null,
  mascara: detail.mascara ?? null,
});

/** Only attributes with this objective (Produto) belong to the catalogue (contract section 8). */
export const PRODUCT_OBJECTIVE = 7;

/** Whether something is valid on a day. */
export const isInForce = (validity: Validity, day: Day): boolean =>
  validity.dataInicioVigencia <= day && (validity.dataFimVigencia === '' || day <= validity.dataFimVigencia);

/** The list that an attribute's value belongs in. */
export function listOf(forma: FormaPreenchimento, multivalorado: boolean): ListName {
  if (forma === 'COMPOSTO') return multivalorado ? 'atributosCompostosMultivalorados' : 'atributosCompostos';
  return multivalorado ? 'atributosMultivalorados' : 'atributos';
}
