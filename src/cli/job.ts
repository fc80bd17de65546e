/** `catp job`: scheduled jobs by name, also while the server runs. */
import type { Command } from 'commander';
import { OperatorError } from '../errors.ts';
import { nearest } from '../validation/text.ts';
import { folderCommand, printLine } from './folder-command.ts';
import { listCommand } from './list.ts';
import type { OpenFolder } from './open.ts';
import { command } from './command.ts';

export function jobCommand(): Command {
  return command('job', 'tarefas periódicas')
    .addCommand(
      listCommand('lista as tarefas e seus horários (Brasília)', jobsOf, {
        Nome: ({ name }) => name,
        'Horário (cron)': ({ pattern }) => pattern,
        'O que faz': ({ about }) => about,
      }),
    )
    .addCommand(
      folderCommand('run <nome>', 'executa uma tarefa agora', async ({ jobs }, _, name = '') => {
        const job = jobs.find((one) => one.name === name);
        if (job === undefined)
          throw unknownJob(
            name,
            jobs.map((one) => one.name),
          );
        printLine(JSON.stringify(await job.runOnce()));
      }),
    );
}

const jobsOf = ({ jobs }: OpenFolder) =>
  jobs.map(({ name, pattern, about }) => ({ name, pattern: pattern ?? null, about }));

function unknownJob(name: string, known: readonly string[]): OperatorError {
  const near = nearest(name, known);
  const hint = near === undefined ? '' : ` Você quis dizer '${near}'?`;
  return new OperatorError(`Não existe a tarefa '${name}'.${hint} Conhecidas: ${known.join(', ')}.`);
}
