/** Serves the reasons of products to mend; a filter of the product list selects the products. */
import type { Clock } from '../../clock.ts';
import { type Operation, operation } from '../../http/operation.ts';
import type { Reads } from '../../reading/pool.ts';
import type { Caller } from '../../session/model.ts';
import type { CatalogueRules } from '../../validation/company.ts';
import type { CatalogueAccess } from '../access.ts';
import { pageAnswer } from '../paging/answers.ts';
import { productPageFilters, toPageFilter } from '../product/filter.ts';
import type { FilterToMend } from './judged.ts';
import { Mending, type MendingRead } from './reasons.ts';
import { t } from '../../validation/type.ts';

export function mendingRoutes(
  reads: Reads<MendingRead>,
  rules: CatalogueRules,
  access: CatalogueAccess,
  clock: Clock,
): Operation<Caller>[] {
  const { cpfCnpjRaiz, toMend, ncm, codigo } = productPageFilters(rules);
  return [
    operation('GET', '/appliance/api/products/reasons', {
      tag: 'Produtos',
      source: 'contract, section 24',
      id: 'listMendingReasons',
      summary: 'Mostra o que está por corrigir em um catálogo, motivo a motivo',
      description:
        'Os produtos que o sistema desativou e não voltam como estão ou, com o id de uma tabela de atributos em toMend, os ativos que ela não admitiria; com refused, os que um remoto recusou, pelo código ou pelas palavras dele, em cada remoto (membro remoto:NOME); com due, os ativos a que falta o que ainda vai ser exigido: juntos pelo código da regra e pelo membro, e em cada motivo por NCM, do mais frequente ao menos. Quais são os produtos diz a consulta em páginas com toMend, reason e member; os mesmos filtros servem à planilha e à alteração de vários. Um atributo que nada mais pede sai sozinho na ativação, e não é motivo.',
      query: t.Object({ cpfCnpjRaiz, toMend, ncm, codigo }),
      success: Mending,
      guard: access.readsProductsOfQuery,
      handle: ({ query: { toMend: source = 'deactivated', ...query }, quotaOwner }) =>
        pageAnswer(reads, quotaOwner, {
          kind: 'mending',
          filter: toPageFilter({ ...query, toMend: source }, clock.now()) as FilterToMend, // set in this call
          modalidadeAmbos: rules.modalidadeAmbos,
        }),
    }),
  ];
}
