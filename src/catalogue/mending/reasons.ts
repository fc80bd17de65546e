/** Reports why products wait to be mended: by reason, then by NCM, most frequent first. */
import type { ItemProblem } from '../../errors.ts';
import { form, nullable, text, integerForm } from '../../validation/forms.ts';
import { type AttributeDetail, fillingOf } from '../attribute/words/model.ts';
import { ImportReason, REASONS_MAX, type ReasonWords, Reasons } from '../import/reasons.ts';
import { attributeMember } from '../members/product.ts';
import { type PrintedProduct, attributesOf } from '../product/record.ts';
import { type ValueText, attributeTexts } from '../product/values.ts';
import type { FilterToMend, ProductToMend } from './judged.ts';
import { t } from '../../validation/type.ts';

/** Maximum number of NCMs per reason. */
const NCMS_MAX = 200;

const OfNcm = form('MendingNcm', 'Quantos produtos de uma NCM têm o motivo.', {
  ncm: text('NCM, 8 dígitos.', '09012100'),
  count: integerForm('Quantos produtos dela.', 12),
});

const limit = (description: string) => nullable(t.Integer({ description, examples: [10] }));

const Form = form('MendingForm', 'A forma e os limites que um atributo aceita.', {
  formaPreenchimento: text('Como se preenche.', 'NUMERO_REAL'),
  tamanhoMaximo: limit('Posições, de um número algarismos; null: a tabela não diz.'),
  casasDecimais: limit('Casas decimais; null: a tabela não diz.'),
  mascara: nullable(text('Máscara; null: nenhuma.', '99.99')),
});

const { rows: _, ambiguous: _ambiguous, ...members } = ImportReason.properties;

const MendingReason = form('MendingReason', 'Um motivo, e os produtos que o têm.', {
  ...members,
  heading: { ...members.heading, description: 'Como se chama o membro; null: o produto inteiro.' },
  message: text('A mensagem do primeiro produto.', 'Atributo ATT_1 (Aro): obrigatório, não informado.'),
  count: integerForm('Quantos produtos têm este motivo.', 12),
  alone: integerForm('Quantos deles não têm outro: corrigido este, podem ser ativados.', 10),
  received: {
    ...members.received,
    description: 'O que os produtos têm agora, do mais frequente ao menos.',
  },
  form: nullable(Form, { description: 'De um atributo, sua forma; null: de outro membro.' }),
  ncms: t.Array(OfNcm, {
    description: `De que NCMs são, da mais frequente à menos; até ${NCMS_MAX}.`,
  }),
  ncmCount: integerForm('De quantas NCMs são.', 3),
});
type MendingReason = typeof MendingReason.static;

export const Mending = form('Mending', 'O que está por corrigir em um catálogo, e por quê.', {
  total: integerForm('Quantos produtos estão por corrigir.', 15),
  ready: integerForm('Dos que o sistema desativou, os que já podem ser ativados.', 3),
  readyLosing: integerForm(
    'Destes, os que perderiam valores de atributos que nada mais pede; os outros podem ser ativados como estão.',
    1,
  ),
  reasons: t.Array(MendingReason, { description: `Os motivos; até ${REASONS_MAX}.` }),
});

/** Message to the reading Worker. */
export interface MendingRead {
  readonly kind: 'mending';
  readonly filter: FilterToMend;
  readonly modalidadeAmbos: boolean;
}

export interface MendingWords extends Omit<ReasonWords, 'memberOf' | 'receivedOf' | 'ambiguousIn'> {
  readonly textOf: ValueText;
  readonly detailOf: (member: string) => AttributeDetail | undefined;
}

/** Yields the text of the response; an empty one lets other reads run. */
export function* mendingTexts(
  products: Iterable<ProductToMend | undefined>,
  words: MendingWords,
): Generator<string> {
  const reasons = new Reasons({
    ...words,
    memberOf: () => null, // each problem has its own
    ambiguousIn: () => null,
    receivedOf: (product, member) => textNow(product as PrintedProduct, member, words.textOf),
  });
  const countsByReason = new Map<string, ReasonCounts>();
  let [total, ready, readyLosing] = [0, 0, 0];
  for (const productToMend of products) {
    if (productToMend === undefined) {
      yield '';
      continue;
    }
    const { product, problems, losesValues } = productToMend;
    total += 1;
    if (problems.length === 0) {
      ready += 1;
      if (losesValues) readyLosing += 1;
    }
    reasons.add({ index: total, line: product.codigo, problems }, product);
    const keys = new Set(problems.map(({ code, member = null }) => keyOf(code, member)));
    for (const key of keys) addTo(countsByReason, key, product.ncm ?? '', keys.size === 1);
  }
  const mendingReasons = reasons.list().map(({ rows: _rows, ambiguous: _none, ...reason }): MendingReason => {
    const { alone = 0, ncms = new Map<string, number>() } =
      countsByReason.get(keyOf(reason.reason, reason.member)) ?? {};
    const sorted = [...ncms].map(([ncm, count]) => ({ ncm, count })).toSorted((a, b) => b.count - a.count);
    const detail = reason.member === null ? undefined : words.detailOf(reason.member);
    const filling = detail === undefined ? null : fillingOf(detail);
    return { ...reason, form: filling, alone, ncms: sorted.slice(0, NCMS_MAX), ncmCount: ncms.size };
  });
  yield JSON.stringify({ total, ready, readyLosing, reasons: mendingReasons });
}

/** Counts of one reason: products by NCM, and products with no other reason. */
interface ReasonCounts {
  alone: number;
  readonly ncms: Map<string, number>;
}

const keyOf = (code: ItemProblem['code'], member: string | null): string => `${code} ${member ?? ''}`;

function addTo(all: Map<string, ReasonCounts>, key: string, ncm: string, isAlone: boolean): void {
  const counts = all.get(key) ?? { alone: 0, ncms: new Map<string, number>() };
  all.set(key, counts);
  if (isAlone) counts.alone += 1;
  counts.ncms.set(ncm, (counts.ncms.get(ncm) ?? 0) + 1);
}

/**
 * Returns the product's current text for a member; '' if it is empty, `undefined` if no product has such a
 * member.
 */
function textNow(product: PrintedProduct, member: string, textOf: ValueText): string | undefined {
  if (member === 'ncm') return product.ncm ?? '';
  if (!member.startsWith(attributeMember(''))) return undefined;
  for (const { codigo, part, text: valueText } of attributeTexts(attributesOf(product), textOf))
    if (attributeMember(codigo, part) === member) return valueText ?? '';
  return '';
}
