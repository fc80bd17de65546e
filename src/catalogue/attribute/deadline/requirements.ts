/**
 * Finds the future requirements of an NCM, each with its first day (contract section 19): the rules that begin
 * later, and those that the table in force announces by the end of an optional pair. Pure.
 */
import type { Day } from '../../../clock.ts';
import { dayBefore, nextDay } from '../../../validation/calendar.ts';
import {
  type Claim,
  type DayNumber,
  MODALITY_BITS,
  NEVER_ENDS,
  type PreparedNcm,
  type Scope,
  type AttributeSlot,
  dayNumber,
  dayOfNumber,
  daysOf,
} from '../check/prepare.ts';
import type { DeadlineKind, DeadlineModalidade } from './model.ts';

/** Table, from the day on which it comes into force to the day before the next one does. */
export interface Term {
  readonly versao: string;
  readonly from: Day;
  readonly before: Day | undefined;
  /** Rules of the table for the NCM; `undefined`: none. */
  readonly ncm: PreparedNcm | undefined;
}

/** Tables in the order of their days. The first is in force now. */
export interface Terms {
  readonly terms: readonly Term[];
  /**
   * Returns the rules of the table that was in force before the first one. A function, because few NCMs need
   * them and preparing them costs as much as those of the first one.
   */
  readonly previous: () => PreparedNcm | undefined;
}

/** Requirement that begins in the future. */
export type Requirement = AttributeRequirement | NcmRequirement;

interface RequirementBase {
  readonly on: Day;
  readonly kind: DeadlineKind;
  readonly overdue: boolean;
}

/** Requirement of one attribute. */
export interface AttributeRequirement extends RequirementBase {
  readonly modalidade: DeadlineModalidade;
  readonly codigo: string;
  readonly nome: string;
  readonly table: string;
  /** Claims, each of which alone requires the attribute: a pair, or one of several conditions. */
  readonly positions: readonly ClaimPosition[];
}

/**
 * Requirement that every product get another NCM, because its NCM ends before that day. The nomenclature, not
 * a table, sets the end.
 */
export interface NcmRequirement extends RequirementBase {
  readonly modalidade: null;
  readonly codigo: null;
  readonly nome: null;
  readonly table: null;
}

/** Returns the requirement of an NCM that ends in the future. An end in the past is a notice on the product (contract section 20). */
export const ncmEndRequirement = (lastDay: Day): NcmRequirement => ({
  on: nextDay(lastDay),
  kind: 'certain',
  overdue: false,
  modalidade: null,
  codigo: null,
  nome: null,
  table: null,
});

/** Position of a claim: among the attributes of an NCM, or in the groups of a compound. */
export interface ClaimPosition {
  readonly scope: Scope;
  readonly compound: AttributeSlot | undefined;
  readonly slot: AttributeSlot;
  readonly claim: Claim;
}

const MODALIDADES = ['IMPORTACAO', 'EXPORTACAO'] as const;

export const requirementsOf = (terms: Terms, today: Day): readonly AttributeRequirement[] =>
  MODALIDADES.flatMap((modalidade) => {
    const certain = certainRequirements(terms.terms, modalidade, today);
    return [...announcedRequirements(terms, modalidade, today, certain), ...certain];
  });

/**
 * Returns the requirements that the previous table announced, except those that this table makes or
 * announces.
 * They are reported while this table is in force. The impact of this table reports the NCMs that it lacks.
 */
export function unconfirmedRequirements(
  before: Terms,
  now: Terms,
  today: Day,
): readonly AttributeRequirement[] {
  const [inForce] = now.terms;
  if (inForce?.ncm === undefined) return [];
  const currentRequirements = requirementsOf(now, today);
  const isStillReported = ({ codigo, modalidade }: AttributeRequirement): boolean =>
    currentRequirements.some(
      (attributeRequirement) =>
        attributeRequirement.codigo === codigo && attributeRequirement.modalidade === modalidade,
    );
  return requirementsOf(before, dayBefore(inForce.from))
    .filter(
      (requirement) =>
        requirement.kind === 'announced' &&
        !isStillReported(requirement) &&
        !isConfirmed(requirement, inForce),
    )
    .map((requirement) => ({ ...requirement, overdue: requirement.on <= today }));
}

