/** Serves the report over HTTP (contract section 21). */
import { type Operation, ok, operationsIn } from '../../http/operation.ts';
import type { Caller } from '../../session/model.ts';
import type { Conformity } from './conformity.ts';
import { junitOf } from './junit.ts';
import { ConformityReport } from './model.ts';
import { t } from '../../validation/type.ts';

const PATH = '/appliance/api/conformity';

const operation = operationsIn({
  tag: 'Desenvolvimento',
  source: 'contract, section 21',
  access: 'administrator',
  right: 'none',
});

export function conformityRoutes(conformity: Conformity): Operation<Caller>[] {
  return [
    operation('GET', PATH, {
      id: 'getConformity',
      summary: 'O que o serviço público teria recusado, por regra',
      description:
        'Seja qual for o perfil, cada requisição bem-sucedida a uma operação da especificação é comparada com o perfil portal, e os hábitos de cada usuário com o que o serviço público estranha. Não contam os administradores nem o que as páginas pedem por si. Nada é recusado por isso.',
      success: ConformityReport,
      handle: () => ok(conformity.report()),
    }),
    operation('GET', `${PATH}.xml`, {
      id: 'getConformityAsJunit',
      summary: 'O mesmo relatório em JUnit: um caso de teste por regra',
      produces: 'application/xml',
      success: t.String({ description: 'Um testsuite; cada regra encontrada é um caso que falhou.' }),
      handle: () => ({
        headers: { 'Content-Type': 'application/xml; charset=utf-8' },
        content: junitOf(conformity.report()),
      }),
    }),
    operation('DELETE', PATH, {
      id: 'clearConformity',
      summary: 'Esquece o que foi encontrado e começa de novo',
      otherSuccess: [204],
      handle: () => conformity.clear(),
    }),
  ];
}
