/** `catp user|company|representation|key`: manages accounts, also while the server runs. */
import { emptyText } from '../validation/not-recorded.ts';
import { type Command, Option } from 'commander';
import { COMMAND_LINE } from '../session/model.ts';
import { invitationPath } from '../session/passwords.ts';
import { accountSchemas, listedKey } from '../session/account-schemas.ts';
import { catalogueRules } from '../catalogue/rules.ts';
import { checked, folderCommand as sub, readingCommand, printLine } from './folder-command.ts';
import type { OpenFolder } from './open.ts';
import { command } from './command.ts';
import { type FolderFlags, folderWords } from './options.ts';
import { endOfDay, isDay, momentText } from '../validation/calendar.ts';
import { UsageError } from '../errors.ts';
import { DEFAULT_RIGHT, RIGHTS } from '../right.ts';
import { formatValue } from '../validation/format-value.ts';
import { checkNumbers } from './account-numbers.ts';
import { type ListFlags, listCommand, printList, withJson } from './list.ts';
import { printNextSteps } from './next-steps.ts';
import { addressOf, nginxMap } from './nginx-map.ts';
import type { Settings } from '../settings/config.ts';

export function userCommand(): Command {
  return command('user', 'usuários: pessoas, certificados de empresa e agentes públicos')
    .addCommand(
      listCommand('lista os usuários', ({ session }) => session.accounts.listUsers(), {
        'CPF ou CNPJ': ({ documento }) => documento,
        Nome: ({ nome }) => nome,
        Tipo: ({ tipo }) => tipo,
        Órgão: ({ orgao }) => orgao,
        'E-mail': ({ email }) => email,
        Administrador: ({ administrador }) => administrador,
      }),
    )
    .addCommand(
      sub<FolderFlags & { nome?: string; email?: string; publico?: string; administrador?: boolean }>(
        'add <documento>',
        'inclui ou altera um usuário (CPF ou CNPJ)',
        async (open, flags, documento = '') => {
          const { nome, email, publico, administrador } = flags;
          const { accounts } = open.session;
          const { User } = schemasOf(open);
          const user = checked(User, {
            documento,
            nome,
            tipo: publico === undefined ? (accounts.findUser(documento)?.tipo ?? 'PRIV') : 'PUBL',
            orgao: publico,
            email,
            administrador,
          });
          checkNumbers(open.settings, { documento });
          const stored = await accounts.putUser(user, COMMAND_LINE);
          printLine(`Usuário ${documento} gravado.`);
          printNextSteps([
            ...(stored.tipo === 'PUBL' || stored.administrador
              ? []
              : [
                  `Diga por quem atua: catp representation add ${documento} <cpfCnpjRaiz> ${folderWords(flags)}`,
                ]),
            `Dê uma chave de acesso: catp key add ${documento} ${folderWords(flags)}`,
          ]);
        },
      )
        .option('--nome <nome>', 'nome do usuário; obrigatório para um novo')
        .option('--email <endereço>', 'endereço para mensagens')
        .option('--publico <órgão>', 'agente público desse órgão')
        .option('--administrador', 'torna o usuário administrador desta instalação')
        .option('--no-administrador', 'deixa de ser administrador; sem nenhuma das duas opções, nada muda'),
    )
    .addCommand(
      sub<{ simular?: boolean }>(
        'import <arquivo>',
        'dá acesso às pessoas de uma lista (CSV ou XLSX com documento;nome;email;empresa;papel)',
        async (open, { simular = false }, file = '') =>
          (await import('./people-file.ts')).importPeople(open, file, simular),
        'Código de saída: 0 feito, 1 com linhas que falharam (as outras foram feitas)\nou recusado, 2 comando inválido.',
      ).option('--simular', 'confere cada linha e não grava nenhuma'),
    )
    .addCommand(
      sub(
        'invite <documento>',
        'convida a pessoa a definir sua senha; o endereço é mostrado uma só vez',
        async ({ session, settings }, _, documento = '') => {
          const invitation = await session.passwords.invite(documento, COMMAND_LINE);
          printLine(
            `${originOf(settings)}${invitationPath(invitation)}\nVale uma vez, até ${momentText(invitation.until)}. Entregue-o só à pessoa: ele não é mostrado de novo.`,
          );
        },
      ),
    )
    .addCommand(
      sub(
        'remove <documento>',
        'remove o usuário, suas chaves, representações e assinaturas',
        async (open, _, documento) => {
          const { accounts } = open.session;
          const hadAdministrator = accounts.hasAdministrator;
          await accounts.removeUser(documento ?? '', COMMAND_LINE, { mayBeLast: true });
          const isNowWithout = hadAdministrator && !accounts.hasAdministrator;
          printLine(
            `Usuário ${documento} removido.${isNowWithout ? ' Era o último administrador: ninguém administra esta instância até catp user add --administrador.' : ''}`,
          );
        },
      ),
    );
}

