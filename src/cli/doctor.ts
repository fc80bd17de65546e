/**
 * `catp doctor`: reports the good and bad conditions of an instance, also while its server runs (contract
 * section 16).
 */
import type { Command } from 'commander';
import { SystemClock } from '../clock.ts';
import { ConfigError, readSettings } from '../settings/config.ts';
import { pathsOf, requireInstance } from '../db/folder.ts';
import { HOLDS_NOTHING, isUnused } from '../db/migrate.ts';
import { type Db, openForInspection } from '../db/open.ts';
import { permissionsOf } from '../doctor/checks/permissions.ts';
import { examine } from '../doctor/examine.ts';
import { type Finding, LEVELS, type Level, exitCodeOf } from '../doctor/model.ts';
import type { NoDb, DiagnosisTarget } from '../doctor/diagnosis-target.ts';
import { folderStateOf, viewOf } from '../replica/folder-owner.ts';
import { diskOf } from '../system/disk.ts';
import { RESTORE, reasonOf, remedyFor, systemCode } from '../system/errors.ts';
import { printLine } from './folder-command.ts';
import { asOwner } from './owner.ts';
import { command, folderFlags } from './command.ts';
import { type FolderFlags, settingsFor } from './options.ts';

interface DoctorFlags extends FolderFlags {
  readonly json?: true;
  readonly receivers?: true;
}

export function doctorCommand(): Command {
  const doctor = command(
    'doctor',
    'confere uma instância: banco, disco, certificados, cópias; também com o servidor em execução',
    'Código de saída: 0 até avisos simples, 1 com um alerta ou recusado,\n2 com um erro ou comando inválido.',
  );
  return asOwner(folderFlags(doctor))
    .option('--json', 'imprime em JSON')
    .option(
      '--receivers',
      'confere também os receptores das assinaturas: nome, conexão e TLS; nada é enviado',
    )
    .action(runDoctor);
}

async function runDoctor(flags: DoctorFlags): Promise<void> {
  requireInstance(flags.data);
  const folderState = folderStateOf(flags.data);
  const isElsewhere = folderState.owner.kind === 'follower' || folderState.owner.kind === 'copy';
  using view = isElsewhere ? viewOf(flags.data, folderState.owner) : undefined;
  const folder = pathsOf(flags.data);
  // An open database has files next to it which this command made: the check must not report those.
  const initial = { permissions: permissionsOf(folder.path) };
  const db = databaseOf((view?.folder ?? folder).database);
  const state = view?.state ?? folderState;
  const diagnosisTarget = { folder, ...settingsOf(flags), clock: new SystemClock(), db, state, diskOf };
  try {
    const findings = await examine(diagnosisTarget, { receivers: flags.receivers === true, known: initial });
    if (flags.json === true) printLine(JSON.stringify(findings, undefined, 2));
    else for (const finding of findings) printLine(findingText(finding));
    process.exitCode = exitCodeOf(findings);
  } finally {
    if (!('message' in db)) db.close();
  }
}

function settingsOf(flags: FolderFlags): Pick<DiagnosisTarget, 'settings' | 'settingProblems'> {
  try {
    return { settings: settingsFor(flags), settingProblems: [] };
  } catch (problem) {
    if (!(problem instanceof ConfigError)) throw problem;
    return {
      settings: readSettings({ environment: {}, commandLine: [] }),
      settingProblems: problem.problems,
    };
  }
}

function databaseOf(file: string): Db | NoDb {
  let db: Db | undefined;
  try {
    db = openForInspection(file);
    db.pragma('schema_version'); // the first access to the file
    if (!isUnused(db)) return db;
    db.close();
    return { message: HOLDS_NOTHING, remedy: RESTORE };
  } catch (problem) {
    db?.close();
    if (systemCode(problem) === undefined) throw problem;
    // A sound folder without read permission is not damaged: a restore would replace it by older data.
    return {
      message: reasonOf(problem),
      remedy: remedyFor(problem, 'Verifique as permissões e o disco.'),
    };
  }
}

const LEVEL_WORDS: Readonly<Record<Level, string>> = {
  ok: 'bom',
  notice: 'aviso',
  warning: 'ALERTA',
  error: 'ERRO',
};
const WIDTH = Math.max(...LEVELS.map((level) => LEVEL_WORDS[level].length));

const findingText = ({ check, level, message, remedy }: Finding): string =>
  `${LEVEL_WORDS[level].padEnd(WIDTH)}  ${check}: ${message}${remedy === null ? '' : `\n${' '.repeat(WIDTH)}  → ${remedy}`}`;
