/** Writes the messages of the attribute rules: which attribute, what is accepted, what to do. */
import { formatValue } from '../../../validation/format-value.ts';
import type { Applicability } from './applicability.ts';
import { domainInWords } from './domain.ts';
import type { ListName, Modalidade } from '../words/model.ts';
import type { Claim, AttributeSlot } from './prepare.ts';

/** Names the subject of the check in messages. */
export interface Words {
  /** Examples: `da NCM 05040011`, `do atributo composto ATT_9 (Embalagem)`. */
  readonly inNcmOrCompound: string;
  readonly modalidade: Modalidade;
  readonly otherObjectives: ReadonlySet<string> | undefined;
}

export const labelled = (slot: AttributeSlot, message: string): string =>
  `Atributo ${slot.attribute.label}: ${message}`;

/** Number of codes listed when none is near. */
const LISTED_CODES_MAX = 10;

/**
 * Writes the message for an attribute that is not in the scope. `namedSlots`: attributes of the modality;
 * `suggestedSlot`: the attribute that was probably meant.
 */
export function notInScope(
  codigo: string,
  slot: AttributeSlot | undefined,
  slotsOfModality: readonly AttributeSlot[],
  words: Words,
  suggestedSlot: AttributeSlot | undefined,
): string {
  if (slot !== undefined)
    return labelled(slot, `não é ${words.inNcmOrCompound} para a modalidade ${words.modalidade}; retire-o.`);
  const start = `Atributo ${formatValue(codigo)}: não é ${words.inNcmOrCompound}`;
  if (words.otherObjectives?.has(codigo) === true)
    return `${start} no catálogo, pois o objetivo dele na tabela não inclui Produto (7); retire-o.`;
  if (suggestedSlot !== undefined) return `${start}. Você quis dizer ${suggestedSlot.attribute.label}?`;
  if (slotsOfModality.length === 0) return `${start}, que não tem atributos; retire-o.`;
  const more = slotsOfModality.length > LISTED_CODES_MAX ? `, … (${slotsOfModality.length} atributos)` : '';
  const codes = slotsOfModality.slice(0, LISTED_CODES_MAX).map(({ attribute }) => attribute.codigo);
  return `${start}; aceita ${codes.join(', ')}${more}.`;
}

export const repeatedAttribute = (slot: AttributeSlot, firstPointer: string): string =>
  labelled(slot, `já foi informado em ${firstPointer}; informe-o uma só vez.`);

export function wrongList(slot: AttributeSlot, received: ListName, claims: readonly Claim[]): string {
  const lists = [...new Set(claims.map(({ list }) => list))];
  return labelled(slot, `recebido em ${received}; informe-o em ${lists.join(' ou ')}.`);
}

export function conditionNotMet(slot: AttributeSlot, applicability: Applicability): string {
  const reasons = slot.claims.flatMap(({ parent, condition }) =>
    parent === undefined || condition === undefined || !applicability.isOfModality(parent)
      ? []
      : [condition.words],
  );
  return labelled(
    slot,
    `só é aceito quando ${[...new Set(reasons)].join('; ou quando ')}; retire-o ou corrija o condicionante.`,
  );
}

export function missingAttribute(slot: AttributeSlot, claim: Claim, words: Words): string {
  const { domain } = slot.attribute.value;
  const accepted = domain === undefined ? '' : ` Aceita ${domainInWords(domain)}.`;
  const reason = claim.condition === undefined ? '' : ` quando ${claim.condition.words}`;
  return labelled(slot, `obrigatório ${words.inNcmOrCompound}${reason}, não informado.${accepted}`);
}
