/** `catp remote send` and `catp remote runs`: what would be sent to a remote, step by step (contract section 18). */
import type { Command } from 'commander';
import { OperatorError, UsageError } from '../errors.ts';
import type { RemoteKind } from '../remote/compare/model.ts';
import { KIND_WORDS } from '../remote/records.ts';
import { RUN_KINDS, type Run, SENDABLE_STATES } from '../remote/run/model.ts';
import { shown } from '../validation/shown.ts';
import { folderCommand, say } from './folder-command.ts';
import { companiesWith } from './known-companies.ts';
import { type ListFlags, printList, withJson } from './list.ts';
import type { OpenFolder } from './open.ts';
import { printTable } from './table.ts';
import { integer } from './values.ts';

interface SendFlags {
  readonly empresa: string;
  readonly only?: readonly RemoteKind[];
  readonly states?: readonly (typeof SENDABLE_STATES)[number][];
  readonly maxDeactivations?: number;
  readonly simular?: true;
}

const DEACTIVATIONS_MOST = 1_000_000_000;

/** Several words, separated by commas. */
const words =
  <const T extends string>(name: string, accepted: readonly T[]) =>
  (text: string): T[] =>
    text.split(',').map((word) => {
      const found = accepted.find((one) => one === word);
      if (found === undefined)
        throw new UsageError(`${name}: recebido ${shown(word)}; aceita ${accepted.join(', ')}.`);
      return found;
    });

export const sendCommand = (): Command =>
  folderCommand<SendFlags>(
    'send <nome>',
    'mostra, passo por passo, o que seria enviado pela comparação mais nova; o servidor envia',
    (open, flags, name = '') => send(open, name, flags),
  )
    .requiredOption('--empresa <cpfCnpjRaiz>', 'empresa')
    .option('--only <tipos>', `só estes tipos: ${RUN_KINDS.join(',')}`, words('--only', RUN_KINDS))
    .option(
      '--states <estados>',
      `só estes estados: ${SENDABLE_STATES.join(',')}`,
      words('--states', SENDABLE_STATES),
    )
    .option(
      '--max-deactivations <n>',
      'quantos produtos e operadores podem ser desativados (padrão: o maior de 10 e 5% dos ativos)',
      integer('--max-deactivations', 0, DEACTIVATIONS_MOST),
    )
    .option('--simular', 'só mostra; nada é enviado');

async function send(open: OpenFolder, name: string, flags: SendFlags): Promise<void> {
  const { empresa, only: kinds, states, maxDeactivations, simular } = flags;
  companiesWith(open, empresa);
  if (simular !== true)
    throw new OperatorError(
      'remote send: o comando só mostra os passos (--simular). Para enviar, peça ao servidor: POST /appliance/api/comparisons/{id}/runs com {"direction": "send"}.',
    );
  const { runs } = open.remote;
  const run = await runs.make(name, empresa, {
    ...{ direction: 'send', simulate: true },
    ...(kinds !== undefined && { kinds: [...kinds] }),
    ...(states !== undefined && { states: [...states] }),
    ...(maxDeactivations !== undefined && { maxDeactivations }),
  });
  say(`Envio ${run.id}, simulado, da comparação ${run.comparisonId}`);
  printTable(
    runs.counts(run).map(({ kind, operation, outcome, count }) => ({
      Tipo: KIND_WORDS[kind],
      Passo: operation,
      Estado: outcome === 'pending' ? 'a enviar' : outcome,
      Registros: count,
    })),
  );
  sayNotSent(run);
}

function sayNotSent({ notSent }: Run): void {
  if (notSent === null) return;
  const { drafts, pastVersions, concessionActs } = notSent;
  say(
    `Nunca são enviados: rascunhos (${drafts}), versões passadas (${pastVersions}), atos concessórios (${concessionActs}).`,
  );
}

export const runsCommand = (): Command =>
  withJson(
    folderCommand<ListFlags & { readonly empresa: string }>(
      'runs',
      'lista os envios de uma empresa, do mais novo para o mais antigo',
      (open, flags) => {
        companiesWith(open, flags.empresa);
        const { runs } = open.remote;
        const now = open.clock.now();
        const told = runs.list(flags.empresa).map((run) => runs.told(run, now));
        printList(
          told,
          {
            Envio: ({ id }) => id,
            Remoto: ({ remote }) => remote,
            Estado: ({ state, simulated }) => (simulated ? `${state} (simulado)` : state),
            Passos: ({ total }) => total,
            Terminados: ({ done }) => done,
            Recusados: ({ refused }) => refused,
            Incertos: ({ uncertain }) => uncertain,
            Pedido: ({ at }) => at,
          },
          flags,
        );
      },
    ).requiredOption('--empresa <cpfCnpjRaiz>', 'empresa'),
  );
