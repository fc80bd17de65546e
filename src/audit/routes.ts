/** The operation of the audit (contract section 16). */
import { JSON_TYPE } from '../http/answers.ts';
import { type CompanyGuard, type Operation, operationsIn } from '../http/operation.ts';
import type { Reads } from '../reading/pool.ts';
import { beginning } from '../reading/stream.ts';
import { requireRight } from '../session/guard.ts';
import type { Caller } from '../session/model.ts';
import { notAdministrator } from '../errors.ts';
import { type CatalogueRules, isCompany } from '../validation/company.ts';
import { csvAnswer } from '../sheet/answers.ts';
import { tableOf, tableQuery } from '../sheet/table.ts';
import { AuditPage, type AuditRead, auditFilters, auditQuery, toFilter, toRead } from './model.ts';
import { AUDIT_COLUMNS, type AuditTableRead } from './table.ts';

const operation = operationsIn({ tag: 'Auditoria', source: 'contract, section 16' });

/**
 * Admits administrators and, for the audit of one company, also its approvers (contract section 25). Throws
 * 403.
 */
const auditorGuard =
  (rules: CatalogueRules): CompanyGuard<Caller> =>
  (caller, _params, query) => {
    if (caller.administrador) return;
    const cpfCnpjRaiz = query.get('cpfCnpjRaiz')?.trim();
    if (cpfCnpjRaiz === undefined) throw notAdministrator();
    // The schema refuses a value that is no company.
    if (isCompany(cpfCnpjRaiz, rules)) requireRight(caller, cpfCnpjRaiz, 'aprovacao');
  };

export function auditRoutes(
  reads: Reads<AuditRead | AuditTableRead>,
  rules: CatalogueRules,
): Operation<Caller>[] {
  const guard = auditorGuard(rules);
  return [
    operation('GET', '/appliance/api/audit', {
      id: 'listAudit',
      summary: 'Mostra quem mudou o quê, da mudança mais nova para a mais antiga',
      description:
        'Cada mudança de um registro, conta, chave, tabela, assinatura ou importação, e cada cópia e restauração. Com cpfCnpjRaiz só dos registros dessa empresa, de suas importações e do trabalho dela com remotos, também para quem pode aprovar nela; nunca contas, chaves, representações e tabelas. A página seguinte: after com o next desta.',
      query: auditQuery(rules),
      success: AuditPage,
      guard,
      handle: async ({ query, quotaOwner }) => {
        const content = await beginning(reads.read(toRead(query), quotaOwner));
        return { headers: { 'Content-Type': JSON_TYPE }, ...(content !== undefined && { content }) };
      },
    }),

    operation('GET', '/appliance/api/audit.csv', {
      id: 'downloadAudit',
      summary: 'Baixa em CSV as mudanças que os filtros acham, todas, da mais nova para a mais antiga',
      guard,
      query: tableQuery(
        auditFilters(rules),
        AUDIT_COLUMNS.map(({ target }) => target),
      ),
      produces: 'text/csv',
      handle: ({ query, quotaOwner }) => {
        const { filters, columns } = tableOf(query);
        return csvAnswer(reads, quotaOwner, 'auditoria', {
          kind: 'auditTable',
          filter: toFilter(filters),
          columns,
          format: 'csv',
        });
      },
    }),
  ];
}
