/**
 * `catp openapi`: prints the API document as a server with these settings would serve it at `/openapi.json`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { createApp } from '../assembly/app.ts';
import { SystemClock, monotonicMs } from '../clock.ts';
import type { Settings } from '../settings/config.ts';
import { openFolder } from '../db/folder.ts';
import { silentLog } from '../log/log.ts';
import { command, folderFlags } from './command.ts';
import { type FolderFlags, flagSettings, settingsFor } from './options.ts';
import type { ServeOptions } from './serving.ts';
import { writeCompleteFile } from './complete-file.ts';

interface OpenApiFlags extends FolderFlags {
  readonly dev?: true;
  readonly to?: string;
}

/** Builds the command. `commands`: all commands, as a server takes them. */
export function openApiCommand(commands: ServeOptions['commands']): Command {
  const openapi = command('openapi', 'imprime o documento da API (OpenAPI 3.1), sem servidor e sem pasta');
  return folderFlags(openapi, './catp-dados', 'pasta cuja configuração vale; não precisa existir')
    .option('--perfil <nome>', 'especificacao ou portal')
    .option('--dev', 'inclui as operações que só catp dev tem')
    .option('--to <arquivo>', 'arquivo a gravar (padrão: a saída padrão)')
    .action((flags: OpenApiFlags) => print(flags, commands));
}

async function print(flags: OpenApiFlags, commands: ServeOptions['commands']): Promise<void> {
  const settings = settingsFor(flags, flagSettings({ ...flags }, { perfil: 'perfil' }));
  const mode = flags.dev === true ? 'dev' : 'serve';
  const content = await documentText(settings, mode, commands);
  if (flags.to === undefined) process.stdout.write(content);
  else await writeCompleteFile('--to', flags.to, content);
}

/** Requests the document from the app on a temporary folder, so that it equals the served one. */
async function documentText(
  settings: Settings,
  mode: 'dev' | 'serve',
  commands: ServeOptions['commands'],
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'catp-openapi-'));
  try {
    const app = await createApp({
      folder: openFolder(folder),
      settings,
      mode,
      commands,
      clock: new SystemClock(),
      stopwatch: monotonicMs,
      log: silentLog(),
    });
    try {
      const answer = await app.fetch(new Request('http://localhost/openapi.json'));
      return `${JSON.stringify(await answer.json(), undefined, 2)}\n`;
    } finally {
      await app.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
