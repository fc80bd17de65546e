/**
 * Operations on the instance for its administrators: settings in force, findings of the doctor, backups
 * (contract sections 16 and 17).
 */
import type { RealTime } from '../clock.ts';
import { type OnLateFault, keptAlive } from '../http/kept-alive.ts';
import { type Operation, ok, operationsIn } from '../http/operation.ts';
import type { Caller } from '../session/model.ts';
import { BackupList, DrillResult, ListedBackup, ListedFinding, ListedSetting } from './model.ts';
import type { Supervision } from './service.ts';
import { t } from '../validation/type.ts';

export interface SupervisionRoutesParts {
  readonly supervision: Supervision;
  readonly realTime: RealTime;
  readonly onLateFault: OnLateFault;
}

const BASE = '/appliance/api';
const operation = operationsIn({
  tag: 'Administração',
  source: 'contract, section 16',
  access: 'administrator',
  right: 'none',
});

export function supervisionRoutes(parts: SupervisionRoutesParts): Operation<Caller>[] {
  const { supervision, realTime, onLateFault } = parts;
  return [
    operation('GET', `${BASE}/settings`, {
      id: 'listSettings',
      summary: 'Lista as configurações em vigor',
      description: 'Não há segredos entre elas. Mudam-se em catp.toml, por CATP_* ou na linha de comando.',
      success: t.Array(ListedSetting),
      handle: () => ok(supervision.settings()),
    }),
    operation('GET', `${BASE}/doctor`, {
      id: 'getFindings',
      summary: 'Confere a instância, como catp doctor',
      description:
        'Banco, disco, certificados, cópias e configuração. Os receptores, só o comando confere. Enquanto um banco grande é conferido vêm espaços antes do JSON.',
      success: t.Array(ListedFinding),
      handle: ({ quotaOwner }) => keptAlive(supervision.findings(quotaOwner), realTime, onLateFault),
    }),
    operation('GET', `${BASE}/backups`, {
      id: 'listBackups',
      summary: 'Lista as cópias de segurança e o último teste de restauração',
      success: BackupList,
      handle: () => ok(supervision.backups()),
    }),
    operation('POST', `${BASE}/backups`, {
      id: 'makeBackup',
      summary: 'Faz uma cópia de segurança agora',
      description:
        'Como a de toda noite, sem as chaves; apaga as que passam de backup.manter. Enquanto demora vêm espaços antes do JSON.',
      success: ListedBackup,
      handle: ({ caller }) => keptAlive(supervision.makeBackup(caller), realTime, onLateFault),
    }),
    operation('POST', `${BASE}/backups/drill`, {
      id: 'drillBackup',
      mayBeMissing: true,
      summary: 'Restaura a cópia mais nova em uma pasta temporária e a confere',
      description: 'Uma cópia que não serve também é um resultado: ok é false, e message diz por quê.',
      success: DrillResult,
      handle: () => keptAlive(supervision.drill(), realTime, onLateFault),
    }),
  ];
}