export function companyCommand(): Command {
  return command('company', 'empresas, cada uma com seu catálogo')
    .addCommand(
      withJson(
        readingCommand<ListFlags & { nginx?: true | string }>('list', 'lista as empresas', (open, flags) => {
          const companies = open.session.accounts.listCompanies();
          if (flags.nginx === undefined)
            return printList(
              companies,
              {
                'CPF/CNPJ raiz': ({ cpfCnpjRaiz }) => cpfCnpjRaiz,
                Nome: ({ nome }) => nome,
                CNPJ: ({ cnpj }) => cnpj,
              },
              flags,
            );
          const { host, porta } = open.settings;
          printLine(nginxMap(companies, flags.nginx === true ? addressOf(host, porta) : flags.nginx));
        }),
      ).addOption(
        new Option(
          '--nginx [destino]',
          'linhas de um map do nginx: cada cpfCnpjRaiz e o destino (padrão: host e porta da configuração)',
        ).conflicts('json'),
      ),
    )
    .addCommand(
      sub<FolderFlags & { nome?: string; cnpj?: string }>(
        'add <cpfCnpjRaiz>',
        'inclui ou altera uma empresa',
        async (open, flags, cpfCnpjRaiz) => {
          const { nome, cnpj } = flags;
          const { Company } = schemasOf(open);
          const company = checked(Company, { cpfCnpjRaiz, nome, cnpj });
          checkNumbers(open.settings, { cpfCnpjRaiz, cnpj });
          await open.session.accounts.putCompany(company, COMMAND_LINE);
          printLine(`Empresa ${cpfCnpjRaiz} gravada.`);
          printNextSteps([
            `Inclua quem atua por ela: catp user add <documento> --nome <nome> ${folderWords(flags)}`,
            `Registre que a representa: catp representation add <documento> ${cpfCnpjRaiz} ${folderWords(flags)}`,
          ]);
        },
      )
        .option('--nome <nome>', 'nome da empresa; obrigatório para uma nova')
        .option('--cnpj <número>', 'CNPJ completo da matriz'),
    )
    .addCommand(
      sub<{ nome?: string; cnpj?: string }>(
        'set <cpfCnpjRaiz>',
        'altera o nome ou o CNPJ de uma empresa que existe',
        async (open, { nome, cnpj }, cpfCnpjRaiz = '') => {
          if (nome === undefined && cnpj === undefined)
            throw new UsageError('Indique o que muda: --nome, --cnpj ou os dois.');
          const { Company } = schemasOf(open);
          const change = checked(Company, { cpfCnpjRaiz, nome, cnpj });
          checkNumbers(open.settings, { cnpj });
          const company = await open.session.accounts.setCompany(change, COMMAND_LINE);
          printLine(`Empresa ${company.cpfCnpjRaiz} alterada: ${company.nome}, CNPJ ${company.cnpj ?? '-'}.`);
        },
      )
        .option('--nome <nome>', 'o nome novo')
        .option('--cnpj <número>', 'o CNPJ completo da matriz'),
    )
    .addCommand(
      sub(
        'remove <cpfCnpjRaiz>',
        'remove uma empresa sem registros no catálogo e sem representações',
        async (open, _, cpfCnpjRaiz) => {
          await open.session.accounts.removeCompany(cpfCnpjRaiz ?? '', COMMAND_LINE);
          printLine(`Empresa ${cpfCnpjRaiz} removida.`);
        },
      ),
    );
}

