/** The operation of the audit (contract section 16). */
import { JSON_TYPE } from '../http/answers.ts';
import { type Operation, operationsIn } from '../http/operation.ts';
import type { Reads } from '../reading/pool.ts';
import { beginning } from '../reading/stream.ts';
import type { Caller } from '../session/model.ts';
import { csvAnswer } from '../sheet/answers.ts';
import { tableOf, tableQuery } from '../sheet/table.ts';
import { AuditPage, AuditQuery, type AuditRead, toFilter, toRead } from './model.ts';
import { AUDIT_COLUMNS, type AuditTableRead } from './table.ts';

const operation = operationsIn({ tag: 'Auditoria', source: 'contract, section 16', access: 'administrator' });

export function auditRoutes(reads: Reads<AuditRead | AuditTableRead>): Operation<Caller>[] {
  const { limit: _, after: __, ...filters } = AuditQuery.properties;
  return [
    operation('GET', '/appliance/api/audit', {
      id: 'listAudit',
      summary: 'Mostra quem mudou o quê, da mudança mais nova para a mais antiga',
      description:
        'Cada mudança de um registro, conta, chave, tabela, assinatura ou importação, e cada cópia e restauração. A página seguinte: after com o next desta.',
      query: AuditQuery,
      success: AuditPage,
      handle: async ({ query, holder }) => {
        const content = await beginning(reads.read(toRead(query), holder));
        return { headers: { 'Content-Type': JSON_TYPE }, ...(content !== undefined && { content }) };
      },
    }),

    operation('GET', '/appliance/api/audit.csv', {
      id: 'downloadAudit',
      summary: 'Baixa em CSV as mudanças que os filtros acham, todas, da mais nova para a mais antiga',
      query: tableQuery(
        filters,
        AUDIT_COLUMNS.map(({ target }) => target),
      ),
      produces: 'text/csv',
      handle: ({ query, holder }) => {
        const { filters: asked, columns } = tableOf(query);
        return csvAnswer(reads, holder, 'auditoria', {
          kind: 'auditTable',
          filter: toFilter(asked),
          columns,
          format: 'csv',
        });
      },
    }),
  ];
}
