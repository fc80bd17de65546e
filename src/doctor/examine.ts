/** Runs all checks in the order of the report. Each has its file in `checks/`. */
import { attributeTable } from './checks/attribute-table.ts';
import { audit } from './checks/audit.ts';
import { backup, drill } from './checks/backup.ts';
import { clock } from './checks/clock.ts';
import { disk } from './checks/disk.ts';
import { durability } from './checks/durability.ts';
import { email } from './checks/email.ts';
import { folders } from './checks/folders.ts';
import { foreignKeys } from './checks/foreign-keys.ts';
import { integrity } from './checks/integrity.ts';
import { nomenclature } from './checks/nomenclature.ts';
import { permissions } from './checks/permissions.ts';
import { provider } from './checks/provider.ts';
import { receivers } from './checks/receivers.ts';
import { replica } from './checks/replica.ts';
import { schema } from './checks/schema.ts';
import { settings } from './checks/settings.ts';
import { tls } from './checks/tls.ts';
import { checkWriter } from './checks/writer.ts';
import { type Finding, type Verdict, error } from './model.ts';
import type { Check, DiagnosisTarget } from './diagnosis-target.ts';
import { reasonOf, systemCode } from '../system/errors.ts';

const CHECKS = {
  integrity,
  'foreign-keys': foreignKeys,
  schema,
  writer: checkWriter,
  durability,
  permissions,
  folders,
  disk,
  clock,
  tls,
  'attribute-table': attributeTable,
  nomenclature,
  backup,
  drill,
  audit,
  replica,
  email,
  provider,
  settings,
} as const satisfies Readonly<Record<string, Check>>;

/** Optional, because it connects to other machines. */
const RECEIVERS = { receivers } as const;

/** Verdicts that were found before, in a reading Worker or before the database was opened. */
type Known = Readonly<Record<string, Verdict>>;

export async function examine(
  diagnosisTarget: DiagnosisTarget,
  options: { readonly receivers: boolean; readonly known?: Known },
): Promise<readonly Finding[]> {
  const checks: Readonly<Record<string, Check>> = options.receivers ? { ...CHECKS, ...RECEIVERS } : CHECKS;
  const findings: Finding[] = [];
  for (const [check, run] of Object.entries(checks)) {
    const verdict = options.known?.[check] ?? (await runCheck(run, diagnosisTarget));
    if (verdict !== undefined) findings.push({ check, ...verdict });
  }
  return findings;
}

/** Runs a check. A system error during the check is a finding too. */
async function runCheck(run: Check, diagnosisTarget: DiagnosisTarget): Promise<Verdict | undefined> {
  try {
    return await run(diagnosisTarget);
  } catch (problem) {
    if (systemCode(problem) === undefined) throw problem;
    return error(
      `Não pôde ser conferido (${reasonOf(problem)}).`,
      'Verifique o disco e as permissões; se o banco está danificado, restaure a última cópia de segurança com catp restore.',
    );
  }
}
