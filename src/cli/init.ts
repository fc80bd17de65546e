/** `catp init`: the first start of an instance (contract section 16). */
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { catalogueRules } from '../catalogue/rules.ts';
import { CONFIG_FILE, type Settings, settingWithin } from '../settings/config.ts';
import { readTokenKey } from '../db/folder.ts';
import { UsageError } from '../errors.ts';
import { PROFILE_PAGE, profileNote } from '../profile.ts';
import { accountSchemas } from '../session/account-schemas.ts';
import { reasonOf, systemCode } from '../system/errors.ts';
import { checked, printLine } from './folder-command.ts';
import { type FirstAccounts, makeInstance } from './instance.ts';
import { replaceKeys } from './new-keys.ts';
import { printNextSteps } from './next-steps.ts';
import { checkNumbers } from './account-numbers.ts';
import { command, folderFlags } from './command.ts';
import { type FolderFlags, configOf, folderWords, settingsFor, settingsWithoutFile } from './options.ts';
import { asOwner } from './owner.ts';
import { printTable } from './table.ts';

interface InitFlags extends FolderFlags {
  readonly perfil?: string;
  readonly empresa?: string;
  readonly nome?: string;
  readonly cnpj?: string;
  readonly admin?: string;
  readonly adminNome?: string;
  readonly newKeys?: true;
  readonly tokenKey?: string;
}

export function initCommand(): Command {
  const init = command('init', 'cria uma instância: pasta, chaves, catp.toml e o primeiro administrador');
  return asOwner(folderFlags(init, './catp-dados', 'pasta de dados a criar'))
    .option('--perfil <nome>', 'portal (padrão) ou especificacao; fica no catp.toml')
    .option('--empresa <cpfCnpjRaiz>', 'primeira empresa; exige --nome')
    .option('--nome <nome>', 'nome da empresa')
    .option('--cnpj <número>', 'CNPJ completo da matriz da empresa')
    .option('--admin <cpf>', 'primeiro administrador, com uma chave mostrada uma só vez; exige --admin-nome')
    .option('--admin-nome <nome>', 'nome do administrador')
    .option(
      '--token-key <arquivo>',
      'chave de tokens comum a várias instâncias, para que uma autenticação valha em todas: o catp.key de uma delas, ou um arquivo com 64 dígitos hexadecimais',
    )
    .option(
      '--new-keys',
      'cria só chaves novas, em uma pasta que perdeu as suas: as sessões terminam e os segredos de assinaturas e remotos são esvaziados',
    )
    .action((flags: InitFlags) => (flags.newKeys === true ? runNewKeys(flags) : runInit(flags)));
}

/**
 * A company's own server refuses what the public service would refuse, unless configured otherwise (contract
 * section 1).
 */
const DEFAULT_PROFILE = 'portal';

/**
 * Adds the profile. A profile of `--set` has priority, and so has an existing file with any profile.
 */
function withProfile(flags: InitFlags, isNewConfig: boolean): InitFlags {
  const isNamed = (flags.set ?? []).some(([name]) => name === 'perfil');
  const perfil = flags.perfil ?? (isNewConfig && !isNamed ? DEFAULT_PROFILE : undefined);
  return perfil === undefined ? flags : { ...flags, set: [...(flags.set ?? []), ['perfil', perfil]] };
}

async function runInit(received: InitFlags): Promise<void> {
  // Only the owner may read the created files.
  process.umask(0o077);
  const config = configOf(received);
  const isNewConfig = config === undefined || !exists(config);
  const flags = withProfile(received, isNewConfig);
  const settings = isNewConfig ? settingsWithoutFile(flags) : settingsFor(flags);
  const accounts = accountsOf(flags, settings);
  const { clientId, clientSecret } = await makeInstance({
    path: flags.data,
    settings,
    config: isNewConfig ? { file: config, given: settingsInFlags(flags) } : undefined,
    accounts,
    tokenKey: tokenKeyOf(flags),
  });
  printLine(
    `Instância criada em ${resolve(flags.data)}: pasta, chaves, banco de dados${isNewConfig ? ' e catp.toml' : ''}.`,
  );
  if (accounts.company !== undefined) printLine(`Empresa ${accounts.company.cpfCnpjRaiz} gravada.`);
  if (clientId !== undefined)
    printLine(
      `Administrador ${accounts.administrator?.documento} gravado.\nClient-Id: ${clientId}\nClient-Secret: ${clientSecret}\nGuarde o segredo agora: ele não é mostrado de novo.`,
    );
  printNextSteps(nextSteps(flags, settings, config ?? join(flags.data, CONFIG_FILE)));
}

