/** `catp job`: scheduled jobs by name, also while the server runs. */
import type { Command } from 'commander';
import { OperatorError } from '../errors.ts';
import { nearest } from '../validation/text.ts';
import { folderCommand, say } from './folder-command.ts';
import { type ListFlags, printList, withJson } from './list.ts';
import { command } from './options.ts';

export function jobCommand(): Command {
  return command('job', 'tarefas periódicas')
    .addCommand(
      withJson(
        folderCommand<ListFlags>('list', 'lista as tarefas e seus horários (Brasília)', (open, flags) =>
          printList(
            open.jobs.map(({ name, pattern, about }) => ({ name, pattern: pattern ?? null, about })),
            {
              Nome: ({ name }) => name,
              'Horário (cron)': ({ pattern }) => pattern,
              'O que faz': ({ about }) => about,
            },
            flags,
          ),
        ),
      ),
    )
    .addCommand(
      folderCommand('run <nome>', 'executa uma tarefa agora', async (open, _, name) => {
        const { jobs } = open;
        const job = jobs.find((one) => one.name === name);
        if (job === undefined)
          throw unknownJob(
            name ?? '',
            jobs.map((one) => one.name),
          );
        say(JSON.stringify(await job.runOnce()));
      }),
    );
}

function unknownJob(name: string, known: readonly string[]): OperatorError {
  const near = nearest(name, known);
  const hint = near === undefined ? '' : ` Você quis dizer '${near}'?`;
  return new OperatorError(`Não existe a tarefa '${name}'.${hint} Conhecidas: ${known.join(', ')}.`);
}
