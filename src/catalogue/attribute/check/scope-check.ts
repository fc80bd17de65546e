/** Checks an NCM's attributes, or one group of a compound, against its scope. */
import { formatValue } from '../../../validation/format-value.ts';
import { Applicability, type SlotContent, type Situation } from './applicability.ts';
import type { RuleCode } from '../../../errors.ts';
import { ATTRIBUTE_CODES } from '../words/codes.ts';
import type { Findings } from './findings.ts';
import { isTypingError } from '../../../validation/text.ts';
import type { AttributeValue, ListName } from '../words/model.ts';
import type { Claim, Scope, AttributeSlot } from './prepare.ts';
import { type ValueFault, valueFaults } from './value.ts';
import {
  type Words,
  conditionNotMet,
  labelled,
  missingAttribute,
  notInScope,
  repeatedAttribute,
  wrongList,
} from './words.ts';

/** Item of an attribute list, or of a group. */
export interface AttributeItem {
  readonly list: ListName;
  /** Pointer of the list; the item is its `index`-th element. */
  readonly listPointer: string;
  readonly index: number;
  readonly atributo: string;
  /** Values of a simple attribute; one in `atributos`. */
  readonly values: readonly string[] | undefined;
  /** Groups of a compound attribute; one in `atributosCompostos`. */
  readonly groups: readonly (readonly AttributeValue[])[] | undefined;
}

/** Returns the pointer of an item in the product's body; built only for faults and groups. */
const pointerOf = ({ listPointer, index }: AttributeItem): string => `${listPointer}/${index}`;

/** Subject of the check: the whole product, or a group of a compound. */
export interface CheckSubject {
  readonly words: Words;
  readonly group: { readonly list: ListName; readonly pointer: string } | undefined;
}

/** Maximum number of groups of one multi-valued compound (contract section 8). */
const MAX_GROUPS = 5;

/** Adds every rule that the entries violate to the findings. */
export function checkScope(
  scope: Scope,
  entries: readonly AttributeItem[],
  situation: Situation,
  subject: CheckSubject,
  findings: Findings,
): void {
  new ScopeCheck(scope, situation, subject, findings).run(entries);
}

interface ReceivedAttribute extends SlotContent {
  readonly entry: AttributeItem;
}

class ScopeCheck {
  readonly #scope: Scope;
  readonly #situation: Situation;
  readonly #subject: CheckSubject;
  readonly #findings: Findings;
  /** Indexed by slot. */
  readonly #received: (ReceivedAttribute | undefined)[];
  /** Items whose attribute is not in this scope. */
  readonly #unknownItems: AttributeItem[] = [];
  readonly #applicability: Applicability;

  constructor(scope: Scope, situation: Situation, subject: CheckSubject, findings: Findings) {
    this.#scope = scope;
    this.#situation = situation;
    this.#subject = subject;
    this.#findings = findings;
    this.#received = new Array<ReceivedAttribute | undefined>(scope.slots.length);
    this.#applicability = new Applicability(scope, situation, this.#received);
  }

