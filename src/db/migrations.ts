/** The list of migrations, embedded as text: a folder scan would read the disk, not the executable. */
import catalogue from '../../migrations/0001_catalogue.sql' with { type: 'text' };
import notification from '../../migrations/0002_notification.sql' with { type: 'text' };
import attributeTable from '../../migrations/0003_attribute_table.sql' with { type: 'text' };
import audit from '../../migrations/0004_audit.sql' with { type: 'text' };
import session from '../../migrations/0005_session.sql' with { type: 'text' };
import changesOfMany from '../../migrations/0006_changes_of_many.sql' with { type: 'text' };
import accessKey from '../../migrations/0007_access_key.sql' with { type: 'text' };
import importTurns from '../../migrations/0008_import_turns.sql' with { type: 'text' };
import auditSeal from '../../migrations/0009_audit_seal.sql' with { type: 'text' };
import signedInBy from '../../migrations/0010_signed_in_by.sql' with { type: 'text' };
import attemptPhase from '../../migrations/0011_attempt_phase.sql' with { type: 'text' };
import sheet from '../../migrations/0012_sheet.sql' with { type: 'text' };
import operatorByName from '../../migrations/0013_operator_by_name.sql' with { type: 'text' };
import importResultDid from '../../migrations/0014_import_result_did.sql' with { type: 'text' };
import deliveryHour from '../../migrations/0015_delivery_hour.sql' with { type: 'text' };
import attemptAnswer from '../../migrations/0016_attempt_answer.sql' with { type: 'text' };
import importResultCodes from '../../migrations/0017_import_result_codes.sql' with { type: 'text' };
import deactivatedBySystem from '../../migrations/0018_deactivated_by_system.sql' with { type: 'text' };
import nomenclature from '../../migrations/0019_nomenclature.sql' with { type: 'text' };
import deadlineWarning from '../../migrations/0020_deadline_warning.sql' with { type: 'text' };
import remote from '../../migrations/0021_remote.sql' with { type: 'text' };
import remoteRun from '../../migrations/0022_remote_run.sql' with { type: 'text' };
import remoteWay from '../../migrations/0023_remote_way.sql' with { type: 'text' };
import remoteLeftOpen from '../../migrations/0024_remote_left_open.sql' with { type: 'text' };
import remoteFetch from '../../migrations/0025_remote_fetch.sql' with { type: 'text' };
import attributeOrigin from '../../migrations/0026_attribute_origin.sql' with { type: 'text' };
import nomenclatureRow from '../../migrations/0027_nomenclature_row.sql' with { type: 'text' };
import productSignature from '../../migrations/0028_product_signature.sql' with { type: 'text' };
import sheetChoice from '../../migrations/0029_sheet_choice.sql' with { type: 'text' };
import importSource from '../../migrations/0030_import_source.sql' with { type: 'text' };
import attributeAlterations from '../../migrations/0031_attribute_alterations.sql' with { type: 'text' };
import idempotency from '../../migrations/0032_idempotency.sql' with { type: 'text' };
import importCells from '../../migrations/0033_import_cells.sql' with { type: 'text' };
import revokedKey from '../../migrations/0034_revoked_key.sql' with { type: 'text' };
import attentionDismissal from '../../migrations/0035_attention_dismissal.sql' with { type: 'text' };
import changesMany from '../../migrations/0036_changes_many.sql' with { type: 'text' };
import operatorBySituacao from '../../migrations/0037_operator_by_situacao.sql' with { type: 'text' };
import comparisonErrorCode from '../../migrations/0038_comparison_error_code.sql' with { type: 'text' };
import repeated from '../../migrations/0039_repeated.sql' with { type: 'text' };
import runKey from '../../migrations/0040_run_key.sql' with { type: 'text' };
import failureCompany from '../../migrations/0041_failure_company.sql' with { type: 'text' };
import right from '../../migrations/0042_right.sql' with { type: 'text' };
import problemLabel from '../../migrations/0043_problem_label.sql' with { type: 'text' };
import productCount from '../../migrations/0044_product_count.sql' with { type: 'text' };
import userEmail from '../../migrations/0045_user_email.sql' with { type: 'text' };
import password from '../../migrations/0046_password.sql' with { type: 'text' };
import email from '../../migrations/0047_email.sql' with { type: 'text' };
import identity from '../../migrations/0048_identity.sql' with { type: 'text' };
import accessGroup from '../../migrations/0049_access_group.sql' with { type: 'text' };
import proposal from '../../migrations/0050_proposal.sql' with { type: 'text' };
import notices from '../../migrations/0051_notices.sql' with { type: 'text' };
import emailNotice from '../../migrations/0052_email_notice.sql' with { type: 'text' };
import groupRightGiven from '../../migrations/0053_group_right_given.sql' with { type: 'text' };
import lighterInserts from '../../migrations/0054_lighter_inserts.sql' with { type: 'text' };
import type { Migration } from './migrate.ts';

