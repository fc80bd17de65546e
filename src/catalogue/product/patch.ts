/**
 * Changes some members of a product: members that are not named stay (contract section 25). The change also
 * removes attributes of the product that nothing requires any more, and reports them.
 */
import type { Day } from '../../clock.ts';
import type { Problem } from '../../errors.ts';
import { dayOf } from '../../validation/calendar.ts';
import { ATTRIBUTE_CODES } from '../attribute/words/codes.ts';
import {
  type AttributeLists,
  LISTS,
  NO_LISTS,
  type NcmAttribute,
  type NcmAttributes,
  listWith,
} from '../attribute/words/model.ts';
import { type Group, type ListedAttribute, listsOf } from '../attribute/words/values.ts';
import { unprocessable } from '../../errors.ts';
import { formatValue } from '../../validation/format-value.ts';
import { violated } from '../codes.ts';
import type { ActorTransaction } from '../actor-transaction.ts';
import { PRODUCT, type SettableName } from '../members/product.ts';
import { type MemberChange, type MemberText, differencesOf } from '../record.ts';
import type { VersionNumber } from '../version.ts';
import { situacaoOf } from '../versioned/model.ts';
import type { VersionedChanges } from '../versioned/changes.ts';
import type { Key, VersionOf } from '../versioned/kind.ts';
import type { VersionedLookUp } from '../versioned/look-up.ts';
import type { Changed } from '../versioned/writing.ts';
import { type AttributeHeading, productMembers } from './members.ts';
import type { ProductContent, ProductTypes, Situacao } from './model.ts';
import { contentOf } from './record.ts';
import type { AttributeChecker } from './rules.ts';

/** New content of an attribute: values, or the groups of a compound; neither empties it. */
export interface AttributeContent {
  readonly values: readonly string[];
  readonly groups: readonly Group[];
}

export interface ProductPatch {
  readonly members: Partial<Pick<ProductContent, SettableName | 'ncm'>>;
  readonly codigosInterno: { readonly add: readonly string[]; readonly remove: readonly string[] };
  readonly atributos: ReadonlyMap<string, AttributeContent>;
  /** Activates a deactivated product. */
  readonly reactivate: boolean;
  /** Activates a draft. */
  readonly activate?: boolean;
  /** Allows a change of modality also for a product that is not a draft. */
  readonly mayChangeModality?: boolean;
}

export interface PatchResult {
  readonly changed: Changed<ProductTypes>;
  readonly changes: readonly MemberChange[];
}

export class ProductPatches {
  readonly #changes: VersionedChanges<ProductTypes>;
  readonly #lookUp: VersionedLookUp<ProductTypes>;
  readonly #attributes: AttributeChecker;

  constructor(
    changes: VersionedChanges<ProductTypes>,
    lookUp: VersionedLookUp<ProductTypes>,
    attributes: AttributeChecker,
  ) {
    this.#changes = changes;
    this.#lookUp = lookUp;
    this.#attributes = attributes;
  }

  /** Throws 404, 422. */
  apply(actorTx: ActorTransaction, key: Key<ProductTypes>, patch: ProductPatch): PatchResult {
    const record = this.#lookUp.get(key);
    const before = contentOf(record);
    const day = dayOf(actorTx.now);
    const activates = record.situacao === 'DESATIVADO' ? patch.reactivate : patch.activate === true;
    const situacao = activates ? 'ATIVADO' : record.situacao;
    if (patch.mayChangeModality !== true) refuseModality(patch, before, record.situacao);
    const merged = this.#withPatch(before, patch, day);
    // Removing attributes that nothing requires is part of a change, but not a change alone.
    if (
      situacao === record.situacao &&
      this.#differences(before, merged, situacao, situacao, day).length === 0
    )
      return { changed: { key, version: record, isUnchanged: true }, changes: [] };
    const content = situacao === 'ATIVADO' ? this.#withoutSuperfluous(merged, patch.atributos, day) : merged;
    const differences = this.#differences(before, content, record.situacao, situacao, day);
    if (differences.length === 0)
      return { changed: { key, version: record, isUnchanged: true }, changes: differences };
    const changed =
      situacao === 'RASCUNHO'
        ? this.#changes.editDraft(actorTx, key, content)
        : this.#changes.newVersion(actorTx, key, content, undefined, undefined, situacao === 'DESATIVADO');
    return { changed, changes: differences };
  }

