/** `catp remote runs`: what was sent to remotes and fetched from them, and what is under way (contract section 18). */
import type { Command } from 'commander';
import { folderCommand } from './folder-command.ts';
import { companiesWith } from './known-companies.ts';
import { type ListFlags, printList, withJson } from './list.ts';
import { RUN_WORDS, momentTold } from './run-display.ts';

export const runsCommand = (): Command =>
  withJson(
    folderCommand<ListFlags & { readonly empresa: string }>(
      'runs',
      'lista os envios e as buscas de uma empresa, dos mais novos para os mais antigos',
      (open, flags) => {
        companiesWith(open, flags.empresa);
        const { runs } = open.remote;
        const now = open.clock.now();
        const told = runs.list(flags.empresa).map((one) => runs.told(one, now));
        printList(
          told,
          {
            Número: ({ id }) => id,
            'O que': ({ direction }) => RUN_WORDS[direction].name,
            Remoto: ({ remote }) => remote,
            Estado: ({ state, simulated }) => (simulated ? `${state} (simulado)` : state),
            Passos: ({ total }) => total,
            Terminados: ({ done }) => done,
            Recusados: ({ refused }) => refused,
            Incertos: ({ uncertain }) => uncertain,
            Pedido: ({ at }) => momentTold(at),
            'Descansa até': ({ restsUntil }) => (restsUntil === null ? null : momentTold(restsUntil)),
            Motivo: ({ reason }) => reason,
          },
          flags,
        );
      },
    ).requiredOption('--empresa <cpfCnpjRaiz>', 'empresa'),
  );
