/** The business rules of a product (contract section 5): each returns the problems it finds. */
import type { Day } from '../../clock.ts';
import { type Problem, shown } from '../../errors.ts';
import type { AttributeLists, Modalidade } from '../attribute/model.ts';
import { futureReference, repeats, violated } from '../codes.ts';
import { contentHashOf, isIdentical } from './content.ts';
import type { ProductContent, ProductVersion } from './model.ts';
import { contentOf } from './record.ts';
import type { Product, ProductStore } from './store.ts';

/** The rules of the attribute table in force; none when there is no table. */
export interface AttributeChecker {
  problemsOf(day: Day, ncm: string, modalidade: Modalidade, lists: AttributeLists): readonly Problem[];
}

export interface ProductRulesParts {
  readonly store: ProductStore;
  readonly attributes: AttributeChecker;
  readonly refuseIdentical: boolean;
}

export class ProductRules {
  readonly #parts: ProductRulesParts;

  constructor(parts: ProductRulesParts) {
    this.#parts = parts;
  }

  /** A retroactive inclusion may not lie in the future. */
  referenceProblems(dataReferencia: Day | undefined, today: Day): Problem[] {
    if (dataReferencia === undefined || dataReferencia <= today) return [];
    return [futureReference('dataReferencia', dataReferencia, today)];
  }

  /** Everything that is asked of an active product's content; `codigo` is the product itself, where there is one. */
  contentProblems(
    cpfCnpjRaiz: string,
    content: ProductContent,
    today: Day,
    codigo: number | undefined,
  ): Problem[] {
    return [
      ...this.draftProblems(content),
      ...this.#attributeProblems(content, today),
      ...this.#identityProblems(cpfCnpjRaiz, content, codigo),
    ];
  }

  /** What is asked even of a draft. */
  draftProblems({ codigosInterno }: ProductContent): Problem[] {
    return [...repeats(codigosInterno)].map(([index, text]) =>
      violated(
        'repeatedInternalCode',
        `/codigosInterno/${index}`,
        `codigosInterno: ${shown(text)} está repetido; informe cada código interno uma só vez.`,
      ),
    );
  }

  notADraft(product: Product): Problem[] {
    if (product.situacao === 'RASCUNHO') return [];
    const message = `situacao: o produto ${product.codigo} está ${product.situacao}; só um produto novo ou em rascunho aceita RASCUNHO.`;
    return [violated('notADraft', '/situacao', message)];
  }

  /** A rectification keeps NCM and modality, and drafts are not rectified. */
  rectificationProblems(product: Product, latest: ProductVersion, content: ProductContent): Problem[] {
    if (product.situacao === 'RASCUNHO') {
      const message = `O produto ${product.codigo} é um rascunho e não pode ser retificado; envie uma nova versão para ativá-lo.`;
      return [violated('draftNotRectifiable', null, message)];
    }
    return (['ncm', 'modalidade'] as const)
      .filter((member) => content[member] !== latest[member])
      .map((member) =>
        violated(
          'fixedByRectification',
          `/${member}`,
          `${member}: recebido ${shown(content[member])}; a retificação mantém ${shown(latest[member])}. Para mudar, inclua uma nova versão.`,
        ),
      );
  }

  #attributeProblems(content: ProductContent, today: Day): readonly Problem[] {
    if (content.ncm === null || content.modalidade === null) return [];
    return this.#parts.attributes.problemsOf(today, content.ncm, content.modalidade, content);
  }

  #identityProblems(cpfCnpjRaiz: string, content: ProductContent, codigo: number | undefined): Problem[] {
    if (!this.#parts.refuseIdentical) return [];
    const twin = this.#parts.store
      .listWithContentHash(cpfCnpjRaiz, contentHashOf(content))
      .find((other) => other.codigo !== codigo && isIdentical(contentOf(other), content));
    if (twin === undefined) return [];
    return [
      violated('identicalProduct', null, `Já existe produto idêntico cadastrado. Código: ${twin.codigo}.`),
    ];
  }
}
