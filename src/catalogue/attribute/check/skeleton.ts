/**
 * Builds a product to fill in and post (`catp attributes new`): the request form with the required
 * attributes of an NCM, and separate notes on each attribute, since the body accepts no other members.
 */
import type { Day } from '../../../clock.ts';
import { Applicability, type Situation } from './applicability.ts';
import {
  type AttributeNote,
  type AttributeValue,
  type ListName,
  type Modalidade,
  fillingOf,
} from '../words/model.ts';
import {
  type Claim,
  MODALITY_BITS,
  type PreparedNcm,
  type Scope,
  type AttributeSlot,
  dayNumber,
} from './prepare.ts';

/** Request form of a product (contract section 4); members to fill in are `""`. */
export interface ProductSkeleton {
  readonly descricao: string;
  readonly denominacao: string;
  readonly modalidade: Modalidade;
  readonly ncm: string;
  readonly atributos: AttributeValue[];
  readonly atributosMultivalorados: { atributo: string; valores: string[] }[];
  readonly atributosCompostos: { atributo: string; valores: AttributeValue[] }[];
  readonly atributosCompostosMultivalorados: { atributo: string; valores: AttributeValue[][] }[];
  readonly codigosInterno: string[];
}

export interface Skeleton {
  readonly product: ProductSkeleton;
  /** All attributes in force, required or not, in the table's order. */
  readonly notes: readonly AttributeNote[];
}

export function skeleton(prepared: PreparedNcm, day: Day, modalidade: Modalidade): Skeleton {
  const product: ProductSkeleton = {
    descricao: '',
    denominacao: '',
    modalidade,
    ncm: prepared.ncm,
    atributos: [],
    atributosMultivalorados: [],
    atributosCompostos: [],
    atributosCompostosMultivalorados: [],
    codigosInterno: [],
  };
  const situation = { day: dayNumber(day), modalities: MODALITY_BITS[modalidade] };
  for (const { slot, claim } of claimsInForce(prepared.scope, situation))
    if (claim.required && claim.parent === undefined) addEmpty(product, slot, claim.list, situation);
  return { product, notes: notesOf(prepared.scope, situation, null) };
}

interface SlotInForce {
  readonly slot: AttributeSlot;
  readonly claim: Claim;
}

/** Returns each attribute in force with its strictest claim. */
function claimsInForce(scope: Scope, situation: Situation): SlotInForce[] {
  const applicability = new Applicability(scope, situation, []);
  return scope.slots
    .filter((slot) => applicability.isInForce(slot))
    .flatMap((slot) => {
      const claims = slot.claims.filter((claim) => applicability.isClaimInForce(claim));
      const unconditional = claims.filter(({ parent }) => parent === undefined);
      const candidates = unconditional.length > 0 ? unconditional : claims;
      const claim = candidates.find(({ required }) => required) ?? candidates[0];
      return claim === undefined ? [] : [{ slot, claim }];
    });
}

function addEmpty(product: ProductSkeleton, slot: AttributeSlot, list: ListName, situation: Situation): void {
  const atributo = slot.attribute.codigo;
  switch (list) {
    case 'atributos':
      product.atributos.push({ atributo, valor: '' });
      break;
    case 'atributosMultivalorados':
      product.atributosMultivalorados.push({ atributo, valores: [''] });
      break;
    case 'atributosCompostos':
      product.atributosCompostos.push({ atributo, valores: emptyGroup(slot, situation) });
      break;
    case 'atributosCompostosMultivalorados':
      product.atributosCompostosMultivalorados.push({ atributo, valores: [emptyGroup(slot, situation)] });
      break;
  }
}

function emptyGroup({ attribute }: AttributeSlot, situation: Situation): AttributeValue[] {
  if (attribute.subattributes === undefined) return [];
  const subattributes = claimsInForce(attribute.subattributes, situation).filter(
    ({ claim }) => claim.parent === undefined,
  );
  const required = subattributes.filter(({ claim }) => claim.required);
  // A group must not be empty: if no sub-attribute is required, it gets the first one.
  return (required.length > 0 ? required : subattributes.slice(0, 1)).map(({ slot }) => ({
    atributo: slot.attribute.codigo,
    valor: '',
  }));
}

function notesOf(scope: Scope, situation: Situation, composto: string | null): AttributeNote[] {
  return claimsInForce(scope, situation).flatMap(({ slot, claim }) => {
    const { detail, subattributes } = slot.attribute;
    const note: AttributeNote = {
      atributo: detail.codigo,
      nomeApresentacao: detail.nomeApresentacao,
      lista: claim.list,
      composto,
      obrigatorio: claim.required,
      condicao: claim.condition?.words ?? null,
      ...fillingOf(detail),
      definicao: detail.definicao,
      orientacaoPreenchimento: detail.orientacaoPreenchimento,
      dominio: detail.dominio,
    };
    return subattributes === undefined ? [note] : [note, ...notesOf(subattributes, situation, detail.codigo)];
  });
}