/**
 * Checks the accounts before anything is created. Throws for a missing flag, then the API's refusal of the
 * values.
 */
function accountsOf({ empresa, nome, cnpj, admin, adminNome }: InitFlags, settings: Settings): FirstAccounts {
  if (empresa === undefined && (nome ?? cnpj) !== undefined)
    throw new UsageError('--nome e --cnpj são da empresa: falta --empresa.');
  if (empresa !== undefined && nome === undefined) throw new UsageError('--empresa exige --nome.');
  if ((admin === undefined) !== (adminNome === undefined))
    throw new UsageError('--admin e --admin-nome andam juntas: indique as duas.');
  const schemas = accountSchemas(catalogueRules(settings));
  const company =
    empresa === undefined ? undefined : checked(schemas.Company, { cpfCnpjRaiz: empresa, nome, cnpj });
  const administrator =
    admin === undefined
      ? undefined
      : checked(schemas.User, { documento: admin, nome: adminNome, tipo: 'PRIV' });
  checkNumbers(settings, { '--empresa': empresa, '--cnpj': cnpj, '--admin': admin });
  return {
    company,
    administrator: administrator && { ...administrator, administrador: true },
  };
}

/**
 * Resolves the settings' paths from the current folder: in the file they would be relative to the file's
 * folder.
 */
const settingsInFlags = ({ set = [] }: InitFlags): ReadonlyMap<string, string> =>
  new Map(set.map(([name, value]) => [name, settingWithin(process.cwd(), name, value)]));

/** Returns true also for a file without permission: reading it later reports the reason. */
function exists(file: string): boolean {
  try {
    statSync(file);
    return true;
  } catch (error) {
    return systemCode(error) !== 'ENOENT';
  }
}

/** Lists the next steps. `config`: the file that every command on the folder now reads. */
function nextSteps(flags: InitFlags, settings: Settings, config: string): readonly string[] {
  const words = folderWords(flags);
  const note = profileNote(settings.perfil);
  return [
    `Confira ${config}; o ambiente é ${settings.ambiente}, o perfil ${settings.perfil}${note === undefined ? '' : `: ${note}; leia ${PROFILE_PAGE}`}.`,
    `Inicie o servidor: catp serve ${words}
     Ele escuta em ${settings.host}, porta ${settings.porta}. Em 127.0.0.1 só esta máquina o alcança; para as outras, ponha TLS
     (tls.porta, tls.certificado, tls.chave) e host = "0.0.0.0" em catp.toml.`,
    ...(flags.admin === undefined
      ? [
          `Ninguém pode entrar ainda. Faça o primeiro administrador: catp user add <CPF> --nome <nome> --administrador ${words}
     e sua chave, que é mostrada uma só vez: catp key add <CPF> ${words}`,
        ]
      : []),
    `Cadastre empresas, usuários e chaves: catp company add, catp user add, catp representation add, catp key add, cada um com ${words}`,
    `Confira a instância: catp doctor ${words}. Toda noite é feita uma cópia de segurança em backups; guarde catp.key à parte.`,
  ];
}

/**
 * Reads the token key from a file, never from the command line: other users of the machine can read command
 * lines.
 */
function tokenKeyOf({ tokenKey }: InitFlags): Uint8Array | undefined {
  if (tokenKey === undefined) return undefined;
  if (/^[\w-]{32,}={0,2}$/.test(tokenKey) && !exists(tokenKey))
    throw new UsageError(
      '--token-key: recebido o que parece a própria chave; indique o arquivo em que ela está, que outros não leem.',
    );
  try {
    return readTokenKey(tokenKey);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    throw new UsageError(
      `--token-key: ${tokenKey} não pode ser lido (${reasonOf(error)}). Indique outro arquivo.`,
    );
  }
}

async function runNewKeys(flags: InitFlags): Promise<void> {
  const { subscriptions, remotes } = await replaceKeys(flags.data, settingsFor(flags), tokenKeyOf(flags));
  printLine(
    `Chaves novas em ${resolve(flags.data)}. As sessões abertas terminaram: cada usuário entra de novo.`,
  );
  if (remotes.length > 0) {
    printLine('Estes remotos perderam o segredo de acesso; um administrador o informa de novo (PUT):');
    printTable(remotes.map((remoto) => ({ remoto })));
  }
  if (subscriptions.length === 0) return printLine('Nenhuma assinatura perdeu segredos.');
  printLine(
    'Estas assinaturas perderam seus segredos; quem as criou os informa de novo ao editar a assinatura:',
  );
  printTable(subscriptions);
}