  /** Throws 404. */
  deactivate(actorTx: ActorTransaction, key: Key<ProductTypes>): PatchResult {
    const { situacao: before } = this.#lookUp.get(key);
    const changed = this.#changes.deactivate(actorTx, key);
    const { heading } = PRODUCT.situacao;
    const differences =
      changed.isUnchanged === true ? [] : [{ member: 'situacao', heading, before, after: 'DESATIVADO' }];
    return { changed, changes: differences };
  }

  /** Returns what the patch alone would change. Throws 404. */
  preview({ now }: ActorTransaction, key: Key<ProductTypes>, patch: ProductPatch): readonly MemberChange[] {
    const record = this.#lookUp.get(key);
    const [before, day] = [contentOf(record), dayOf(now)];
    return this.#differences(
      before,
      this.#withPatch(before, patch, day),
      record.situacao,
      record.situacao,
      day,
    );
  }

  /** Returns the content with a patch applied; checks and writes nothing. */
  contentWith(before: ProductContent, patch: ProductPatch, { now }: ActorTransaction): ProductContent {
    return this.#withPatch(before, patch, dayOf(now));
  }

  /** Returns the members of a new product, as changes from nothing. */
  membersOfNew(
    content: ProductContent,
    situacao: Situacao,
    { now }: ActorTransaction,
  ): readonly MemberChange[] {
    return differencesOf(new Map(), productMembers(content, situacao, this.#headingOf(content, dayOf(now))));
  }

  /** Returns the members of the version with that number. Throws 404. */
  membersAt(key: Key<ProductTypes>, number: VersionNumber, today: Day): ReadonlyMap<string, MemberText> {
    return this.membersOf(this.#lookUp.getVersion(key, this.#lookUp.get(key), number), today);
  }

  /** Returns the members of a version as they were. */
  membersOf(version: VersionOf<ProductTypes>, today: Day): ReadonlyMap<string, MemberText> {
    const content = contentOf(version);
    return productMembers(content, situacaoOf(version), this.#headingOf(content, today));
  }

  #differences(
    before: ProductContent,
    after: ProductContent,
    situacaoBefore: Situacao,
    situacaoAfter: Situacao,
    day: Day,
  ): readonly MemberChange[] {
    const heading = this.#headingOf(after, day);
    return differencesOf(
      productMembers(before, situacaoBefore, heading),
      productMembers(after, situacaoAfter, heading),
    );
  }

  #withPatch(before: ProductContent, patch: ProductPatch, day: Day): ProductContent {
    const { add, remove } = patch.codigosInterno;
    const remaining = before.codigosInterno.filter((code) => !remove.includes(code));
    const content = { ...before, ...patch.members, codigosInterno: [...new Set([...remaining, ...add])] };
    if (patch.atributos.size === 0) return content;
    const ncmAttributes = this.#attributesOf(content, day);
    const listed = [...patch.atributos].map(([codigo, requested]) =>
      listOf(codigo, requested, ncmAttributes, before),
    );
    const filled = {
      values: Object.fromEntries([...patch.atributos].map(([codigo, { values }]) => [codigo, values])),
      groups: Object.fromEntries([...patch.atributos].map(([codigo, { groups }]) => [codigo, groups])),
    };
    return withLists(content, patch.atributos, listsOf(filled, listed));
  }

  #withoutSuperfluous(
    content: ProductContent,
    patchedAttributes: ReadonlyMap<string, AttributeContent>,
    day: Day,
  ): ProductContent {
    const { ncm, modalidade } = content;
    if (ncm === null || modalidade === null) return content;
    const superfluous = new Map<string, AttributeContent>();
    for (const problem of this.#attributes.problemsOf(day, ncm, modalidade, content)) {
      const codigo = superfluousIn(problem);
      if (codigo !== undefined && !patchedAttributes.has(codigo)) superfluous.set(codigo, NO_CONTENT);
    }
    // Attributes that depended on a removed one are not required any more either.
    return superfluous.size === 0
      ? content
      : this.#withoutSuperfluous(withLists(content, superfluous, NO_LISTS), patchedAttributes, day);
  }

  #attributesOf({ ncm, modalidade }: ProductContent, day: Day): NcmAttributes {
    return ncm === null ? new Map() : this.#attributes.attributesOfNcm(day, ncm, modalidade);
  }

  #headingOf(content: ProductContent, day: Day): AttributeHeading {
    const ncmAttributes = this.#attributesOf(content, day);
    return (codigo, part) => {
      const { detail, parts } = ncmAttributes.get(codigo) ?? {};
      const name = detail?.nomeApresentacao ?? codigo;
      return part === undefined ? name : `${name}: ${parts?.get(part)?.nomeApresentacao ?? part}`;
    };
  }
}

