/** Operation that returns the standing of a product at each remote (contract section 18, Who is who). */
import { catalogueAccess } from '../../catalogue/access.ts';
import { Codigo } from '../../catalogue/product/model.ts';
import { type Operation, ok, operation } from '../../http/operation.ts';
import type { Caller } from '../../session/model.ts';
import { type CatalogueRules, companySchema } from '../../validation/company.ts';
import { REMOTE_SECTION } from '../routes.ts';
import { RecordAtRemote } from './model.ts';
import { t } from '../../validation/type.ts';

export const standingRoutes = (
  rules: CatalogueRules,
  /** Returns the rows of a product. Throws 404. */
  rowsOf: (cpfCnpjRaiz: string, codigo: number) => RecordAtRemote[],
): Operation<Caller>[] => [
  operation('GET', '/appliance/api/products/:cpfCnpjRaiz/:codigo/remotes', {
    ...REMOTE_SECTION,
    id: 'listRemotesOfProduct',
    summary: 'Mostra onde um produto está em cada remoto',
    description:
      'Uma linha para cada remoto da empresa com que o produto já foi comparado: como a última comparação o achou, com o que os envios fizeram desde então. O que mudou aqui depois dela também conta: de igual passa a mudouAqui, de mudouLa a mudouNosDois, e um recusado volta a ser por enviar.',
    params: t.Object({ cpfCnpjRaiz: companySchema(rules), codigo: Codigo }),
    success: t.Array(RecordAtRemote),
    guard: catalogueAccess(rules).writesPathCompany,
    handle: ({ params }) => ok(rowsOf(params.cpfCnpjRaiz, params.codigo)),
  }),
];
