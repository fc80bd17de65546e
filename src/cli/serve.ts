/** `catp serve`: the catalogue of record. */
import { inspectTrail } from '../audit/inspection.ts';
import { REAL_TIME, SECOND_MS, SystemClock } from '../clock.ts';
import type { Settings } from '../settings/config.ts';
import type { Core } from '../assembly/core.ts';
import { refuseMadeByDev } from '../db/folder-mark.ts';
import { type ServiceFlags, asWindowsService, serviceDefaults } from './as-windows-service.ts';
import { lockForServer } from './locked-folder.ts';
import type { PlainCommand } from './flag.ts';
import { type FolderFlags, flagSettings, flagsOfFolder, settingsFor } from './options.ts';
import { SERVER_FLAGS, SERVER_FLAG_SETTINGS, logProfile } from './server-flags.ts';
import { type ServeOptions, serve } from './serving.ts';
import { writeForOwner } from '../system/own-folder.ts';
import { Credentials } from '../tls/credentials.ts';
import type { ServiceControl } from '../windows/service-control.ts';

/**
 * The delay after a start before the whole trail is verified in the background, so that the first requests
 * are answered before.
 */
const INSPECTED_AFTER_MS = 5 * SECOND_MS;

/** Builds the command. `commands`: all of them, which the help pages list. */
export const serveCommand = (commands: ServeOptions['commands']): PlainCommand => ({
  name: 'serve',
  about: 'servidor do catálogo, configurado por catp.toml, CATP_* e opções',
  flags: [
    ...flagsOfFolder('./catp-dados', 'pasta de dados, feita por catp init'),
    { usage: '--host <endereço>', about: 'endereço em que o servidor escuta' },
    { usage: '--port <n>', about: 'porta HTTP (0 = qualquer livre)' },
    ...SERVER_FLAGS,
    // Part of the command line that `catp service install` gives to Windows.
    { usage: '--windows-service <nome>', about: 'nome do serviço que o iniciou', isHidden: true },
  ],
  run: (flags: FolderFlags & Partial<ServiceFlags>) => {
    const { windowsService } = flags;
    if (windowsService === undefined) return runServe(flags, commands);
    return asWindowsService({ ...flags, windowsService }, (manager) => runServe(flags, commands, manager));
  },
});

/** Returns true when a client can sign in: with a key or, if certificates are accepted, as any user. */
function canAnybodySignIn({ session: { accounts } }: Core, settings: Settings): boolean {
  const takesCertificates = settings['tls.clientes'] !== '';
  return accounts.hasKeys() || (takesCertificates && accounts.hasUsers());
}

async function runServe(
  flags: FolderFlags,
  commands: ServeOptions['commands'],
  manager?: ServiceControl,
): Promise<void> {
  const settings = settingsFor(
    flags,
    flagSettings({ ...flags }, SERVER_FLAG_SETTINGS),
    manager === undefined ? {} : serviceDefaults(flags.data),
  );
  const credentials = await Credentials.open(settings);
  // Files that the server writes are readable by its owner only.
  writeForOwner(flags.data);
  await serve({
    credentials,
    lockedFolder: await lockForServer(flags.data, settings, 'serve'),
    settings,
    clock: new SystemClock(),
    mode: 'serve',
    commands,
    ...(manager && { manager }),
    prepare: async ({ core }) => refuseMadeByDev(core.db, flags.data),
    onReady: (_addresses, { core }) => {
      logProfile(core.log, settings);
      REAL_TIME.after(INSPECTED_AFTER_MS, () => void inspectTrail(core));
      if (!canAnybodySignIn(core, settings))
        core.log.warning(
          'Ninguém pode entrar ainda: crie o primeiro administrador com catp user add <CPF> --nome <nome> --administrador --data {data}, e sua chave com catp key add <CPF> --data {data}.',
          { data: flags.data },
        );
    },
  });
}
