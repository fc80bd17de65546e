/** Serves pages of products, and their history (contract section 14). */
import type { Clock } from '../../clock.ts';
import { dayOf } from '../../validation/calendar.ts';
import { type Operation, ok, operationsIn } from '../../http/operation.ts';
import type { Reads } from '../../reading/pool.ts';
import type { Caller } from '../../session/model.ts';
import type { CatalogueAccess } from '../access.ts';
import type { CatalogueRules } from '../../validation/company.ts';
import { pageAnswer } from '../paging/answers.ts';
import { pageOf } from '../paging/cursor.ts';
import { tableOperations } from '../table-operations.ts';
import { tableOf, tableQuery } from '../../sheet/table.ts';
import { ChangedAt, orderedMembers, pageForm, pageQuery } from '../paging/model.ts';
import { STANDING_MEMBERS } from '../model.ts';
import { ListedVersion } from '../versioned/history.ts';
import { productPageFilters, toPageFilter } from './filter.ts';
import { Codigo, PRODUCT_ORDERS, type ProductOrder, type productSchemas } from './model.ts';
import type { ProductPageRead } from './page.ts';
import type { ProductService } from './service.ts';
import { ATTRIBUTE_TARGET, PRODUCT_TARGETS, type ProductTableRead } from './table.ts';
import { form, nullable, text } from '../../validation/forms.ts';
import { t } from '../../validation/type.ts';

export interface ProductBrowsingParts {
  readonly products: ProductService;
  readonly pages: Reads<ProductPageRead | ProductTableRead>;
  readonly schemas: ReturnType<typeof productSchemas>;
  readonly rules: CatalogueRules;
  readonly access: CatalogueAccess;
  readonly clock: Clock;
  /** Version of the attribute table in force, if there is one. */
  readonly tableInForce: () => string | undefined;
}

const PATH = '/appliance/api/products';
const tag = 'Produtos';
const operation = operationsIn({ tag, source: 'contract, section 14' });
const ORDERS = Object.keys(PRODUCT_ORDERS) as ProductOrder[];

/** Schema of a page of products, for any query. */
export const productPageForm = ({ ListItem }: ReturnType<typeof productSchemas>) =>
  pageForm(
    form('PagedProduct', 'A versão de um produto em uma página.', {
      ...t.Omit(ListItem, ['seq']).properties,
      changedAt: ChangedAt,
      empresa: t.Optional(
        text('O nome da empresa, em uma lista de prazos sem cpfCnpjRaiz.', 'Exemplo Importadora S.A.'),
      ),
      remote: t.Optional(
        nullable(form('ProductElsewhere', 'Onde um produto está em um remoto.', { ...STANDING_MEMBERS }), {
          description: 'Com remote: onde está nele; null: nunca foi comparado.',
        }),
      ),
    }),
    'ProductPage',
    'Uma página de produtos.',
  );

export function productBrowsingRoutes(parts: ProductBrowsingParts): Operation<Caller>[] {
  const { products, pages, schemas, access, clock, tableInForce } = parts;
  const { cpfCnpjRaiz } = schemas;
  const filters = productPageFilters(parts.rules);

  return [
    operation('GET', PATH, {
      id: 'listProductPage',
      summary: 'Consulta produtos em páginas, na ordem que se pedir',
      description:
        'Os filtros da consulta de produtos, e text; ncm pode ser só o começo, e situacao a palavra. Textos em ordem alfabética, sem distinguir maiúsculas e acentos. O que é incluído ou alterado entre duas páginas não repete nem esconde os demais.',
      query: pageQuery(filters, ORDERS),
      success: productPageForm(schemas),
      guard: access.readsProductsOfQuery,
      handle: ({ query, quotaOwner }) => {
        const { filters: queryFilters, page } = pageOf(query, PRODUCT_ORDERS, 'codigo');
        return pageAnswer(pages, quotaOwner, {
          kind: 'productPage',
          filter: toPageFilter(queryFilters, clock.now()),
          page,
        });
      },
    }),

    ...tableOperations({
      path: PATH,
      tag,
      subject: 'os produtos que os filtros acham, todos',
      reads: pages,
      clock,
      csv: {
        id: 'downloadProductTable',
        description:
          'Com títulos em português, uma coluna para cada atributo em uso e palavras no lugar de valores; o que se baixa volta como veio.',
      },
      xlsx: {
        id: 'downloadProductSheet',
        description: 'As mesmas colunas do CSV, com cabeçalho fixo e filtro; o que se baixa volta como veio.',
      },
      query: tableQuery(orderedMembers(filters, ORDERS), PRODUCT_TARGETS, ATTRIBUTE_TARGET),
      guard: access.readsProductsOfQuery,
      nameOf: ({ query }) => `produtos-${query.cpfCnpjRaiz}`,
      readOf: ({ query }) => {
        const { filters: ordered, columns } = tableOf(query);
        const { filters: queryFilters, page } = pageOf(ordered, PRODUCT_ORDERS, 'codigo');
        return {
          kind: 'productTable' as const,
          filter: toPageFilter(queryFilters, clock.now()),
          order: page.order,
          columns,
          table: tableInForce(),
          day: dayOf(clock.now()),
        };
      },
    }),

    operation('GET', `${PATH}/:cpfCnpjRaiz/:codigo/versions`, {
      id: 'listProductVersions',
      summary: 'Mostra todas as versões de um produto, da mais antiga à mais nova',
      params: t.Object({ cpfCnpjRaiz, codigo: Codigo }),
      success: t.Array(ListedVersion),
      guard: access.readsPathCompany,
      handle: ({ params }) => ok(products.history(params, dayOf(clock.now()))),
    }),
  ];
}
