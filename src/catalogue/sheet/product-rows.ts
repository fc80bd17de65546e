/**
 * Reads a row of a sheet as a product: a new one, or the changes of an existing one. Members without a column
 * stay (contract section 24).
 */
import type { TSchema } from '@sinclair/typebox';
import { malformed, unprocessable } from '../../errors.ts';
import { dayOf } from '../../validation/calendar.ts';
import { decode } from '../../validation/decode.ts';
import { asSchema } from '../../validation/schema.ts';
import { formatValue } from '../../validation/format-value.ts';
import { type AttributeLists, NO_LISTS, type NcmAttributes } from '../attribute/words/model.ts';
import type { AppliedItem, ItemApplier } from '../batch.ts';
import { type ActorTransaction, callerTransaction } from '../actor-transaction.ts';
import { strict } from '../model.ts';
import type { Member } from '../members/member.ts';
import { PRODUCT, PRODUCT_WRITTEN, type WrittenName } from '../members/product.ts';
import type { Modalidade, ProductContent, Situacao, productSchemas } from '../product/model.ts';
import { attributeFormProblems } from '../product/attribute-form.ts';
import type { AttributeContent, ProductPatch, ProductPatches } from '../product/patch.ts';
import { versionText } from '../version.ts';
import type { SheetInstructions } from './instructions.ts';
import { PRODUCT_COLUMNS } from './product-columns.ts';
import { lostZeros, lostZerosNotice } from './code-zeros.ts';
import { mayBeUsed, withCatalogueCodes } from './known-codes.ts';
import { attributesIn } from './row-attributes.ts';
import type { SheetReading } from './row.ts';
import { type SheetRowInput, rowApplier } from './row-applier.ts';
import { identifiedRecord, refusalOf, refuseNewDeactivated, refuseRepeat } from './row-checks.ts';
import { situacaoChanges, staleMembers } from './stale.ts';
import { t } from '../../validation/type.ts';

/** A product that a row refers to. */
export interface StoredProduct extends ProductContent {
  readonly codigo: number;
  readonly situacao: Situacao;
  readonly versao: string;
}

export interface ProductFinder {
  find(cpfCnpjRaiz: string, codigo: number): StoredProduct | undefined;
  /** Returns the internal codes that belong to some product. */
  knownCodes(cpfCnpjRaiz: string, codes: readonly string[]): readonly string[];
  /** Returns true if an internal code of some product begins with a zero. */
  hasCodesWithZeros(cpfCnpjRaiz: string): boolean;
  /** Returns the products that have one of these internal codes. */
  withInternalCodes(
    cpfCnpjRaiz: string,
    codes: readonly string[],
  ): readonly { readonly codigo: number; readonly situacao: Situacao }[];
}

export interface ProductRowsParts {
  readonly patches: ProductPatches;
  readonly items: ItemApplier;
  readonly products: ProductFinder;
  readonly schemas: ReturnType<typeof productSchemas>;
  readonly attributesOfNcm: (day: string, ncm: string, modalidade: Modalidade | null) => NcmAttributes;
}

const codesColumn = PRODUCT_COLUMNS.find(({ target }) => target === 'codigosInterno');
const NO_ATTRIBUTES: NcmAttributes = new Map();

/** A row with its internal codes. `undefined`: they stay. */
interface RowInput extends SheetRowInput {
  readonly codes: readonly string[] | undefined;
}