const NO_CONTENT: AttributeContent = { values: [], groups: [] };

/** Replaces the content of named attributes in place; appends new ones. */
function withLists(
  content: ProductContent,
  newContents: ReadonlyMap<string, AttributeContent>,
  lists: AttributeLists,
): ProductContent {
  const newLists = LISTS.map((list) => {
    const [old, newItems] = [content[list] as readonly Item[], lists[list] as readonly Item[]];
    const oldItems = old.flatMap((item) =>
      newContents.has(item.atributo) ? newItems.filter(({ atributo }) => atributo === item.atributo) : [item],
    );
    return [list, [...oldItems, ...newItems.filter((item) => !oldItems.includes(item))]];
  });
  return { ...content, ...(Object.fromEntries(newLists) as AttributeLists) };
}

interface Item {
  readonly atributo: string;
}

/**
 * Chooses the list of an attribute: by the table in force, by the product, or by the patch. Content that does
 * not fit, such as several values for one, is not shortened: the rules refuse it, and nothing is lost.
 */
function listOf(
  codigo: string,
  { values, groups }: AttributeContent,
  ncmAttributes: NcmAttributes,
  before: AttributeLists,
): ListedAttribute {
  const attribute = ncmAttributes.get(codigo);
  const [singleList, multipleList] =
    groups.length === 0
      ? (['atributos', 'atributosMultivalorados'] as const)
      : (['atributosCompostos', 'atributosCompostosMultivalorados'] as const);
  const listByContent = values.length + groups.length > 1 ? multipleList : singleList;
  const requested = listWith(codigo, before, attribute?.lists) ?? attribute?.lists[0] ?? listByContent;
  const filled = [...values, ...groups.map((group) => Object.values(group).join(''))].filter(isFilled);
  const list = requested === multipleList || filled.length > 1 ? multipleList : singleList;
  const parts = partsIn(attribute, groups);
  const forma = attribute?.detail.formaPreenchimento;
  return { codigo, list, forma, parts };
}

/** Returns the input forms of the parts that an attribute has or gets. */
function partsIn(
  attribute: NcmAttribute | undefined,
  groups: AttributeContent['groups'],
): ListedAttribute['parts'] {
  if (groups.length === 0 && (attribute === undefined || attribute.parts.size === 0)) return NO_PARTS;
  const parts = new Set([...(attribute?.parts.keys() ?? []), ...groups.flatMap(Object.keys)]);
  return new Map([...parts].map((part) => [part, attribute?.parts.get(part)?.formaPreenchimento]));
}

const NO_PARTS: ListedAttribute['parts'] = new Map();

const isFilled = (text: string): boolean => text.trim() !== '';

const SUPERFLUOUS: readonly string[] = [ATTRIBUTE_CODES.notOfNcm.code, ATTRIBUTE_CODES.conditionNotMet.code];

/**
 * Returns the attribute that a problem calls superfluous. `undefined`: another problem, or the problem of a
 * part. An activation removes superfluous attributes.
 */
export function superfluousIn({ code, path, about }: Problem): string | undefined {
  // `/atributos/2/atributo`; the pointer of a part continues after the item's values.
  const isOfPart = (path ?? '').split('/').length > 4;
  return SUPERFLUOUS.includes(code) && !isOfPart ? about?.attribute : undefined;
}

/** A bulk change may change only the modality of drafts. */
function refuseModality({ members }: ProductPatch, before: ProductContent, situacao: Situacao): void {
  const { modalidade } = members;
  if (modalidade === undefined || modalidade === before.modalidade || situacao === 'RASCUNHO') return;
  const message = `recebido ${formatValue(modalidade)}; a de um produto ${situacao} não muda aqui e continua ${formatValue(before.modalidade)}.`;
  throw unprocessable([violated('fixedByRectification', '/set/modalidade', message)]);
}
