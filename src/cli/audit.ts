/** `catp audit`: who changed what, and whether what tells it was changed (contract section 16). */
import type { Command } from 'commander';
import { type Entry, SINCE_DOMAIN, toListed } from '../audit/model.ts';
import { oldestFirst } from '../audit/reading.ts';
import { auditKey } from '../audit/seal.ts';
import { verifyAudit } from '../audit/verify.ts';
import { type Db, openForReading } from '../db/open.ts';
import { OperatorError, UsageError, shown } from '../errors.ts';
import { type Cell, csvOf } from '../files/csv.ts';
import { instantOf, momentText } from '../validation/calendar.ts';
import { folderCommand, say } from './folder-command.ts';
import type { OpenFolder } from './open.ts';
import { command } from './options.ts';

interface ExportFlags {
  readonly since?: number;
  readonly csv?: true;
}

export function auditCommand(): Command {
  return command('audit', 'trilha de auditoria: quem mudou o quê, quando e por onde')
    .addCommand(
      folderCommand<ExportFlags>(
        'export',
        'escreve a trilha na saída padrão, da mudança mais velha à mais nova: uma linha JSON cada',
        exportAudit,
      )
        .option('--since <momento>', 'só desde um instante ISO 8601 ou um dia yyyy-MM-dd', since)
        .option('--csv', 'em CSV'),
    )
    .addCommand(
      folderCommand('verify', 'confere que nada da trilha foi alterado nem apagado', verify).addHelpText(
        'after',
        '\nTermina com 1 se algo foi alterado ou falta, e diz o primeiro lugar.\n',
      ),
    );
}

function since(text: string): number {
  const moment = instantOf(text);
  if (moment === undefined) throw new UsageError(`--since: recebido ${shown(text)}; aceita ${SINCE_DOMAIN}.`);
  return moment;
}

async function exportAudit({ folder }: OpenFolder, flags: ExportFlags): Promise<void> {
  await asOfNow(folder.database, async (db) => {
    const entries = oldestFirst(db, flags.since);
    for await (const chunk of flags.csv === true ? csvOf(HEADER, rowsOf(entries)) : linesOf(entries))
      if (!process.stdout.write(chunk)) await new Promise((resolve) => process.stdout.once('drain', resolve));
  });
}

const HEADER = ['seq', 'at', 'actor', 'channel', 'action', 'subject', 'before', 'after'];

function* rowsOf(entries: Iterable<Entry>): Generator<readonly Cell[]> {
  for (const entry of entries) yield Object.values(toListed(entry));
}

const CHUNK_CHARACTERS = 16 * 1024;

function* linesOf(entries: Iterable<Entry>): Generator<string> {
  let chunk = '';
  for (const entry of entries) {
    chunk += `${JSON.stringify(toListed(entry))}\n`;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

function verify({ folder }: OpenFolder): Promise<void> {
  return asOfNow(folder.database, (db) => {
    const { entries, first, last, hash, fault } = verifyAudit(db, auditKey(folder.keys));
    if (fault !== undefined)
      throw new OperatorError(
        `A trilha de auditoria não está inteira. ${fault.message} Guarde a pasta como está e compare-a com as cópias de segurança.`,
      );
    if (first === undefined || last === undefined)
      return say('A trilha de auditoria ainda não tem entradas.');
    say(
      `A trilha de auditoria está inteira: ${entries} entradas, de ${momentText(first)} a ${momentText(last)}.\nFecho da entrada ${entries}: ${hash}`,
    );
  });
}

/** Does `work` on what was committed by now, whatever a server writes meanwhile. */
async function asOfNow(database: string, work: (db: Db) => Promise<void> | void): Promise<void> {
  const db = openForReading(database);
  try {
    db.exec('BEGIN');
    await work(db);
  } finally {
    db.close();
  }
}
