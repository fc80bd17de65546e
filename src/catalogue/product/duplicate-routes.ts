/** Serves the report of duplicates (contract section 17). */
import { Type as t } from '@sinclair/typebox';
import { type Operation, operation } from '../../http/operation.ts';
import type { Reads } from '../../reading/pool.ts';
import type { Caller } from '../../session/model.ts';
import type { CatalogueAccess } from '../access.ts';
import { pageAnswer } from '../paging/answers.ts';
import { pageOf } from '../paging/cursor.ts';
import { NextPage, pageMembers } from '../paging/model.ts';
import type { DuplicatesRead } from './page.ts';
import { Codigo, DUPLICATES_BY, DUPLICATE_ORDERS, Ncm, type productSchemas } from './model.ts';
import { choice, form, text } from '../../validation/forms.ts';

export interface DuplicateRoutesParts {
  readonly pages: Reads<DuplicatesRead>;
  readonly schemas: Pick<ReturnType<typeof productSchemas>, 'cpfCnpjRaiz'>;
  readonly access: CatalogueAccess;
}

const Group = form('DuplicateGroup', 'Produtos ativados que são o mesmo.', {
  ncm: Ncm,
  denominacao: text('Denominação do segundo deles.', 'Caixa plástica'),
  codigos: t.Array(Codigo, { description: 'Os códigos dos produtos, em ordem.' }),
});

export const duplicateRoutes = ({ pages, schemas, access }: DuplicateRoutesParts): Operation<Caller>[] => [
  operation('GET', '/appliance/api/products/duplicates', {
    tag: 'Produtos',
    source: 'contract, section 17',
    id: 'listDuplicates',
    summary: 'Mostra em páginas os produtos ativados que se repetem',
    description:
      'Em ordem de NCM. Com by=content, os que têm o mesmo conteúdo, fora códigos internos; com by=denominacao, os de mesma NCM e denominação, sem distinguir maiúsculas e acentos.',
    query: t.Object({
      cpfCnpjRaiz: schemas.cpfCnpjRaiz,
      by: t.Optional(choice(DUPLICATES_BY, 'Em que são o mesmo.', undefined, { default: 'content' })),
      ...pageMembers,
    }),
    success: form('DuplicatePage', 'Uma página de produtos que se repetem.', {
      items: t.Array(Group, { description: 'Os grupos desta página.' }),
      next: NextPage,
    }),
    guard: access.readsQueryCompany,
    handle: ({ query, holder }) => {
      const { filters, page } = pageOf(query, DUPLICATE_ORDERS, 'ncm');
      const { cpfCnpjRaiz, by = 'content' } = filters;
      return pageAnswer(pages, holder, { kind: 'duplicates', cpfCnpjRaiz, by, page });
    },
  }),
];
