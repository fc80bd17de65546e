/**
 * `catp stubs`, and the messages of `catp dev --stubs` about its folder: stub answers from files (contract
 * section 22).
 */
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { NEIGHBOURS } from '../demo/neighbours/samples.ts';
import { StubFolder } from '../dev/stubs/folder.ts';
import { OperatorError, UsageError } from '../errors.ts';
import type { Logger } from '../log/log.ts';
import { reasonOf, systemCode } from '../system/errors.ts';
import { printLine } from './folder-command.ts';
import { command } from './command.ts';
import { quoted } from '../system/shell.ts';

const HELP = `Grava exemplos fictícios: a Duimp do evento dimp-registro-import, com dois itens
do catálogo de demonstração; um LPCO; uma lista do TABX. Arquivos que já existem
não mudam. O nome de cada arquivo é o caminho a que ele responde:
  duimp-api/api/ext/duimp/NÚMERO/1/itens.json  GET
  …/itens.POST.json  …/itens.404.json  …/itens.POST.201.json
  …/itens.headers.json  cabeçalhos da resposta, {"Nome": "valor"}
  _ como nome de pasta ou arquivo  qualquer segmento
  public/ como primeira pasta  sem os dois tokens; não faz parte do caminho`;

export function stubsCommand(): Command {
  return command('stubs', 'grava exemplos de outros módulos do Portal Único, para catp dev --stubs')
    .requiredOption('--to <pasta>', 'pasta em que grava, criada se não existir; nada nela é sobrescrito')
    .addHelpText('after', `\n${HELP}`)
    .action(({ to }: { readonly to: string }) => writeSamples(to));
}

function writeSamples(to: string): void {
  for (const [path, content] of NEIGHBOURS) {
    const isNew = writeNew(to, join(to, path), `${JSON.stringify(content, undefined, 2)}\n`);
    printLine(isNew ? `gravado: ${path}` : `já existia e ficou como estava: ${path}`);
  }
  printLine(`\nPara que respondam: catp dev --stubs ${quoted(to)}`);
}

/** Writes a new file. Returns false when the name exists, even as a dangling link. */
function writeNew(to: string, file: string, text: string): boolean {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST' && isFolder(dirname(file))) return false;
    if (systemCode(error) === undefined) throw error;
    throw new OperatorError(
      `--to: não é possível gravar em ${to} (${reasonOf(error)}). Indique outra pasta.`,
      {
        cause: error,
      },
    );
  }
}

const isFolder = (folder: string): boolean =>
  statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;

/** Throws when the path is not a readable folder. */
export function requireFolder(folder: string): void {
  try {
    readdirSync(folder);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    throw new UsageError(
      `--stubs: a pasta ${folder} não pode ser lida (${reasonOf(error)}). Para gravar uma com exemplos: catp stubs --to PASTA.`,
    );
  }
}

export function logStubs(log: Logger, folder: string): void {
  log.info('Outros módulos respondem pelos arquivos de {folder}.', { folder });
  const own = new StubFolder(folder).ownFolders();
  if (own.length > 0)
    log.warning('Em {folder}, {own} não responde: são caminhos do próprio catp.', {
      folder,
      own: own.join(', '),
    });
}
