/** `catp remote runs`: lists finished and current transfers to and from remotes (contract section 18). */
import type { Command } from 'commander';
import { OperatorError } from '../errors.ts';
import { stepFormOf } from '../remote/run/forms.ts';
import { readingCommand, printLine } from './folder-command.ts';
import { companiesWith } from './known-companies.ts';
import { type ListFlags, printList, withJson } from './list.ts';
import type { OpenFolder } from './open.ts';
import { RUN_WORDS, localMomentText } from './run-display.ts';
import { stepRow } from './run-steps.ts';
import { printTable } from './table.ts';
import { integer } from './values.ts';

interface RunsFlags extends ListFlags {
  readonly empresa: string;
  readonly run?: number;
}

export const runsCommand = (): Command =>
  withJson(
    readingCommand<RunsFlags>(
      'runs',
      'lista os envios e as buscas de uma empresa, do mais novo ao mais antigo; com --run, os passos de um',
      (open, flags) => {
        companiesWith(open, flags.empresa);
        if (flags.run !== undefined) return printStepsOf(open, flags.run, flags);
        const { runs } = open.remote;
        const now = open.clock.now();
        const views = runs.list(flags.empresa).map((run) => runs.formOf(run, now));
        printList(
          views,
          {
            Número: ({ id }) => id,
            'O que': ({ direction }) => RUN_WORDS[direction].name,
            Remoto: ({ remote }) => remote,
            Estado: ({ state, simulated }) => (simulated ? `${state} (simulado)` : state),
            Passos: ({ total }) => total,
            Terminados: ({ done }) => done,
            Recusados: ({ refused }) => refused,
            Incertos: ({ uncertain }) => uncertain,
            Pedido: ({ at }) => localMomentText(at),
            'Descansa até': ({ restsUntil }) => (restsUntil === null ? null : localMomentText(restsUntil)),
            Motivo: ({ reason }) => reason,
          },
          flags,
        );
      },
    )
      .requiredOption('--empresa <cpfCnpjRaiz>', 'empresa')
      .option(
        '--run <n>',
        'os passos desse envio ou plano, na ordem de execução',
        integer('--run', 1, Number.MAX_SAFE_INTEGER),
      ),
  );

function printStepsOf({ remote: { runStore } }: OpenFolder, id: number, { empresa, json }: RunsFlags): void {
  if (runStore.find(id)?.cpfCnpjRaiz !== empresa)
    throw new OperatorError(`--run: a empresa ${empresa} não tem o envio ${id}. Veja os que tem, sem --run.`);
  const steps = runStore.steps(id, 0, -1); // without a limit
  if (json === true) printLine(JSON.stringify(steps.map(stepFormOf), undefined, 2));
  else printTable(steps.map(stepRow));
}
