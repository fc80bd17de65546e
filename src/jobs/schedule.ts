/** The one list of jobs. Patterns are Brasília time. */
import type { Core } from '../core.ts';
import type { Job } from './scheduler.ts';

export function jobsOf({ catalogue, delinquency, retention }: Core): readonly Job[] {
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
  ];
}
