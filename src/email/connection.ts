/** Reads the connection to the e-mail server from the settings `email.*`. */
import { UsageError } from '../errors.ts';
import { readAuthorities } from '../settings/authorities.ts';
import type { Settings } from '../settings/config.ts';
import type { MailSender, MailServer } from '../settings/setting-kinds.ts';
import { readSmallText } from '../system/bounded-file.ts';
import { reasonOf } from '../system/errors.ts';

export interface EmailConnection {
  readonly server: MailServer;
  /** `undefined`: the server requires no sign-in. */
  readonly login: { readonly user: string; readonly pass: string } | undefined;
  readonly sender: MailSender;
  /** PEM of roots that are trusted in addition to those of the runtime. */
  readonly ca: readonly string[];
  /** The address of this instance in links. */
  readonly address: string;
}

/** Returns `undefined` if no server is set. Throws `UsageError` for settings that contradict each other. */
export function emailConnection(settings: Settings): EmailConnection | undefined {
  const server = settings['email.servidor'];
  if (server === undefined) return undefined;
  const sender = settings['email.remetente'];
  const address = settings['servidor.endereco'];
  if (sender === undefined)
    throw new UsageError(
      'email.servidor pede email.remetente: de quem são os e-mails, por exemplo Catálogo <catalogo@empresa.exemplo>.',
    );
  if (address === '')
    throw new UsageError(
      'email.servidor pede servidor.endereco: o endereço pelo qual as pessoas chegam a esta instância, para os links dos e-mails.',
    );
  return { server, sender, address, login: loginOf(settings), ca: readAuthorities(settings, 'email.ca') };
}

function loginOf(settings: Settings): EmailConnection['login'] {
  const [user, file] = [settings['email.usuario'], settings['email.segredo']];
  if ((user === '') !== (file === ''))
    throw new UsageError(
      user === ''
        ? 'email.segredo pede email.usuario, de quem é a senha. Informe os dois, ou nenhum.'
        : 'email.usuario pede email.segredo, o arquivo com sua senha. Informe os dois, ou nenhum.',
    );
  return user === '' ? undefined : { user, pass: passwordIn(file) };
}

function passwordIn(file: string): string {
  let pass: string;
  try {
    pass = readSmallText(file).replace(/\r?\n$/, '');
  } catch (error) {
    throw new UsageError(
      `email.segredo: o arquivo ${file} não pode ser lido (${reasonOf(error)}). Indique um arquivo com a senha em uma linha.`,
      { cause: error },
    );
  }
  if (!/^\P{Cc}{1,1000}$/u.test(pass))
    throw new UsageError(
      `email.segredo: o arquivo ${file} não tem uma senha em uma linha, de 1 a 1000 caracteres. Corrija-o.`,
    );
  return pass;
}