  run(entries: readonly AttributeItem[]): void {
    for (const entry of entries) if (!this.#findings.isFull) this.#receive(entry);
    for (const unknownItem of this.#unknownItems) if (!this.#findings.isFull) this.#refuse(unknownItem);
    // Values first: a condition can be decided only on sound values.
    for (const received of this.#received) if (received !== undefined) this.#checkContent(received);
    for (const received of this.#received) if (received !== undefined) this.#checkPresence(received);
    for (const slot of this.#scope.slots)
      if (this.#received[slot.index] === undefined) this.#checkAbsence(slot);
  }

  /** Accepts an item, unless its attribute is not in this scope or it repeats one. */
  #receive(entry: AttributeItem): void {
    const slot = this.#scope.byCode.get(entry.atributo);
    if (slot === undefined || !this.#applicability.isOfModality(slot)) {
      this.#unknownItems.push(entry);
      return;
    }
    const previousItem = this.#received[slot.index];
    if (previousItem === undefined) {
      this.#received[slot.index] = { slot, entry, values: entry.values, isSound: true };
      return;
    }
    const rule =
      this.#subject.group === undefined ? ATTRIBUTE_CODES.attributeTwice : ATTRIBUTE_CODES.subattributeTwice;
    this.#report(rule, entry, codeOf(entry), repeatedAttribute(slot, pointerOf(previousItem.entry)));
    previousItem.isSound = false;
  }

  /** Refuses an item whose attribute is not in this scope. */
  #refuse(entry: AttributeItem): void {
    const { group, words } = this.#subject;
    const rule = group === undefined ? ATTRIBUTE_CODES.notOfNcm : ATTRIBUTE_CODES.unknownSubattribute;
    const slot = this.#scope.byCode.get(entry.atributo);
    const suggestedSlot = slot === undefined ? this.#findSuggestedSlot(entry) : undefined;
    const slotsOfModality = this.#scope.slots.filter(this.#applicability.isOfModality);
    const message = notInScope(entry.atributo, slot, slotsOfModality, words, suggestedSlot);
    this.#report(rule, entry, codeOf(entry), message, suggestedSlot?.attribute.codigo);
  }

  /**
   * Returns the one attribute whose code was probably meant: it is allowed, not present yet, and accepts the
   * received values.
   */
  #findSuggestedSlot({ atributo, list, values, groups }: AttributeItem): AttributeSlot | undefined {
    const similarSlots = this.#scope.slots.filter(
      ({ index, attribute }) =>
        this.#received[index] === undefined && isTypingError(atributo, attribute.codigo),
    );
    if (similarSlots.length === 0) return undefined;
    // Uses a separate applicability: faults of the other values are not known yet.
    const applicability = new Applicability(this.#scope, this.#situation, this.#received);
    const [suggestedSlot, ...others] = similarSlots.filter(
      ({ claims, attribute: { value, subattributes } }) => {
        const acceptsValues =
          subattributes === undefined
            ? values?.every((text) => valueFaults(value, text).length === 0)
            : groups?.every((group) => group.every((part) => subattributes.byCode.has(part.atributo)));
        return (
          acceptsValues && claims.some((claim) => claim.list === list && applicability.isAllowedBy(claim))
        );
      },
    );
    return others.length === 0 ? suggestedSlot : undefined;
  }

  #checkContent(received: ReceivedAttribute): void {
    const { entry, slot } = received;
    const { subattributes } = slot.attribute;
    const previousItem = this.#findings.count;
    if (entry.values !== undefined && subattributes === undefined)
      this.#checkValues(entry, slot, entry.values);
    else if (entry.groups !== undefined && subattributes !== undefined)
      this.#checkGroups(entry, slot, entry.groups, subattributes);
    // A simple value for a compound, or the reverse, is in the wrong list; its content is not checked.
    else received.isSound = false;
    if (this.#findings.count > previousItem) received.isSound = false;
  }

  #checkValues(entry: AttributeItem, slot: AttributeSlot, values: readonly string[]): void {
    if (values.length === 0)
      this.#report(
        ATTRIBUTE_CODES.valueMissing,
        entry,
        `${pointerOf(entry)}/valores`,
        labelled(slot, 'informado sem valor; informe ao menos um, ou retire o atributo.'),
      );
    // A set costs more than the rest of a check: only several values need one.
    const earlierValues = values.length > 1 ? new Set<string>() : undefined;
    for (let index = 0; index < values.length && !this.#findings.isFull; index += 1) {
      const value = values[index] ?? '';
      const isRepeated = earlierValues?.has(value) === true;
      earlierValues?.add(value);
      const faults = isRepeated ? [repeatedValue(value)] : valueFaults(slot.attribute.value, value);
      if (faults.length === 0) continue;
      const path =
        entry.list === 'atributos' ? `${pointerOf(entry)}/valor` : `${pointerOf(entry)}/valores/${index}`;
      for (const { rule, message, suggestion } of faults)
        this.#report(rule, entry, path, labelled(slot, message), suggestion);
    }
  }

  #checkGroups(
    entry: AttributeItem,
    slot: AttributeSlot,
    groups: readonly (readonly AttributeValue[])[],
    subattributes: Scope,
  ): void {
    const list = `${pointerOf(entry)}/valores`;
    if (groups.length === 0)
      this.#report(
        ATTRIBUTE_CODES.valueMissing,
        entry,
        list,
        labelled(slot, 'informado sem valor; informe ao menos um grupo, ou retire o atributo.'),
      );
    if (groups.length > MAX_GROUPS)
      this.#report(
        ATTRIBUTE_CODES.tooManyGroups,
        entry,
        list,
        labelled(slot, `recebidos ${groups.length} grupos; aceita no máximo ${MAX_GROUPS}.`),
      );
    const words = {
      ...this.#subject.words,
      inNcmOrCompound: `do atributo composto ${slot.attribute.label}`,
      otherObjectives: undefined,
    };
    for (const [index, group] of groups.entries()) {
      if (this.#findings.isFull) return;
      const pointer = entry.list === 'atributosCompostos' ? list : `${list}/${index}`;
      if (group.length === 0)
        this.#report(
          ATTRIBUTE_CODES.valueMissing,
          entry,
          pointer,
          labelled(slot, 'grupo sem nenhum subatributo; informe ao menos um, ou retire o grupo.'),
        );
      else {
        const subject = { words, group: { list: entry.list, pointer } };
        checkScope(subattributes, groupEntries(group, pointer), this.#situation, subject, this.#findings);
      }
    }
  }

  /** Checks that a received value satisfies its condition and is in the right list. */
  #checkPresence({ entry, slot }: ReceivedAttribute): void {
    const isAllowed = (claim: Claim): boolean => this.#applicability.isAllowedBy(claim);
    if (slot.claims.some((claim) => claim.list === entry.list && isAllowed(claim))) return;
    const allowedClaims = slot.claims.filter(isAllowed);
    if (allowedClaims.length === 0) {
      const message = conditionNotMet(slot, this.#applicability);
      this.#report(ATTRIBUTE_CODES.conditionNotMet, entry, codeOf(entry), message);
      return;
    }
    this.#report(ATTRIBUTE_CODES.wrongList, entry, codeOf(entry), wrongList(slot, entry.list, allowedClaims));
  }

  /** Checks that an absent attribute is not required. */
  #checkAbsence(slot: AttributeSlot): void {
    const claim = slot.claims.find((each) => this.#applicability.isUnmetWithoutValue(each));
    if (claim === undefined) return;
    const { group, words } = this.#subject;
    const message = missingAttribute(slot, claim, words);
    this.#findings.add(
      this.#ruleOfAbsence(claim),
      group?.list ?? claim.list,
      group?.pointer ?? `/${claim.list}`,
      message,
      { attribute: slot.attribute.codigo },
    );
  }

  #ruleOfAbsence(claim: Claim): RuleCode {
    if (claim.parent !== undefined) return ATTRIBUTE_CODES.conditionalMissing;
    return this.#subject.group === undefined
      ? ATTRIBUTE_CODES.requiredMissing
      : ATTRIBUTE_CODES.subattributeMissing;
  }

  #report(rule: RuleCode, entry: AttributeItem, path: string, message: string, suggestion?: string): void {
    const about = { attribute: entry.atributo, ...(suggestion !== undefined && { suggestion }) };
    this.#findings.add(rule, this.#subject.group?.list ?? entry.list, path, message, about);
  }
}

/** Returns the pointer to the code of an entry. */
const codeOf = (entry: AttributeItem): string => `${pointerOf(entry)}/atributo`;

/** Returns the fault of a repeated value; its other faults were reported at its first occurrence. */
const repeatedValue = (value: string): ValueFault => ({
  rule: ATTRIBUTE_CODES.valueTwice,
  message: `o valor ${formatValue(value)} já foi informado; retire a repetição.`,
});

const groupEntries = (group: readonly AttributeValue[], listPointer: string): AttributeItem[] =>
  group.map(({ atributo, valor }, index) => ({
    list: 'atributos',
    listPointer,
    index,
    atributo,
    values: [valor],
    groups: undefined,
  }));
