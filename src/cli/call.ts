/** `catp call`: any operation of the API by its name, on the data folder (contract section 16). */
import type { Command } from 'commander';
import { DomainError, UsageError } from '../errors.ts';
import { ACCEPTED, type Operation } from '../http/operation.ts';
import type { Caller } from '../session/model.ts';
import { describe } from '../validation/decode.ts';
import { formatValue } from '../validation/format-value.ts';
import { nearest } from '../validation/text.ts';
import { command, folderFlags } from './command.ts';
import { printLine } from './folder-command.ts';
import { companiesWith } from './known-companies.ts';
import { type OpenFolder, withFolder } from './open.ts';
import { type AnswerFlags, printAnswer, requireOutputFor } from './operation-answer.ts';
import { type Place, membersOf, operationRequest, takesBody } from './operation-request.ts';
import { callOperation, isCallable, listOperations } from './operations.ts';
import type { FolderFlags } from './options.ts';
import { asOwner } from './owner.ts';
import { printTable } from './table.ts';

interface CallFlags extends FolderFlags, AnswerFlags {
  readonly help?: true;
}

const HELP = `Sem operação, lista todas; catp call OPERAÇÃO --help mostra o que uma aceita.
nome=valor é um parâmetro, ou um membro do corpo; nome=@ARQUIVO lê o valor de um
arquivo, e o nome repetido faz uma lista. @ARQUIVO é o corpo inteiro: JSON, ou o
arquivo que a operação recebe; @- é a entrada padrão. Em um terminal a resposta
é uma tabela; em um pipe, ou com --json, é o JSON da API. O que não é JSON vai
para --to ou para um pipe. Uma resposta sem corpo é [].`;

const PLACE_WORDS: Readonly<Record<Place, string>> = {
  path: 'caminho',
  query: 'consulta',
  header: 'cabeçalho',
  body: 'corpo',
};

export function callCommand(): Command {
  const call = command('call', 'chama uma operação da API, também com o servidor em execução')
    .helpOption(false)
    .argument('[operacao]', 'o operationId')
    .argument('[membros...]', 'nome=valor, nome=@ARQUIVO ou @ARQUIVO')
    .option('--json', 'imprime em JSON')
    .option('--to <arquivo>', 'grava a resposta nesse arquivo')
    .addHelpText('after', `\n${HELP}`);
  return asOwner(folderFlags(call))
    .option('-h, --help', 'mostra esta ajuda, ou a da operação')
    .action(async (id: string | undefined, memberWords: readonly string[], flags: CallFlags) => {
      if (flags.help === true && id === undefined) return call.outputHelp();
      // A folder of another machine is read in a copy. `callOperation` refuses changes of it.
      await withFolder(flags, (open) => callOrList(open, flags, id, memberWords), { readsOnly: true });
    });
}

async function callOrList(
  open: OpenFolder,
  flags: CallFlags,
  id: string | undefined,
  words: readonly string[],
): Promise<void> {
  const all = await listOperations(open);
  const operations = all.filter(isCallable);
  if (id === undefined) return list(operations, flags);
  const operation = operations.find((one) => one.id === id);
  if (operation === undefined) throw unknownOperation(all, operations, id);
  if (flags.help === true) return explain(operation);
  const { request, params } = await operationRequest(operation, words, open.settings['corpo.maximo']);
  requireOutputFor(operation.produces, flags);
  const answer = await callOperation(open, operation, request, params).catch((error: unknown) => {
    const company = params['cpfCnpjRaiz'] ?? new URL(request.url).searchParams.get('cpfCnpjRaiz');
    // The API reports a missing representation. The command line needs none, so the company itself is missing.
    if (error instanceof DomainError && error.kind === 'forbidden' && company !== null)
      companiesWith(open, company, 'cpfCnpjRaiz');
    throw error;
  });
  await printAnswer(answer, flags);
  if (answer.status === ACCEPTED)
    process.stderr.write('catp: o trabalho está na fila; o servidor desta pasta (catp serve) o faz.\n');
}

function list(operations: readonly Operation<Caller>[], { json }: CallFlags): void {
  if (json === true || !process.stdout.isTTY) {
    const listed = operations.map(({ id, method, path, summary }) => ({ id, method, path, summary }));
    return printLine(JSON.stringify(listed, undefined, 2));
  }
  printTable(operations.map(({ id, summary }) => ({ Operação: id, 'O que faz': summary })));
}

function unknownOperation(
  all: readonly Operation<Caller>[],
  operations: readonly Operation<Caller>[],
  id: string,
): UsageError {
  if (all.some((operation) => operation.id === id && !operation.retired))
    return new UsageError(
      `call: a operação ${id} é de quem entra com uma chave ou um certificado, e a linha de comando não entra. Chame-a no servidor.`,
    );
  const near = nearest(
    id,
    operations.map((operation) => operation.id),
  );
  const hint = near === undefined ? '' : ` Você quis dizer ${near}?`;
  return new UsageError(`call: não existe a operação ${formatValue(id)}.${hint} Veja catp call.`);
}

/** Prints the purpose of an operation, its members, and its body. */
function explain(operation: Operation<Caller>): void {
  const { id, method, path, summary, description, example, accepts } = operation;
  const members = membersOf(operation);
  const words = members.flatMap(({ name, isRequired }) => (isRequired ? [`${name}=…`] : []));
  printLine(`${summary} (${method} ${path}).${description === undefined ? '' : `\n${description}`}`);
  printLine(`\nUso: ${['catp call', id, ...words].join(' ')}\n`);
  if (members.length > 0)
    printTable(
      members.map(({ name, place, schema, isRequired }) => ({
        Nome: name,
        Onde: PLACE_WORDS[place],
        Obrigatório: isRequired,
        Aceita: schema.format === 'binary' ? `um arquivo: ${name}=@ARQUIVO` : describe(schema),
      })),
    );
  if (!takesBody(operation)) return;
  printLine(`\nO corpo inteiro, em vez de seus membros: @ARQUIVO (${bodyTypes(accepts)}).`);
  if (example !== undefined) printLine(`Por exemplo:\n${JSON.stringify(example, undefined, 2)}`);
}

const bodyTypes = (accepts: readonly string[]): string => {
  const types = accepts.filter((type) => type !== 'multipart/form-data');
  return types.length === 0 ? 'application/json' : types.join(', ');
};