/** Returns true if the table requires it, also under a condition. */
function isConfirmed({ codigo, modalidade }: AttributeRequirement, { ncm, from }: Term): boolean {
  const claims = ncm?.scope.byCode.get(codigo)?.claims ?? [];
  return claims.some(
    (claim) => claim.required && daysOfClaim(claim, MODALITY_BITS[modalidade]).to >= dayNumber(from),
  );
}

function certainRequirements(
  terms: readonly Term[],
  modalidade: DeadlineModalidade,
  today: Day,
): readonly AttributeRequirement[] {
  const bit = MODALITY_BITS[modalidade];
  const requirements = new Map<string, AttributeRequirement>();
  const now = dayNumber(today);
  for (const { versao, from, before, ncm } of terms) {
    const [begins, ends] = [dayNumber(from), before === undefined ? NEVER_ENDS : dayNumber(before)];
    // The table in force adds no later requirement for most NCMs: this check skips them fast.
    if (ncm === undefined || (begins <= now && !beginsLater(ncm.scope, now))) continue;
    for (const position of positionsIn(ncm)) {
      if (!position.claim.required) continue;
      const days = daysOfPosition(position, bit);
      const first = Math.max(days.from, begins);
      if (first > days.to || first <= now || first >= ends) continue;
      const on = dayOfNumber(first);
      if (wasRequired(terms, position, bit, dayBefore(on))) continue;
      const key = `${on} ${position.slot.attribute.codigo}`;
      const existingRequirement = requirements.get(key);
      const requirement =
        existingRequirement ??
        newRequirement(position, modalidade, { on, kind: 'certain', table: versao, today });
      requirements.set(
        key,
        existingRequirement === undefined
          ? requirement
          : { ...requirement, positions: [...requirement.positions, position] },
      );
    }
  }
  return [...requirements.values()];
}

/** Returns true if any claim begins after a day. */
const beginsLater = ({ slots }: Scope, day: DayNumber): boolean =>
  slots.some(
    ({ claims, attribute: { subattributes } }) =>
      claims.some(({ from }) => from > day) ||
      (subattributes !== undefined && beginsLater(subattributes, day)),
  );

/** Returns true if the table in force on that day already required the same. */
function wasRequired(terms: readonly Term[], requested: ClaimPosition, bit: number, day: Day): boolean {
  const termOfDay = terms.findLast(({ from }) => from <= day) ?? terms[0];
  const at = dayNumber(day);
  for (const position of positionsIn(termOfDay?.ncm, requested)) {
    const { claim } = position;
    if (!claim.required || (claim.parent !== undefined && keyOf(position) !== keyOf(requested))) continue;
    const { from, to } = daysOfPosition(position, bit);
    if (from <= at && at <= to) return true;
  }
  return false;
}

function* announcedRequirements(
  { terms: [term], previous }: Terms,
  modalidade: DeadlineModalidade,
  today: Day,
  certain: readonly AttributeRequirement[],
): Generator<AttributeRequirement> {
  if (term?.ncm === undefined) return;
  const bit = MODALITY_BITS[modalidade];
  const { scope } = term.ncm;
  const reportedKeys = new Set<string>();
  for (const slot of scope.slots)
    for (const claim of slot.claims) {
      if (!announcesRequirement(slot, claim, bit)) continue;
      const on = nextDay(dayOfNumber(claim.to));
      const { codigo } = slot.attribute;
      // Another pair of the table states the rule after that day, so no requirement is derived from the end.
      if (
        slot.claims.some((other) => other !== claim && isUnconditionalPair(other, bit) && isWithin(other, on))
      )
        continue;
      if (
        reportedKeys.has(`${on} ${codigo}`) ||
        certain.some((attributeRequirement) => alreadyReports(attributeRequirement, codigo, on))
      )
        continue;
      if (on <= term.from && wasAnnouncedBy(previous(), codigo, claim, bit)) continue;
      reportedKeys.add(`${on} ${codigo}`);
      const position = { scope, compound: undefined, slot, claim };
      yield newRequirement(position, modalidade, { on, kind: 'announced', table: term.versao, today });
    }
}

/** Returns true if the end of a pair announces a requirement. If the description ends too, the attribute does. */
const announcesRequirement = ({ attribute: { detail } }: AttributeSlot, claim: Claim, bit: number): boolean =>
  isUnconditionalPair(claim, bit) &&
  !claim.required &&
  claim.to !== NEVER_ENDS &&
  daysOf(detail).to > claim.to;

