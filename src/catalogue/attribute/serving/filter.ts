/**
 * Filters the pairs of a table that a caller requests (contract section 8), each by its own members and those of
 * its attribute.
 */
import type { Day } from '../../../clock.ts';
import { folded } from '../../../validation/text.ts';
import {
  type AttributeDetail,
  type Modalidade,
  PRODUCT_OBJECTIVE,
  type Pair,
  isInForce,
} from '../words/model.ts';

export const OBJECTIVES = ['TRATAMENTO_ADMINISTRATIVO', 'PRODUTO', 'DUIMP'] as const;
export type ObjectiveName = (typeof OBJECTIVES)[number];

/** Conditions on attributes; an absent member filters nothing. */
export interface AttributeFilter {
  readonly data?: Day | undefined;
  readonly objetivos?: readonly ObjectiveName[] | undefined;
  /** Acronyms, in any letter case. */
  readonly orgaosDemandantes?: readonly string[] | undefined;
}

export interface PairFilter extends AttributeFilter {
  readonly modalidade?: Modalidade | undefined;
}

const PAIR_MODALITY = { IMPORTACAO: 'Importação', EXPORTACAO: 'Exportação' } as const;
const ADMINISTRATIVE_TREATMENT_OBJECTIVE = 3;

type Objective = AttributeDetail['objetivos'][number];

const IS_OBJECTIVE: Readonly<Record<ObjectiveName, (objective: Objective) => boolean>> = {
  TRATAMENTO_ADMINISTRATIVO: ({ codigo }) => codigo === ADMINISTRATIVE_TREATMENT_OBJECTIVE,
  PRODUTO: ({ codigo }) => codigo === PRODUCT_OBJECTIVE,
  // The number of this objective is not published.
  DUIMP: ({ descricao }) => folded(descricao).includes('duimp'),
};

/** Returns true if an attribute has one of the requested objectives and one of the requested agencies. */
export function matchesFilter(
  { objetivos, orgaos }: Pick<AttributeDetail, 'objetivos' | 'orgaos'>,
  filter: AttributeFilter,
): boolean {
  const agencies = filter.orgaosDemandantes?.map((name) => name.toUpperCase());
  const isObjective = (name: ObjectiveName): boolean => objetivos.some(IS_OBJECTIVE[name]);
  return (
    filter.objetivos?.some(isObjective) !== false &&
    agencies?.some((name) => orgaos.some((agency) => agency.toUpperCase() === name)) !== false
  );
}

/** Returns true if a pair has the modality and is in force on the day. */
export const pairMatches = (pair: Pair, { modalidade = 'AMBOS', data }: PairFilter): boolean =>
  (modalidade === 'AMBOS' || pair.modalidade === PAIR_MODALITY[modalidade]) &&
  (data === undefined || isInForce(pair, data));

/** Returns true if the filter has a condition on the attributes themselves. */
export const filtersDetails = ({ objetivos, orgaosDemandantes }: AttributeFilter): boolean =>
  (objetivos ?? orgaosDemandantes) !== undefined;
