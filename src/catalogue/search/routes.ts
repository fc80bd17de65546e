/** Serves the search over all records of one company, or of all, in one field (contract section 25). */
import { type Operation, operation } from '../../http/operation.ts';
import type { Nomenclature } from '../../nomenclature/service.ts';
import type { Reads } from '../../reading/pool.ts';
import type { Caller } from '../../session/model.ts';
import type { CatalogueRules } from '../../validation/company.ts';
import { type CatalogueAccess, ownCompanies } from '../access.ts';
import { pageAnswer } from '../paging/answers.ts';
import { type SearchRead, searchForm, searchQuery, toRead } from './model.ts';

export const searchRoutes = ({
  searches,
  nomenclature,
  rules,
  access,
}: {
  readonly searches: Reads<SearchRead>;
  readonly nomenclature: Pick<Nomenclature, 'search'>;
  readonly rules: CatalogueRules;
  readonly access: CatalogueAccess;
}): Operation<Caller>[] => [
  operation('GET', '/appliance/api/search', {
    tag: 'Produtos',
    source: 'contract, section 25',
    id: 'search',
    summary: 'Busca em tudo de uma empresa, ou de todas as de quem pergunta',
    description:
      'Cada palavra em algum lugar: de um produto na denominação, nos códigos internos, no código ou no começo da NCM; de um operador no nome, no código, no TIN ou no código interno; as NCMs são as da nomenclatura. Sem cpfCnpjRaiz busca em todas as que quem pergunta representa (de um agente público em todas; [] para quem não representa nenhuma), cada registro com sua empresa, e diz quantos há.',
    query: searchQuery(rules),
    success: searchForm(rules),
    guard: access.readsQueryCompany,
    handle: ({ query, caller, quotaOwner }) =>
      pageAnswer(
        searches,
        quotaOwner,
        toRead(query, ownCompanies(caller), (text, limit) => nomenclature.search(text, limit)),
      ),
  }),
];