/** Returns true for a pair of that modality without a condition. */
const isUnconditionalPair = ({ parent, modalities }: Claim, bit: number): boolean =>
  parent === undefined && (modalities & bit) !== 0;

const isWithin = ({ from, to }: Claim, day: Day): boolean => from <= dayNumber(day) && dayNumber(day) <= to;

/** Returns true if a certain requirement already reports the announced attribute. */
const alreadyReports = (
  { codigo, on, positions }: AttributeRequirement,
  announced: string,
  day: Day,
): boolean =>
  codigo === announced &&
  positions.some(
    ({ compound, claim: { parent, from } }) =>
      compound === undefined && parent === undefined && (on <= day || from === dayNumber(day)),
  );

/**
 * Returns true if the previous table already announced the requirement, and this table did not confirm it.
 */
const wasAnnouncedBy = (past: PreparedNcm | undefined, codigo: string, { to }: Claim, bit: number): boolean =>
  past?.scope.byCode
    .get(codigo)
    ?.claims.some((claim) => isUnconditionalPair(claim, bit) && !claim.required && claim.to === to) === true;

/** Yields all claims on attributes of an NCM; with `sameAs`, only those on the same attribute. */
function* positionsIn(ncm: PreparedNcm | undefined, sameAs?: ClaimPosition): Generator<ClaimPosition> {
  if (ncm === undefined) return;
  const { scope } = ncm;
  if (sameAs === undefined) {
    for (const slot of scope.slots) {
      yield* claimsOn(scope, slot, undefined);
      const parts = slot.attribute.subattributes;
      for (const part of parts?.slots ?? []) if (parts !== undefined) yield* claimsOn(parts, part, slot);
    }
    return;
  }
  const compound = sameAs.compound && scope.byCode.get(sameAs.compound.attribute.codigo);
  const scopeOfSlot = sameAs.compound === undefined ? scope : compound?.attribute.subattributes;
  const slot = scopeOfSlot?.byCode.get(sameAs.slot.attribute.codigo);
  if (scopeOfSlot !== undefined && slot !== undefined) yield* claimsOn(scopeOfSlot, slot, compound);
}

const claimsOn = (
  scope: Scope,
  slot: AttributeSlot,
  compound: AttributeSlot | undefined,
): readonly ClaimPosition[] => slot.claims.map((claim) => ({ scope, compound, slot, claim }));

/** Returns a key of attribute and condition, the same in every table. */
const keyOf = ({ compound, slot, claim: { parent, condition } }: ClaimPosition): string =>
  [compound, slot, parent].map((attributeSlot) => attributeSlot?.attribute.codigo).join(' ') +
  (condition?.words ?? '');

interface Days {
  readonly from: DayNumber;
  readonly to: DayNumber;
}

const NO_DAYS: Days = { from: NEVER_ENDS, to: 0 };

/** Returns the days on which a claim may require a value: only while its parent or compound is valid. */
function daysOfPosition({ compound, claim }: ClaimPosition, bit: number): Days {
  const own = daysOfClaim(claim, bit);
  return compound === undefined ? own : intersection(own, daysOfSlot(compound, bit));
}

function daysOfClaim({ parent, modalities, from, to }: Claim, bit: number): Days {
  if (parent !== undefined) return intersection({ from, to }, daysOfSlot(parent, bit));
  return (modalities & bit) === 0 ? NO_DAYS : { from, to };
}

function daysOfSlot({ claims }: AttributeSlot, bit: number): Days {
  const all = claims.map((claim) => daysOfClaim(claim, bit)).filter(({ from, to }) => from <= to);
  if (all.length === 0) return NO_DAYS;
  return { from: Math.min(...all.map(({ from }) => from)), to: Math.max(...all.map(({ to }) => to)) };
}

const intersection = (a: Days, b: Days): Days => ({
  from: Math.max(a.from, b.from),
  to: Math.min(a.to, b.to),
});

function newRequirement(
  position: ClaimPosition,
  modalidade: DeadlineModalidade,
  { today, ...members }: Pick<AttributeRequirement, 'on' | 'kind' | 'table'> & { readonly today: Day },
): AttributeRequirement {
  const { compound, slot } = position;
  const { codigo, detail } = slot.attribute;
  const nome =
    compound === undefined
      ? detail.nomeApresentacao
      : `${compound.attribute.detail.nomeApresentacao}: ${detail.nomeApresentacao}`;
  return { ...members, overdue: members.on <= today, modalidade, codigo, nome, positions: [position] };
}
