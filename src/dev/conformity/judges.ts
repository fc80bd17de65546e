/**
 * Compares a successful request with the profile `portal`. The catalogue's own rules do it with the settings
 * of that profile; no rule is repeated in this file.
 */
import type { TObject, TSchema } from '@sinclair/typebox';
import { redirectToPublicProfile } from '../../catalogue/attribute/public-download.ts';
import { linkSchemas, toLink } from '../../catalogue/manufacturer-link/model.ts';
import { checkDigitProblems } from '../../catalogue/manufacturer-link/rules.ts';
import { type ProductItem, type ProductTypes, productSchemas } from '../../catalogue/product/model.ts';
import { findTwin } from '../../catalogue/product/rules.ts';
import type { ProductStore } from '../../catalogue/product/store.ts';
import { type VersionNumber, parseVersion, versionText } from '../../catalogue/version.ts';
import { itemSchemaOf } from '../../catalogue/versioned/items.ts';
import { numberInCompany } from '../../catalogue/versioned/model.ts';
import type { PrintedChange } from '../../catalogue/versioned/service.ts';
import { DomainError } from '../../errors.ts';
import type { Answer } from '../../http/operation.ts';
import { EVENT_NAMES } from '../../notification/event/types.ts';
import { unknownEventProblems } from '../../notification/subscription/service.ts';
import type { CatalogueRules } from '../../validation/company.ts';
import { decode } from '../../validation/decode.ts';
import { asSchema } from '../../validation/schema.ts';
import type { RuleName } from './model.ts';

export interface HandledRequest {
  /** The decoded body as the operation received it, with the items of a batch undecoded. */
  readonly body: unknown;
  readonly request: Request;
  readonly answer: Answer;
}

/** Returns the rules that a request broke, once per violation. */
export type Judge = (handled: HandledRequest) => readonly RuleName[];

export interface JudgesParts {
  /** The rules of the profile `portal`. */
  readonly rules: CatalogueRules;
  readonly products: Pick<ProductStore, 'find' | 'iterateCandidateTwins' | 'twinOfNew' | 'versions'>;
}

/** Returns the judges by operation id. */
export function judgesOf({ rules, products }: JudgesParts): ReadonlyMap<string, Judge> {
  const schemas = productSchemas(rules);
  const links = linkSchemas(rules);
  const brokenIn = memberJudge(schemas.Request);

  const product: Judge = ({ body, answer, request: { method } }) => {
    // The operations of this judge answer with the result of their change.
    const { key, version } = answer.body as PrintedChange<ProductTypes>;
    const written = { ...key, version, isNew: method === 'POST' };
    return [...brokenIn(body), ...identicalIn([written], products)];
  };
  const productBatch: Judge = ({ body, answer }) => {
    const done = acceptedItems<ProductItem>(body, answer, (item) =>
      itemSchemaOf(schemas.batch, item, 'lote'),
    );
    const written = done.map(({ item: { cpfCnpjRaiz, codigo: named }, result: { codigo, versao } }) => ({
      cpfCnpjRaiz,
      codigo: Number(codigo),
      version: parseVersion(versao ?? ''),
      isNew: named === undefined,
    }));
    return [...done.flatMap(({ broken }) => broken), ...identicalIn(written, products)];
  };
  const link: Judge = ({ body }) => wrongDigits(body as Link);
  const linkBatch: Judge = ({ body, answer }) =>
    acceptedItems<Link & { readonly vincular?: boolean }>(body, answer, () => links.batch).flatMap(
      ({ item }) => (item.vincular === false ? [] : wrongDigits(item)),
    );
  const subscription: Judge = ({ body }) =>
    unknownEventProblems((body as { readonly evento: string }).evento, EVENT_NAMES).map(() => 'evento');
  const download: Judge = ({ request }) => (isServedAtOnce(request) ? [] : ['download']);

  return new Map(
    Object.entries({
      includeProduct: product,
      includeRetroactiveProduct: product,
      batchProducts: productBatch,
      newProductVersion: product,
      rectifyProduct: product,
      linkManufacturer: link,
      batchLinks: linkBatch,
      subscribe: subscription,
      changeSubscription: subscription,
      downloadAttributeTable: download,
    }),
  );
}

