/** Business rules of a product (contract section 5): each returns the problems it finds. */
import type { Day } from '../../clock.ts';
import type { Problem } from '../../errors.ts';
import { missingMember } from '../../validation/decode.ts';
import type { Schema } from '../../validation/schema.ts';
import { formatValue } from '../../validation/format-value.ts';
import type { AttributeLists, Modalidade, NcmAttributes } from '../attribute/words/model.ts';
import { repeats, violated } from '../codes.ts';
import type { Member } from '../members/member.ts';
import { PRODUCT, PRODUCT_WRITTEN } from '../members/product.ts';
import type { JudgedContent, VersionedRules } from '../versioned/kind.ts';
import { numberInCompany } from '../versioned/model.ts';
import { isIdentical } from './content.ts';
import type { ProductColumns, ProductContent, ProductTypes } from './model.ts';
import { columnsOf } from './record.ts';
import type { Product, ProductStore, ProductVersion } from './store.ts';

/** Rules of the attribute table in force; none when there is no table. */
export interface AttributeChecker {
  problemsOf(day: Day, ncm: string, modalidade: Modalidade, lists: AttributeLists): readonly Problem[];
  /** Returns the content without blanks around domain codes. */
  trimDomainCodes<T extends AttributeLists & { readonly ncm: string | null }>(content: T): T;
  /** Returns the attributes that the table names for an NCM, by code; `null`: either modality. */
  attributesOfNcm(day: Day, ncm: string, modalidade: Modalidade | null): NcmAttributes;
}

/** Members that only a draft may omit. */
const OF_ACTIVE = PRODUCT_WRITTEN.filter((name) => (PRODUCT[name] as Member).required === 'active');

export class ProductRules implements VersionedRules<ProductTypes> {
  readonly #store: ProductStore;
  readonly #attributes: AttributeChecker;
  readonly #refuseIdentical: boolean;
  /** Schema of each member. */
  readonly #request: Schema;

  constructor(store: ProductStore, attributes: AttributeChecker, refuseIdentical: boolean, request: Schema) {
    this.#store = store;
    this.#attributes = attributes;
    this.#refuseIdentical = refuseIdentical;
    this.#request = request;
  }

  /** Returns the problems of an active product's content, or those that also apply to a draft. */
  contentProblems(subject: JudgedContent<ProductTypes>): Problem[] {
    const { place, content, today, record, strictness } = subject;
    const draftProblems = this.#draftProblems(content);
    if (strictness === 'least') return draftProblems;
    return [
      ...draftProblems,
      ...this.#missing(content),
      ...this.#attributeProblems(content, today),
      ...this.#identityProblems(place.cpfCnpjRaiz, content, record?.id),
    ];
  }

  #draftProblems({ codigosInterno }: ProductContent): Problem[] {
    return [...repeats(codigosInterno)].map(([index, text]) =>
      violated(
        'repeatedInternalCode',
        `/codigosInterno/${index}`,
        `${formatValue(text)} está repetido; informe cada código interno uma só vez.`,
      ),
    );
  }

  /**
   * The schema refuses requests without these members. A partial change needs this check: its draft may lack
   * them.
   */
  #missing(content: ProductContent): Problem[] {
    const { properties } = this.#request;
    return OF_ACTIVE.filter((name) => content[name] === null).map((name) => {
      const { sentence, about } = missingMember(properties?.[name]);
      return violated('memberMissing', `/${name}`, sentence, { about });
    });
  }

  /** A rectification keeps NCM and modality, and drafts are not rectified. */
  rectificationProblems(product: Product, latest: ProductVersion, content: ProductContent): Problem[] {
    if (product.situacao === 'RASCUNHO') {
      const message = `O produto ${numberInCompany(product.id)} é um rascunho e não pode ser retificado; envie uma nova versão para ativá-lo.`;
      return [violated('draftNotRectifiable', null, message)];
    }
    return (['ncm', 'modalidade'] as const)
      .filter((member) => content[member] !== latest[member])
      .map((member) =>
        violated(
          'fixedByRectification',
          `/${member}`,
          `recebido ${formatValue(content[member])}; a retificação mantém ${formatValue(latest[member])}. Para mudar, inclua uma nova versão.`,
        ),
      );
  }

  #attributeProblems(content: ProductContent, today: Day): readonly Problem[] {
    if (content.ncm === null || content.modalidade === null) return [];
    return this.#attributes.problemsOf(today, content.ncm, content.modalidade, content);
  }

  #identityProblems(cpfCnpjRaiz: string, content: ProductContent, id: number | undefined): Problem[] {
    if (!this.#refuseIdentical) return [];
    const twin = findTwin(this.#store, cpfCnpjRaiz, columnsOf(content), (other) => other !== id);
    if (twin === undefined) return [];
    const codigo = numberInCompany(twin.id);
    const message = `Já existe produto idêntico cadastrado. Código: ${codigo}.`;
    return [violated('identicalProduct', null, message, { about: { twin: codigo } })];
  }
}

/** Returns an identical active product of the company, among the candidates. */
export const findTwin = (
  store: Pick<ProductStore, 'iterateCandidateTwins'>,
  cpfCnpjRaiz: string,
  columns: ProductColumns,
  isCandidate: (id: number) => boolean,
): Product | undefined =>
  store
    .iterateCandidateTwins(cpfCnpjRaiz, columns)
    .find((other) => isCandidate(other.id) && isIdentical(other, columns));
