/**
 * `catp seed`: an invented catalogue of any size. The same seed gives the same catalogue (contract section
 * 15).
 */
import type { Command } from 'commander';
import { REAL_TIME, SECOND_MS } from '../clock.ts';
import { lockFolder } from '../db/lock.ts';
import { isDataFolder, withUsableFolder } from '../db/folder.ts';
import { seedBasics } from '../demo/seed.ts';
import { Sower, type Sown } from '../demo/seeding/seeding.ts';
import { fillFirst, isFilled, isHalfFilled } from '../dev/reset.ts';
import { OperatorError, UsageError } from '../errors.ts';
import { formatValue } from '../validation/format-value.ts';
import { withCount } from '../validation/text.ts';
import { SEED_DOMAIN, isSeed } from './chaos.ts';
import { companiesWith } from './known-companies.ts';
import { printLine } from './folder-command.ts';
import { type OpenFolder, withFolder } from './open.ts';
import { command, folderFlags } from './command.ts';
import type { FolderFlags } from './options.ts';
import { integer } from './values.ts';

interface SeedFlags extends FolderFlags {
  readonly products: number;
  readonly operators: number;
  readonly links: number;
  readonly seed: string;
  readonly empresa: string;
}

const RECORDS_MAX = 1_000_000;

const HELP = `A mesma semente gera o mesmo catálogo: nomes, NCMs e atributos da tabela de
demonstração, várias versões, rascunhos e desativados. Uma pasta nova recebe os
usuários e a tabela de catp dev, sem o catálogo de demonstração; em uma pasta
criada por catp dev, os registros se somam aos existentes, também com o servidor
em execução. A pasta de um catp serve é recusada.`;

export function seedCommand(): Command {
  const seed = command('seed', 'gera um catálogo fictício, de qualquer tamanho, para testes').addHelpText(
    'after',
    `\n${HELP}`,
  );
  return folderFlags(seed, './catp-dev', 'pasta de catp dev, criada se não existir')
    .option('--products <n>', `produtos, até ${RECORDS_MAX}`, integer('--products', 0, RECORDS_MAX), 100)
    .option('--operators <n>', 'operadores estrangeiros', integer('--operators', 0, RECORDS_MAX), 20)
    .option('--links <n>', 'vínculos com fabricantes', integer('--links', 0, RECORDS_MAX), 50)
    .option('--seed <semente>', 'número ou texto que determina o catálogo gerado', '1')
    .option('--empresa <cpfCnpjRaiz>', 'empresa que recebe o catálogo', '12345678')
    .action((flags: SeedFlags) => runSeed(flags));
}

async function runSeed(flags: SeedFlags): Promise<void> {
  const { products, operators, links } = flags;
  if (links > 0 && products === 0)
    throw new UsageError('--links: os vínculos são de produtos gerados; informe também --products.');
  const { seed, empresa: cpfCnpjRaiz, data } = flags;
  if (!isSeed(seed)) throw new UsageError(`--seed: recebido ${formatValue(seed)}; aceita ${SEED_DOMAIN}.`);
  const startedAt = REAL_TIME.now();
  const isNew = !isDataFolder(data);
  const work = async (open: OpenFolder): Promise<Sown> => {
    // A running server shares the folder with this command. Without one, the lock keeps a server from
    // starting meanwhile.
    using lock = withUsableFolder(data, () => lockFolder(data));
    await prepare(open, data, isNew);
    companiesWith(open, cpfCnpjRaiz);
    return await new Sower(open, {
      cpfCnpjRaiz,
      seed,
      products,
      operators,
      links,
      isAlone: lock !== undefined,
      onProgress: progress(products + operators + links),
    }).sow();
  };
  const sown = await withFolder(flags, work, { create: isNew });
  report(flags, sown, (REAL_TIME.now() - startedAt) / SECOND_MS);
}

/** Fills a new folder with users and a table. Refuses a folder that `catp dev` did not create. */
async function prepare(open: OpenFolder, data: string, isNew: boolean): Promise<void> {
  if (isFilled(open.db)) return;
  if (!isNew && !isHalfFilled(open.db))
    throw new OperatorError(
      `A pasta ${data} não foi criada por catp dev, e só uma dessas recebe um catálogo fictício. Use outra com --data.`,
    );
  await fillFirst(open, () => seedBasics(open));
}

/** Shows progress in one line on a terminal, and no progress if the output is no terminal. */
function progress(total: number): (done: number) => void {
  if (!process.stderr.isTTY) return () => undefined;
  return (done) => void process.stderr.write(`\r${done} de ${total}${done === total ? '\n' : ''}`);
}

const versions = (number: number): string => withCount(number, 'versão', 'versões');

function report({ seed, data, empresa }: SeedFlags, sown: Sown, seconds: number): void {
  const { products, productVersions, drafts, deactivatedProducts } = sown;
  const { operators, operatorVersions, deactivatedOperators, links } = sown;
  printLine(
    [
      `catp seed: semente ${seed}, empresa ${empresa}, em ${data} (${seconds.toFixed(1).replace('.', ',')} s)`,
      `  produtos: ${products}, em ${versions(productVersions)}; ${withCount(drafts, 'rascunho')}, ${withCount(deactivatedProducts, 'desativado')}`,
      `  operadores estrangeiros: ${operators}, em ${versions(operatorVersions)}; ${withCount(deactivatedOperators, 'desativado')}`,
      `  vínculos: ${links}`,
    ].join('\n'),
  );
}