export const MIGRATIONS: readonly Migration[] = [
  { number: 1, name: 'catalogue', sql: catalogue },
  { number: 2, name: 'notification', sql: notification },
  { number: 3, name: 'attribute_table', sql: attributeTable },
  { number: 4, name: 'audit', sql: audit },
  { number: 5, name: 'session', sql: session },
  { number: 6, name: 'changes_of_many', sql: changesOfMany },
  { number: 7, name: 'access_key', sql: accessKey },
  { number: 8, name: 'import_turns', sql: importTurns },
  { number: 9, name: 'audit_seal', sql: auditSeal },
  { number: 10, name: 'signed_in_by', sql: signedInBy },
  { number: 11, name: 'attempt_phase', sql: attemptPhase },
  { number: 12, name: 'sheet', sql: sheet },
  { number: 13, name: 'operator_by_name', sql: operatorByName },
  { number: 14, name: 'import_result_did', sql: importResultDid },
  { number: 15, name: 'delivery_hour', sql: deliveryHour },
  { number: 16, name: 'attempt_answer', sql: attemptAnswer },
  { number: 17, name: 'import_result_codes', sql: importResultCodes },
  { number: 18, name: 'deactivated_by_system', sql: deactivatedBySystem },
  { number: 19, name: 'nomenclature', sql: nomenclature },
  { number: 20, name: 'deadline_warning', sql: deadlineWarning },
  { number: 21, name: 'remote', sql: remote },
  { number: 22, name: 'remote_run', sql: remoteRun },
  { number: 23, name: 'remote_way', sql: remoteWay },
  { number: 24, name: 'remote_left_open', sql: remoteLeftOpen },
  { number: 25, name: 'remote_fetch', sql: remoteFetch },
  { number: 26, name: 'attribute_origin', sql: attributeOrigin },
  { number: 27, name: 'nomenclature_row', sql: nomenclatureRow },
  { number: 28, name: 'product_signature', sql: productSignature },
  { number: 29, name: 'sheet_choice', sql: sheetChoice },
  { number: 30, name: 'import_source', sql: importSource },
  { number: 31, name: 'attribute_alterations', sql: attributeAlterations },
  { number: 32, name: 'idempotency', sql: idempotency },
  { number: 33, name: 'import_cells', sql: importCells },
  { number: 34, name: 'revoked_key', sql: revokedKey },
  { number: 35, name: 'attention_dismissal', sql: attentionDismissal },
  { number: 36, name: 'changes_many', sql: changesMany },
  { number: 37, name: 'operator_by_situacao', sql: operatorBySituacao },
  { number: 38, name: 'comparison_error_code', sql: comparisonErrorCode },
  { number: 39, name: 'repeated', sql: repeated },
  { number: 40, name: 'run_key', sql: runKey },
  { number: 41, name: 'failure_company', sql: failureCompany },
  { number: 42, name: 'right', sql: right },
  { number: 43, name: 'problem_label', sql: problemLabel },
  { number: 44, name: 'product_count', sql: productCount },
  { number: 45, name: 'user_email', sql: userEmail },
  { number: 46, name: 'password', sql: password },
  { number: 47, name: 'email', sql: email },
  { number: 48, name: 'identity', sql: identity },
  { number: 49, name: 'access_group', sql: accessGroup },
  { number: 50, name: 'proposal', sql: proposal },
  { number: 51, name: 'notices', sql: notices },
  { number: 52, name: 'email_notice', sql: emailNotice },
  { number: 53, name: 'group_right_given', sql: groupRightGiven },
  { number: 54, name: 'lighter_inserts', sql: lighterInserts },
];
