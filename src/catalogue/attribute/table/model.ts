/**
 * Types of the changes between two tables (contract section 19): NCMs and attributes that were added, removed, or
 * changed.
 */

/** Number of newest tables with a history. */
export const HISTORY_TABLES = 400;

/** Id used for "no table", where the first table is compared with the one before it. */
export const NO_TABLE_BEFORE = 0;

/** Codes of NCMs (8 digits), or of attributes. */
export interface Codes<Changed = string> {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly Changed[];
}

/** Texts of a member; `null` if it is absent. */
export interface Changed {
  readonly valorAnterior: string | null;
  readonly valorAtual: string | null;
}

export const TEXT_MEMBERS = [
  'nome',
  'definicao',
  'nomeApresentacao',
  'orientacaoPreenchimento',
  'formaPreenchimento',
  'tamanhoMaximo',
  'mascara',
  'casasDecimais',
  'modalidade',
  'obrigatorio',
  'multivalorado',
  'dataInicioVigencia',
  'dataFimVigencia',
  'objetivos',
  'orgaos',
  'atributoCondicionante',
] as const;
type TextMember = (typeof TEXT_MEMBERS)[number];

type ChangedMembers = Partial<Record<TextMember, Changed>>;

export interface ChangedList<Item> {
  readonly adicionado: readonly string[];
  readonly excluido: readonly string[];
  readonly alterado: readonly Item[];
}

export interface ChangedDomainItem {
  readonly codigo: string;
  readonly descricao: Changed;
}

export const CONDITION_MEMBERS = [
  'obrigatorio',
  'multivalorado',
  'condicao',
  'dataInicioVigencia',
  'dataFimVigencia',
] as const;

export interface ChangedConditional extends Partial<Record<(typeof CONDITION_MEMBERS)[number], Changed>> {
  readonly atributo: Alteration;
}

/** `ALTERADO` of contract section 8: only the members that changed, and the code. */
export interface Alteration extends ChangedMembers {
  readonly codigo: string;
  readonly dominio?: ChangedList<ChangedDomainItem>;
  readonly condicionados?: ChangedList<ChangedConditional>;
  readonly listaSubatributos?: ChangedList<Alteration>;
}

/** Changes in one pair of an NCM: members of the pair alone. */
export type PairAlteration = Omit<Alteration, 'codigo'>;

/** NCM of both tables: attributes that were added, removed, or whose pairs or description changed. */
export interface ChangedNcm extends Codes {
  readonly ncm: string;
  /** Alterations of the pairs, by changed attribute; none if only the description changed. */
  readonly pairs?: Readonly<Record<string, readonly PairAlteration[]>>;
}

export interface TableChange {
  readonly ncms: Codes<ChangedNcm>;
  readonly attributes: Codes;
  /**
   * Changes of the description, by changed attribute. Earlier versions of this product did not store them.
   */
  readonly descriptions?: Readonly<Record<string, Alteration>>;
}

export interface Counts {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
}

export interface ChangeCounts {
  readonly ncms: Counts;
  readonly attributes: Counts;
}

export const countsOf = ({ ncms, attributes }: TableChange): ChangeCounts => ({
  ncms: changeCounts(ncms),
  attributes: changeCounts(attributes),
});

const changeCounts = ({ added, removed, changed }: Codes<unknown>): Counts => ({
  added: added.length,
  removed: removed.length,
  changed: changed.length,
});
