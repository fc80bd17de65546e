/** The operation of the audit (contract section 16). */
import { JSON_TYPE } from '../http/answers.ts';
import { type Operation, operation } from '../http/operation.ts';
import type { Reads } from '../reading/pool.ts';
import { beginning } from '../reading/stream.ts';
import type { Caller } from '../session/model.ts';
import { AuditPage, AuditQuery, type AuditRead, toRead } from './model.ts';

export function auditRoutes(reads: Reads<AuditRead>): Operation<Caller>[] {
  return [
    operation('GET', '/appliance/api/audit', {
      tag: 'Auditoria',
      source: 'contract, section 16',
      access: 'administrator',
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
  ];
}