export function representationCommand(): Command {
  const usage = '<documento> <cpfCnpjRaiz> [perfil]';
  const read = (open: OpenFolder, names: readonly (string | undefined)[], papel?: string) => {
    const [documento, cpfCnpjRaiz, perfil = 'IMPEXP'] = names;
    const { Representation } = schemasOf(open);
    return checked(Representation, { documento, cpfCnpjRaiz, perfil, ...(papel !== undefined && { papel }) });
  };
  return command(
    'representation',
    'quem atua por qual empresa, em que perfil (padrão IMPEXP), e com que papel',
  )
    .addCommand(
      listCommand('lista as representações', ({ session }) => session.accounts.listRepresentations(), {
        Usuário: ({ documento }) => documento,
        'CPF/CNPJ raiz': ({ cpfCnpjRaiz }) => cpfCnpjRaiz,
        Perfil: ({ perfil }) => perfil,
        Papel: ({ papel }) => papel,
      }),
    )
    .addCommand(
      sub<FolderFlags & { papel?: string }>(
        `add ${usage}`,
        'inclui uma representação, ou muda seu papel',
        async (open, flags, ...names) => {
          const { documento, cpfCnpjRaiz, perfil, papel } = await open.session.accounts.putRepresentation(
            read(open, names, flags.papel),
            COMMAND_LINE,
          );
          const suffix = papel === null ? '' : `, com o papel ${papel}`;
          printLine(`${documento} representa ${cpfCnpjRaiz} no perfil ${perfil}${suffix}.`);
        },
      ).option(
        '--papel <papel>',
        `${RIGHTS.join(', ')}; sem esta opção, mantém o atual, ou ${DEFAULT_RIGHT} para uma nova`,
      ),
    )
    .addCommand(
      sub(`remove ${usage}`, 'remove uma representação', async (open, _, ...names) => {
        await open.session.accounts.removeRepresentation(read(open, names), COMMAND_LINE);
        printLine('Representação removida.');
      }),
    );
}

export function keyCommand(): Command {
  return command('key', 'chaves de acesso')
    .addCommand(
      listCommand('lista as chaves, sem os segredos', keysOf, {
        'Client-Id': ({ clientId }) => clientId,
        Usuário: ({ documento }) => documento,
        'Criada em': ({ createdAt }) => createdAt,
        'Vence em': ({ expiresAt }) => expiresAt,
        'Último uso': (key) => key.lastUsedAt ?? emptyText(key, 'lastUsedAt', ''),
      }),
    )
    .addCommand(
      sub<{ expires?: string }>(
        'add <documento>',
        'cria uma chave; o segredo é mostrado uma só vez',
        async (open, { expires }, documento = '') => {
          const { clientId, clientSecret } = await open.session.accounts.addKey(
            { documento, expiresAt: expires === undefined ? null : lastMomentOf(expires) },
            COMMAND_LINE,
          );
          printLine(
            `Client-Id: ${clientId}\nClient-Secret: ${clientSecret}\nGuarde o segredo agora: ele não é mostrado de novo.`,
          );
        },
      ).option('--expires <dia>', 'último dia em que vale (yyyy-MM-dd), até o fim dele em Brasília'),
    )
    .addCommand(
      sub(
        'revoke <clientId>',
        'revoga uma chave, com efeito na próxima requisição',
        async (open, _, clientId) => {
          await open.session.accounts.revokeKey(clientId ?? '', COMMAND_LINE);
          printLine(`Chave ${clientId} revogada.`);
        },
      ),
    );
}

/** Returns the origin at which people reach the instance, if the settings contain it. */
function originOf({ 'servidor.endereco': address, host, porta, 'tls.porta': tlsPort }: Settings): string {
  if (address !== '') return address;
  return tlsPort === undefined ? `http://${addressOf(host, porta)}` : `https://${addressOf(host, tlsPort)}`;
}

const keysOf = ({ session }: OpenFolder) => session.accounts.listKeys().map(listedKey);

function lastMomentOf(day: string): number {
  if (!isDay(day)) throw new UsageError(`--expires: recebido ${formatValue(day)}; aceita um dia yyyy-MM-dd.`);
  return endOfDay(day) - 1;
}

const schemasOf = ({ settings }: OpenFolder) => accountSchemas(catalogueRules(settings));
