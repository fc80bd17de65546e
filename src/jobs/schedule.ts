/** The one list of jobs. Patterns are Brasília time. */
import type { Core } from '../core.ts';
import type { Job } from './scheduler.ts';

export function jobsOf({
  catalogue,
  delinquency,
  retention,
  importRetention,
  backlog,
}: Core): readonly Job[] {
  return [
    {
      name: 'tabela-de-atributos',
      about: 'Põe em vigor a tabela de atributos do dia e desativa os produtos que ela não admite mais.',
      pattern: '5 0 * * *',
      atStart: true,
      runOnce: () => catalogue.attribute.service.runOnce(),
    },
    {
      name: 'assinaturas-sem-sucesso',
      about: 'Exclui as assinaturas que só tiveram erros de entrega em 30 dias.',
      pattern: '0 * * * *',
      atStart: true,
      runOnce: () => delinquency.runOnce(),
    },
    {
      name: 'retencao',
      about: 'Apaga falhas, entregas encerradas e eventos com mais de 30 dias.',
      pattern: '20 * * * *',
      atStart: true,
      runOnce: () => retention.runOnce(),
    },
    {
      name: 'importacoes-antigas',
      about: 'Apaga as importações que terminaram há mais dias que importacao.dias, com seus resultados.',
      pattern: '40 3 * * *',
      atStart: true,
      runOnce: () => importRetention.runOnce(),
    },
    {
      name: 'entregas-canceladas',
      about: 'Cancela o que ficou pendente de assinaturas excluídas, se algo impediu de fazê-lo na hora.',
      pattern: '50 * * * *',
      atStart: true,
      runOnce: () => backlog.runOnce(),
    },
  ];
}