export function productRows(parts: ProductRowsParts, instructions: SheetInstructions): ItemApplier {
  const form = asSchema(t.Partial(t.Object(parts.schemas.Request.properties, strict)) as TSchema);
  const { cpfCnpjRaiz, key } = instructions;
  const catalogueCodes = {
    listUsed: (texts: readonly string[]) => parts.products.knownCodes(cpfCnpjRaiz, texts),
    mayHaveZeros: () => parts.products.hasCodesWithZeros(cpfCnpjRaiz),
  };

  return rowApplier(instructions, {
    columns: PRODUCT_COLUMNS,
    isStored,
    mayMeetRecord(reading) {
      if (key === 'codigo') return reading.cellText('codigo') !== '';
      const codes = codesColumn && reading.memberCodes('codigosInterno', codesColumn.read);
      return key === 'codigoInterno' && mayBeUsed(codes ?? [], catalogueCodes);
    },
    apply(row) {
      const { item, reading } = row;
      const received = codesColumn && reading.memberCodes('codigosInterno', codesColumn.read);
      refuseRepeat(item, reading, keyTarget(instructions));
      if (reading.problems.length > 0) throw malformed(reading.problems);
      const keyProduct = key === 'codigo' ? findProduct({ ...row, codes: undefined }) : undefined;
      const codes = withCatalogueCodes(
        {
          reading,
          earlierRows: item.zeroTwins,
          productCodes: keyProduct?.codigosInterno,
          target: 'codigosInterno',
        },
        received,
        catalogueCodes,
      );
      if (reading.problems.length > 0) throw unprocessable(reading.problems);
      const input = { ...row, codes };
      const product = key === 'codigoInterno' ? findProduct(input) : keyProduct;
      const { unsplitCode } = item;
      if (unsplitCode !== undefined && product?.codigosInterno.includes(unsplitCode) !== true)
        reading.notice(
          'codigosInterno',
          `recebido ${formatValue(unsplitCode)}, lido como um código só: vírgula e barra não separam códigos; separe com | ou ;.`,
        );
      return product === undefined ? create(input) : change(product, input);
    },
  });

  function isStored(reading: SheetReading, target: string, text: string): boolean {
    if (key === 'nenhuma') return false;
    if (key === 'codigoInterno')
      return target === 'codigosInterno' && parts.products.withInternalCodes(cpfCnpjRaiz, [text]).length > 0;
    const product = findByCode(reading.cellText('codigo'));
    if (target === 'codigosInterno') return product?.codigosInterno.includes(text) === true;
    return PRODUCT_WRITTEN.some((name) => name === target && product?.[name] === text);
  }

  function findByCode(codigo: string): StoredProduct | undefined {
    return /^\d{1,10}$/.test(codigo) ? parts.products.find(cpfCnpjRaiz, Number(codigo)) : undefined;
  }

  /**
   * Returns the product of a row.
   * `undefined`: a new one.
   * Throws if several match, or if the named one does not exist.
   */
  function findProduct({ reading, members, codes = [] }: RowInput): StoredProduct | undefined {
    const { products } = parts;
    if (key === 'codigo') {
      const codigo = members.get('codigo');
      if (codigo === undefined || codigo === null) return undefined;
      const product = findByCode(codigo);
      if (product === undefined)
        throw refusalOf(
          reading,
          'unknownKey',
          `recebido ${formatValue(codigo)}; não há produto com este código no catálogo. Para incluir, deixe a célula vazia.`,
          'codigo',
        );
      return product;
    }
    const matches = products.withInternalCodes(cpfCnpjRaiz, codes);
    const match = identifiedRecord(matches, 'produtos', reading, 'codigosInterno');
    return match && products.find(cpfCnpjRaiz, match.codigo);
  }

  function create(input: RowInput): AppliedItem {
    const { reading, members, codes, applyItem } = input;
    const actorTx = callerTransaction(input.tx, input.caller);
    const ncm = members.get('ncm') ?? null;
    const atributos = attributesIn(reading, attributesFor(actorTx, input, ncm), NO_LISTS, ncm);
    refuseNewDeactivated(reading, members.get('situacao'), key);
    if (reading.problems.length > 0) throw malformed(reading.problems);
    const {
      cpfCnpjRaiz: _company,
      codigo: _codigo,
      versao: _versao,
      ...rowMembers
    } = Object.fromEntries(members);
    const content = parts.patches.contentWith({ ...EMPTY, ncm }, patchOf(input, atributos, []), actorTx);
    const lists = Object.fromEntries(
      Object.keys(NO_LISTS).map((list) => [list, content[list as keyof AttributeLists]]),
    );
    const { changes: _none, ...applied } = applyItem(parts.items, {
      seq: reading.row,
      cpfCnpjRaiz,
      ...rowMembers,
      codigosInterno: codes ?? [],
      ...lists,
    });
    const situacao = (rowMembers['situacao'] ?? 'ATIVADO') as Situacao;
    return {
      ...applied,
      changes: parts.patches.membersOfNew(
        { ...content, denominacao: rowMembers['denominacao'] ?? '' },
        situacao,
        actorTx,
      ),
    };
  }

  function change(product: StoredProduct, input: RowInput): AppliedItem {
    const { reading } = input;
    const actorTx = callerTransaction(input.tx, input.caller);
    const members = withStoredZeros(input, product);
    const ncm = members.get('ncm') ?? product.ncm;
    const atributos = attributesIn(reading, attributesFor(actorTx, input, ncm, product), product, ncm);
    for (const name of PRODUCT_WRITTEN)
      if (members.get(name) === null && product[name] !== null && isRequiredOf(product, name))
        reading.refuse(
          'não pode ficar vazia.',
          reading.cells.find(({ target }) => target === name),
        );
    if (reading.problems.length > 0) throw malformed(reading.problems);
    refuseForm({ ...input, members }, atributos);
    const recordKey = { cpfCnpjRaiz, codigo: product.codigo };
    const patch = patchOf({ ...input, members }, atributos, product.codigosInterno, product);
    const stale = staleMembers(instructions.conflict, reading, members.get('versao'), {
      versao: product.versao,
      membersAt: (number) => parts.patches.membersAt(recordKey, number, dayOf(actorTx.now)),
      changes: () => [
        ...parts.patches.preview(actorTx, recordKey, patch),
        ...situacaoChanges(product.situacao, members.get('situacao')),
      ],
    });
    const situacao = stale.has('situacao') ? undefined : members.get('situacao');
    if (situacao === 'RASCUNHO' && product.situacao !== 'RASCUNHO')
      throw refusalOf(
        reading,
        'notADraft',
        `o produto ${product.codigo} está ${product.situacao} e não volta a rascunho.`,
        'situacao',
      );
    const patched = parts.patches.apply(actorTx, recordKey, without(patch, stale, instructions));
    if (situacao !== 'DESATIVADO')
      return resultOf(product, patched.changed.version, patched.changes, 'newVersion');
    if (patched.changes.length > 0)
      throw refusalOf(
        reading,
        'changesBesideDeactivation',
        `desativa o produto, e a linha muda também ${patched.changes.map(({ heading }) => heading).join(', ')}; faça uma coisa de cada vez.`,
        'situacao',
      );
    const deactivated = parts.patches.deactivate(actorTx, recordKey);
    return resultOf(product, deactivated.changed.version, deactivated.changes, 'deactivated');
  }

  /**
   * Returns the patch of a row.
   * `product`: the existing product. Codes that were the key are added to its codes, others replace them.
   */
  function patchOf(
    { members, codes }: RowInput,
    atributos: ReadonlyMap<string, AttributeContent>,
    storedCodes: readonly string[],
    product?: StoredProduct,
  ): ProductPatch {
    const situacao = members.get('situacao');
    const memberEntries = PRODUCT_WRITTEN.filter((name) => members.has(name)).map((name) => [
      name,
      members.get(name),
    ]);
    const removedCodes =
      codes === undefined || key === 'codigoInterno'
        ? []
        : storedCodes.filter((code) => !codes.includes(code));
    return {
      members: Object.fromEntries(memberEntries) as ProductPatch['members'],
      codigosInterno: { add: codes ?? [], remove: removedCodes },
      atributos,
      reactivate: situacao === 'ATIVADO' || (instructions.reactivate && situacao === undefined),
      activate: situacao === 'ATIVADO' && product?.situacao === 'RASCUNHO',
      mayChangeModality: true,
    };
  }

  /** Checks sizes and forms like those of a request. */
  function refuseForm({ members, codes }: RowInput, atributos: ReadonlyMap<string, AttributeContent>): void {
    const texts = PRODUCT_WRITTEN.filter((name) => members.has(name));
    const { problems } = decode(form, {
      ...Object.fromEntries(texts.map((name) => [name, members.get(name)])),
      codigosInterno: codes ?? [],
    });
    const all = [...problems, ...attributeFormProblems(atributos, '/atributos')];
    if (all.length > 0) throw malformed(all);
  }

  /** Returns the attribute names for the product as the row leaves it. */
  function attributesFor(
    { now }: ActorTransaction,
    { members }: RowInput,
    ncm: string | null,
    product?: StoredProduct,
  ) {
    const modalidade = (members.get('modalidade') ?? product?.modalidade ?? null) as Modalidade | null;
    return ncm === null ? NO_ATTRIBUTES : parts.attributesOfNcm(dayOf(now), ncm, modalidade);
  }
}

