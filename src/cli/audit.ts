/**
 * `catp audit`: exports the audit trail, and verifies that the trail itself was not changed (contract section
 * 16).
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Witness } from '../audit/fault.ts';
import { type AuditEntry, SINCE_DOMAIN, toListed } from '../audit/model.ts';
import { AUDIT_COLUMNS } from '../audit/table.ts';
import { oldestFirst } from '../audit/reading.ts';
import { OuterSeal } from '../audit/outer-seal.ts';
import { auditKey } from '../audit/seal.ts';
import { type Renewal, verifyAudit } from '../audit/verify.ts';
import { manifestOf } from '../backup/unpack.ts';
import { SEAL_FILE, withUsableFolder } from '../db/folder.ts';
import { OperatorError, UsageError } from '../errors.ts';
import { formatValue } from '../validation/format-value.ts';
import { UnreadableFile } from '../files/unreadable-file.ts';
import { reasonOf, systemCode } from '../system/errors.ts';
import { type Cell, csvOf } from '../files/csv.ts';
import { instantOf, momentText } from '../validation/calendar.ts';
import { withCount, visible } from '../validation/text.ts';
import { readingCommand, printLine } from './folder-command.ts';
import { type OpenFolder, asOfNow } from './open.ts';
import { command } from './command.ts';

interface ExportFlags {
  readonly since?: number;
  readonly csv?: true;
  readonly proposal?: number;
}

interface VerifyFlags {
  readonly witness?: readonly string[];
}

export function auditCommand(): Command {
  return command('audit', 'trilha de auditoria: quem mudou o quê, quando e por onde')
    .addCommand(
      readingCommand<ExportFlags>(
        'export',
        'imprime a trilha, da mudança mais antiga à mais nova: uma linha de JSON por mudança',
        exportAudit,
      )
        .option(
          '--since <momento>',
          'só a partir de um instante ISO 8601 ou de um dia yyyy-MM-dd',
          instantFrom,
        )
        .option('--proposal <número>', 'só o que esta proposta aprovada gravou', proposalFrom)
        .option('--csv', 'em CSV'),
    )
    .addCommand(
      readingCommand<VerifyFlags>('verify', 'confere se nada na trilha foi alterado ou apagado', verify)
        .option(
          '--witness <arquivo...>',
          'compara a trilha com a de uma cópia de segurança, ou com o manifest.json de uma',
        )
        .addHelpText(
          'after',
          '\nCódigo de saída 1 se algo foi alterado ou falta; mostra a primeira diferença.\nA cópia legível mais nova da pasta de cópias é sempre comparada.\n',
        ),
    );
}

function instantFrom(text: string): number {
  const moment = instantOf(text);
  if (moment === undefined)
    throw new UsageError(`--since: recebido ${formatValue(text)}; aceita ${SINCE_DOMAIN}.`);
  return moment;
}

function proposalFrom(text: string): number {
  const number = Number(text);
  if (/^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(number)) return number;
  throw new UsageError(
    `--proposal: recebido ${formatValue(text)}; aceita o número de uma proposta, como 12.`,
  );
}

function* ofProposal(entries: Iterable<AuditEntry>, id: number | undefined): Generator<AuditEntry> {
  for (const entry of entries) if (id === undefined || entry.proposal?.id === id) yield entry;
}

async function exportAudit({ folder }: OpenFolder, flags: ExportFlags): Promise<void> {
  await asOfNow(folder.database, async (db) => {
    const entries = ofProposal(oldestFirst(db, flags.since), flags.proposal);
    for await (const chunk of flags.csv === true ? csvOf(HEADER, rowsOf(entries)) : linesOf(entries))
      if (!process.stdout.write(chunk)) await new Promise((resolve) => process.stdout.once('drain', resolve));
  });
}

const HEADER = AUDIT_COLUMNS.map(({ target }) => target);

function* rowsOf(entries: Iterable<AuditEntry>): Generator<readonly Cell[]> {
  for (const entry of entries) {
    const listed = toListed(entry);
    yield AUDIT_COLUMNS.map(({ cell }) => cell(listed));
  }
}

const CHUNK_CHARACTERS = 16 * 1024;

function* linesOf(entries: Iterable<AuditEntry>): Generator<string> {
  let chunk = '';
  for (const entry of entries) {
    chunk += `${visible(JSON.stringify(toListed(entry)))}\n`;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

async function verify({ folder, backups, isView }: OpenFolder, { witness = [] }: VerifyFlags): Promise<void> {
  const named = await Promise.all(witness.map(witnessNamed));
  const witnesses = [...named, ...(await newestOf(backups))];
  const key = auditKey(folder.keys);
  // The seal stays on the machine that writes. No replica holds it.
  const isSealElsewhere = isView && !existsSync(join(folder.path, SEAL_FILE));
  const outer = isSealElsewhere ? undefined : new OuterSeal(folder.path, key);
  await asOfNow(folder.database, (db) => {
    const verification = withUsableFolder(folder.path, () => verifyAudit(db, { key, outer, witnesses }));
    const { entries, first, last, hash, renewals, fault } = verification;
    if (fault !== undefined)
      throw new OperatorError(
        `A trilha de auditoria não está íntegra. ${fault.message} Guarde a pasta como está e compare-a com as cópias de segurança.`,
      );
    if (first === undefined || last === undefined)
      return printLine('A trilha de auditoria ainda não tem entradas.');
    printLine(
      `A trilha de auditoria está íntegra: ${withCount(entries, 'entrada')}, de ${momentText(first)} a ${momentText(last)}.\nFecho da entrada ${entries}: ${hash}`,
    );
    if (isSealElsewhere)
      printLine(
        `${SEAL_FILE} está só na máquina que grava: daqui não se sabe se a trilha tem mais entradas.`,
      );
    for (const { name, seq } of witnesses) printLine(`Confere com ${name}, feita na entrada ${seq}.`);
    for (const renewal of renewals) printLine(renewalText(renewal));
  });
}

const renewalText = ({ seq, at, proved }: Renewal): string =>
  `Na entrada ${seq}, de ${momentText(at)}, chaves novas tomaram o lugar das perdidas: ${
    proved === null
      ? 'não havia um selo fora do banco que provasse o que está antes dela.'
      : `o selo anterior provava a trilha até a entrada ${proved}.`
  }`;

async function witnessIn(file: string): Promise<Witness> {
  try {
    const { audit } = await manifestOf(file);
    if (audit !== undefined) return { name: file, seq: audit.seq, hash: Buffer.from(audit.hash, 'hex') };
  } catch (error) {
    const isForPeople = error instanceof OperatorError || error instanceof UnreadableFile;
    if (!isForPeople && systemCode(error) === undefined) throw error;
    throw new OperatorError(
      `${file} não serve (${reasonOf(error).replace(/\.$/, '')}); aceita uma cópia de segurança do catp, ou o manifest.json de uma.`,
    );
  }
  throw new OperatorError(
    `${file} é de uma versão do catp que não dizia onde a trilha termina; indique uma cópia mais nova.`,
  );
}

async function witnessNamed(file: string): Promise<Witness> {
  try {
    return await witnessIn(file);
  } catch (error) {
    throw error instanceof OperatorError ? new UsageError(`--witness: ${error.message}`) : error;
  }
}

/** Reads the newest readable backup. Unreadable ones are reported and skipped. */
async function newestOf(backups: OpenFolder['backups']): Promise<Witness[]> {
  for (const { file } of backups.list())
    try {
      return [await witnessIn(join(backups.folder, file))];
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      printLine(`A cópia ${file} não foi comparada: ${error.message}`);
    }
  return [];
}