/** The rule for a problem, by member. The profiles differ only in these members. */
const RULE_OF_MEMBER: Readonly<Record<string, RuleName>> = {
  denominacao: 'tamanho',
  modalidade: 'modalidade',
};

/** Returns a function that lists the broken rules of a decoded body. */
function memberJudge({ properties }: TObject): (body: unknown) => RuleName[] {
  const judged = Object.entries(RULE_OF_MEMBER).map(([name, rule]) => ({
    name,
    rule,
    schema: asSchema(properties[name] as TSchema),
  }));
  return (body) =>
    judged.flatMap(({ name, rule, schema }) => {
      const value = (body as Readonly<Record<string, unknown>>)[name];
      return value === undefined ? [] : decode(schema, value).problems.map(() => rule);
    });
}

const rulesOf = (problems: readonly { readonly field: string | null }[]): RuleName[] =>
  problems.flatMap(({ field }) => RULE_OF_MEMBER[field ?? ''] ?? []);

/** The result of a batch item (contract section 4). */
export interface ItemResult {
  readonly codigo: string;
  readonly sucesso: boolean;
  readonly versao?: string | null;
}

/** Returns the results of a batch, one per item and in order. Returns `undefined` for any other answer. */
export const resultsIn = ({ body }: Answer): readonly ItemResult[] | undefined =>
  Array.isArray(body) ? (body as readonly ItemResult[]) : undefined;

interface AcceptedItem<Item> {
  readonly item: Item;
  readonly result: ItemResult;
  readonly broken: readonly RuleName[];
}

/** Decodes the accepted items with the schema of the profile `portal`. */
function acceptedItems<Item>(
  body: unknown,
  answer: Answer,
  schemaOf: (received: unknown) => TSchema,
): AcceptedItem<Item>[] {
  const results = resultsIn(answer) ?? [];
  return (body as readonly unknown[]).flatMap((received, index) => {
    const result = results[index];
    if (result?.sucesso !== true) return [];
    const { value, problems } = decode(asSchema(schemaOf(received)), received, { note: () => undefined });
    return [{ item: value as Item, result, broken: rulesOf(problems) }]; // the operation's schema accepted it
  });
}

type Link = Parameters<typeof toLink>[0];

const wrongDigits = (link: Link): RuleName[] =>
  checkDigitProblems(toLink(link).cpfCnpjFabricante).map(() => 'digitos');

interface WrittenProduct {
  readonly cpfCnpjRaiz: string;
  readonly codigo: number;
  readonly version: VersionNumber | undefined;
  /** True for a new product: every older one has a lower code. */
  readonly isNew: boolean;
}

/**
 * Finds identical products. Within one batch, a product is compared only with earlier ones: the last one is
 * judged first, so that one set of later codes serves all.
 */
function identicalIn(written: readonly WrittenProduct[], products: JudgesParts['products']): RuleName[] {
  const later = new Set<number>();
  const identical: RuleName[] = [];
  for (const product of written.toReversed()) {
    if (hasTwin(product, later, products)) identical.push('identico');
    later.add(product.codigo);
  }
  return identical;
}

function hasTwin(
  { cpfCnpjRaiz, codigo, version: number, isNew }: WrittenProduct,
  later: ReadonlySet<number>,
  products: JudgesParts['products'],
): boolean {
  // One query decides nearly every new product: the full comparison costs a third of the write.
  const twin = isNew ? products.twinOfNew(cpfCnpjRaiz, codigo) : 'possible';
  if (twin === 'none') return false;
  if (twin === 'equal' && later.size === 0) return true;
  const current = products.find(cpfCnpjRaiz, codigo);
  // Drafts and deactivated products may be identical to others.
  if (current?.situacao !== 'ATIVADO' || number === undefined) return false;
  const isCurrent = versionText(current) === versionText(number);
  const version = isCurrent ? current : products.versions.findPast(current.id, number);
  if (version === undefined) return false;
  const isEarlierTwin = (id: number): boolean => {
    const other = numberInCompany(id);
    return other !== codigo && (!isNew || other < codigo) && !later.has(other);
  };
  return findTwin(products, cpfCnpjRaiz, version, isEarlierTwin) !== undefined;
}

function isServedAtOnce(request: Request): boolean {
  try {
    return redirectToPublicProfile(request) === undefined;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}