/** Returns the patch without some members. */
const without = (
  patch: ProductPatch,
  members: ReadonlySet<string>,
  { reactivate }: Pick<SheetInstructions, 'reactivate'>,
): ProductPatch => ({
  ...patch,
  ...(members.has('situacao') && { reactivate, activate: false }),
  members: Object.fromEntries(Object.entries(patch.members).filter(([member]) => !members.has(member))),
  codigosInterno: members.has('codigosInterno') ? { add: [], remove: [] } : patch.codigosInterno,
  atributos: new Map(
    [...patch.atributos].filter(
      ([codigo]) =>
        ![...members].some(
          (member) => member === `atributo:${codigo}` || member.startsWith(`atributo:${codigo}/`),
        ),
    ),
  ),
});

const EMPTY: ProductContent = {
  ...NO_LISTS,
  denominacao: '',
  descricao: null,
  modalidade: null,
  ncm: null,
  codigosInterno: [],
};

/**
 * Returns true if the product requires the member. Only a draft may lack what an active product must have.
 */
function isRequiredOf({ situacao }: StoredProduct, name: WrittenName): boolean {
  const { required }: Member = PRODUCT[name];
  return required === 'always' || (required === 'active' && situacao !== 'RASCUNHO');
}

/** Returns the members of a row with the product's own text where only its leading zeros were lost. */
function withStoredZeros({ reading, members }: RowInput, product: StoredProduct): RowInput['members'] {
  const zeroTexts = PRODUCT_WRITTEN.flatMap((name) => {
    const [received, stored] = [members.get(name), product[name]];
    if (typeof received !== 'string' || typeof stored !== 'string' || !lostZeros(received, stored)) return [];
    reading.notice(name, lostZerosNotice(received, stored));
    return [[name, stored] as const];
  });
  return new Map([...members, ...zeroTexts]);
}

const keyTarget = ({ key }: SheetInstructions): string => (key === 'codigo' ? 'codigo' : 'codigosInterno');

const resultOf = (
  { codigo }: StoredProduct,
  version: Parameters<typeof versionText>[0],
  changes: NonNullable<AppliedItem['changes']>,
  outcome: 'newVersion' | 'deactivated',
): AppliedItem => ({
  codigo: String(codigo),
  versao: versionText(version),
  outcome: changes.length === 0 ? 'unchanged' : outcome,
  changes,
});
