/** `catp user|company|representation|key`: who is who, also while the server runs. */
import type { Command } from 'commander';
import { COMMAND_LINE } from '../session/model.ts';
import { accountSchemas } from '../session/account-schemas.ts';
import { catalogueRules } from '../catalogue/rules.ts';
import { checked, folderCommand as sub, say } from './folder-command.ts';
import type { OpenFolder } from './open.ts';
import { command } from './options.ts';
import { printTable } from './table.ts';
import { momentText } from '../validation/calendar.ts';

export function userCommand(): Command {
  return command('user', 'usuários: pessoas, certificados de empresa e agentes públicos')
    .addCommand(
      sub('list', 'lista os usuários', ({ session: { accounts } }) => printTable(accounts.listUsers())),
    )
    .addCommand(
      sub<{ nome: string; publico?: string; administrador?: true }>(
        'add <documento>',
        'inclui ou altera um usuário (CPF ou CNPJ)',
        async (open, { nome, publico, administrador }, documento) => {
          const tipo = publico === undefined ? 'PRIV' : 'PUBL';
          const { User } = schemasOf(open);
          const user = checked<typeof User.static>(User, {
            documento,
            nome,
            tipo,
            orgao: publico,
            administrador,
          });
          await open.session.accounts.putUser(
            { ...user, orgao: user.orgao ?? null, administrador: user.administrador ?? false },
            COMMAND_LINE,
          );
          say(`Usuário ${documento} gravado.`);
        },
      )
        .requiredOption('--nome <nome>', 'nome do usuário')
        .option('--publico <órgão>', 'agente público desse órgão')
        .option('--administrador', 'administra esta instalação'),
    )
    .addCommand(
      sub(
        'remove <documento>',
        'remove o usuário, suas chaves, representações e assinaturas',
        async (open, _, documento) => {
          await open.session.accounts.removeUser(documento ?? '', COMMAND_LINE);
          say(`Usuário ${documento} removido.`);
        },
      ),
    );
}

export function companyCommand(): Command {
  return command('company', 'empresas, cada uma com seu catálogo')
    .addCommand(
      sub('list', 'lista as empresas', ({ session: { accounts } }) => printTable(accounts.listCompanies())),
    )
    .addCommand(
      sub<{ nome: string; cnpj?: string }>(
        'add <cpfCnpjRaiz>',
        'inclui ou altera uma empresa',
        async (open, { nome, cnpj }, cpfCnpjRaiz) => {
          const { Company } = schemasOf(open);
          const company = checked<typeof Company.static>(Company, { cpfCnpjRaiz, nome, cnpj });
          await open.session.accounts.putCompany({ ...company, cnpj: company.cnpj ?? null }, COMMAND_LINE);
          say(`Empresa ${cpfCnpjRaiz} gravada.`);
        },
      )
        .requiredOption('--nome <nome>', 'nome da empresa')
        .option('--cnpj <número>', 'CNPJ completo da matriz'),
    );
}

export function representationCommand(): Command {
  const usage = '<documento> <cpfCnpjRaiz> [perfil]';
  const read = (open: OpenFolder, names: readonly (string | undefined)[]) => {
    const [documento, cpfCnpjRaiz, perfil = 'IMPEXP'] = names;
    const { Representation } = schemasOf(open);
    return checked<typeof Representation.static>(Representation, { documento, cpfCnpjRaiz, perfil });
  };
  return command('representation', 'quem atua por qual empresa, e em que perfil (padrão IMPEXP)')
    .addCommand(
      sub('list', 'lista as representações', ({ session: { accounts } }) =>
        printTable(accounts.listRepresentations()),
      ),
    )
    .addCommand(
      sub(`add ${usage}`, 'inclui uma representação', async (open, _, ...names) => {
        const { documento, cpfCnpjRaiz, perfil } = await open.session.accounts.putRepresentation(
          read(open, names),
          COMMAND_LINE,
        );
        say(`${documento} representa ${cpfCnpjRaiz} no perfil ${perfil}.`);
      }),
    )
    .addCommand(
      sub(`remove ${usage}`, 'remove uma representação', async (open, _, ...names) => {
        await open.session.accounts.removeRepresentation(read(open, names), COMMAND_LINE);
        say('Representação removida.');
      }),
    );
}

export function keyCommand(): Command {
  return command('key', 'chaves de acesso')
    .addCommand(
      sub('list', 'lista as chaves, sem os segredos', ({ session: { accounts } }) =>
        printTable(accounts.listKeys().map((key) => ({ ...key, createdAt: momentText(key.createdAt) }))),
      ),
    )
    .addCommand(
      sub(
        'add <documento>',
        'cria uma chave; o segredo é mostrado uma só vez',
        async (open, _, documento) => {
          const { clientId, clientSecret } = await open.session.accounts.addKey(
            documento ?? '',
            COMMAND_LINE,
          );
          say(
            `Client-Id: ${clientId}\nClient-Secret: ${clientSecret}\nGuarde o segredo agora: ele não é mostrado de novo.`,
          );
        },
      ),
    )
    .addCommand(
      sub(
        'revoke <clientId>',
        'revoga uma chave; vale já na próxima requisição',
        async (open, _, clientId) => {
          await open.session.accounts.revokeKey(clientId ?? '', COMMAND_LINE);
          say(`Chave ${clientId} revogada.`);
        },
      ),
    );
}

const schemasOf = ({ settings }: OpenFolder) => accountSchemas(catalogueRules(settings));
