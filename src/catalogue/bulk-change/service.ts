/**
 * Starts bulk changes of products (contract section 25): selects them, writes the items, and queues the
 * import.
 */
import type { Proposed } from '../../change.ts';
import type { Clock } from '../../clock.ts';
import type { AlsoWrite } from '../../idempotency/service.ts';
import { arrayText } from '../../reading/stream.ts';
import { malformed, notFound, unprocessable } from '../../errors.ts';
import { requireRight } from '../../session/guard.ts';
import type { Caller } from '../../session/model.ts';
import { violated } from '../codes.ts';
import type { ImportJob } from '../import/model.ts';
import type { Approval } from '../import/approval.ts';
import { refuseAwaiting } from '../import/awaiting.ts';
import type { ImportService } from '../import/service.ts';
import type { Reads } from '../../reading/pool.ts';
import { toPageFilter } from '../product/filter.ts';
import type { ProductListing } from '../product/page.ts';
import type { Products } from '../product/model.ts';
import type { Corrections } from '../sheet/corrections.ts';
import { type Expected, expectedIn } from '../brake.ts';
import { isOver, rightOf } from '../import/model.ts';
import { withCount } from '../../validation/text.ts';
import { CorrectedProducts } from './corrections.ts';
import {
  type ChangeInstructions,
  type ChangeRequest,
  type CorrectedInstructions,
  type changeRequestSchema,
  changeRequestProblems,
  parseChangeInstructions,
} from './change-request.ts';

/** The products, limited to the members that are checked before a change. */
export interface ProductsToChange extends Products {
  find(cpfCnpjRaiz: string, codigo: number): { readonly denominacao: string } | undefined;
}

/** The import that carries out the instructions. */
interface QueuedChange {
  readonly company: string;
  /** Id of the dry run whose rows are written. Absent: no dry run came before. */
  readonly source?: number;
  readonly proposal?: Proposed;
  readonly simular?: boolean;
  readonly expected: Expected;
  readonly alsoWrite: AlsoWrite | undefined;
}

const FILE_NAME = 'alteração de vários produtos';

export type ChangeService = ReturnType<typeof createChangeService>;

export function createChangeService({
  imports,
  products,
  listings,
  clock,
  schema,
}: {
  readonly imports: ImportService;
  readonly products: ProductsToChange;
  readonly listings: Reads<ProductListing>;
  readonly clock: Clock;
  readonly schema: () => ReturnType<typeof changeRequestSchema>;
}) {
  /** Queues the change. Returns the id of the import. Throws 400, 403, 404, 422, 503. */
  async function start(caller: Caller, request: ChangeRequest, alsoWrite?: AlsoWrite): Promise<number> {
    const { cpfCnpjRaiz, expected, from, simular = false } = request;
    requireRight(caller, cpfCnpjRaiz, rightOf('alteracao', simular));
    const problems = changeRequestProblems(request);
    if (problems.length > 0) throw malformed(problems);
    if (from !== undefined)
      return startFrom(caller, dryRun(caller, from, cpfCnpjRaiz), {
        expected: { all: expected },
        alsoWrite: (tx, id) => {
          imports.refuseProposed(from);
          alsoWrite?.(tx, id);
        },
      });
    return queue(caller, instructionsOf(request), chosenItems(caller, request), {
      company: cpfCnpjRaiz,
      simular,
      expected: { all: expected },
      alsoWrite,
    });
  }

  /** Queues the changes that a proposal showed. Throws 422. */
  function approve(
    caller: Caller,
    job: ImportJob,
    { proposal, expected, decide }: Approval,
  ): Promise<number> {
    return startFrom(caller, job, { proposal, expected, alsoWrite: decide });
  }

  function startFrom(
    caller: Caller,
    dryRun: ImportJob,
    change: Pick<QueuedChange, 'proposal' | 'expected' | 'alsoWrite'>,
  ) {
    const { id } = dryRun;
    const instructions = orderIn(dryRun);
    const { family } = imports;
    family.refuseCarriedOut(id);
    return queue(caller, instructions, shownItems(caller, id), {
      ...change,
      company: instructions.cpfCnpjRaiz,
      source: id,
      alsoWrite: (tx, newId) => {
        change.alsoWrite?.(tx, newId);
        family.refuseCarriedOut(id, newId);
      },
    });
  }

  function queue(
    caller: Caller,
    instructions: CorrectedInstructions,
    items: AsyncIterable<string | Uint8Array>,
    { company, source, proposal, simular = false, expected, alsoWrite }: QueuedChange,
  ): Promise<number> {
    const pedido = JSON.stringify(instructions);
    const importRequest = {
      kind: 'alteracao',
      changesMany: true,
      tipo: 'produto',
      modo: 'lote',
      fileName: FILE_NAME,
      simular,
      pedido,
    } as const;
    const braked = {
      ...importRequest,
      checkedItems: 'all',
      keyColumn: undefined,
      expected,
    } as const;
    return imports.startGenerated(
      caller,
      items,
      { ...importRequest, company, source, proposal },
      {
        judge: async (_written, storedFile) => {
          if (instructions.deactivate === true && !simular)
            await imports.refuseBraked(caller, braked, storedFile);
        },
        alsoWrite,
      },
    );
  }

  /** Queues the failed products again, with other values or unchanged. Throws 400, 403, 404, 422. */
  async function correct(
    caller: Caller,
    id: number,
    body: Corrections,
    alsoWrite?: AlsoWrite,
  ): Promise<number> {
    const job = find(caller, id);
    const instructions = orderIn(job);
    const { cpfCnpjRaiz: company } = instructions;
    const simular = body.simular === true;
    requireRight(caller, company, rightOf('alteracao', simular));
    if (!isOver(job.state) || job.forgotten !== 0) throw notCorrectable(job);
    const products = new CorrectedProducts(schema(), instructions, body.set);
    if (!simular) refuseAwaiting(job);
    const done = await imports.family.doneByOthers(job, simular);
    // A dry run changes nothing. The next dry run shows all products again, because `from` writes what it
    // shows.
    const items = products.items(imports.results(caller, id), job.simular && simular, done);
    products.check();
    done.refuseAllDone();
    const importRequest = {
      kind: 'correcao',
      changesMany: true,
      tipo: 'produto',
      modo: 'lote',
      fileName: FILE_NAME,
      simular,
      pedido: JSON.stringify(products.instructions()),
    } as const;
    const expected = expectedIn(body.expected);
    const braked = { ...importRequest, checkedItems: 'all', keyColumn: undefined, expected } as const;
    return imports.startGenerated(
      caller,
      textsOf(items),
      { ...importRequest, company, source: id },
      {
        judge: async (_written, storedFile) => {
          if (instructions.deactivate === true && !simular)
            await imports.refuseBraked(caller, braked, storedFile);
        },
        notices: () => [...products.notices(), ...done.notices(), ...notKeptNotices(job)],
        alsoWrite: (tx, newId) => {
          if (!simular) imports.refuseProposed(id);
          done.check(newId);
          alsoWrite?.(tx, newId);
        },
      },
    );
  }

  /** Throws 404, also for an import that the caller may not see. */
  function find(caller: Caller, id: number): ImportJob {
    return imports.find(caller, id);
  }

  /** Returns the instructions of an import that is a bulk change. */
  function orderIn(job: ImportJob): CorrectedInstructions {
    return parseChangeInstructions(imports.instructionsOf(job) ?? '');
  }

  /** Returns a finished dry run. Throws 404, 422. */
  function dryRun(caller: Caller, id: number, cpfCnpjRaiz: string): ImportJob {
    const job = imports.find(caller, id);
    if (job.changesMany !== true || job.company !== cpfCnpjRaiz)
      throw notFound(`Não existe alteração de vários produtos ${id} do catálogo de ${cpfCnpjRaiz}.`);
    refuseAwaiting(job);
    if (job.simular && job.state === 'done' && job.forgotten === 0) return job;
    const message = `a alteração ${id} não é uma simulação que terminou e guarda seus resultados; simule com simular=true, espere terminar e envie o id dela.`;
    throw unprocessable([violated('notADryRun', '/from', message)]);
  }

  async function* chosenItems(
    { documento: user }: Caller,
    { cpfCnpjRaiz, codigos, filter }: ChangeRequest,
  ): AsyncGenerator<string | Uint8Array> {
    if (codigos === undefined)
      return yield* listings.read(
        {
          kind: 'products',
          form: 'list',
          filter: toPageFilter({ ...filter, cpfCnpjRaiz }, clock.now()),
        },
        { user, company: cpfCnpjRaiz },
      );
    yield* arrayText(
      new Set(codigos).values().map((codigo) => ({
        codigo,
        denominacao: products.find(cpfCnpjRaiz, codigo)?.denominacao ?? null,
      })),
    );
  }

  /** Yields the changes that the dry run showed, as items. */
  async function* shownItems(caller: Caller, id: number): AsyncGenerator<string> {
    yield* arrayText(
      Iterator.from(imports.results(caller, id))
        .filter(({ changes }) => changes.length > 0)
        .map(({ codigo, name, changes }) => ({ codigo: Number(codigo), denominacao: name, seen: changes })),
    );
  }

  return { start, approve, correct, find };
}

const instructionsOf = ({
  cpfCnpjRaiz,
  set,
  links,
  deactivate,
  reactivate,
}: ChangeRequest): ChangeInstructions => ({
  cpfCnpjRaiz,
  ...(set && { set }),
  ...(links && { links }),
  ...(deactivate === true && { deactivate }),
  ...(reactivate === true && { reactivate }),
});

async function* textsOf(items: Iterable<object>): AsyncGenerator<string> {
  yield* arrayText(items);
}

/** Returns the notice for failed products whose results were not stored: the program does not know which. */
const notKeptNotices = ({ failedNotKept }: ImportJob): readonly string[] =>
  failedNotKept === 0
    ? []
    : [
        `${withCount(failedNotKept, 'produto recusado', 'produtos recusados')} de fora, porque seus motivos não são guardados (importacao.falhas); altere-os de novo.`,
      ];

function notCorrectable({ id, forgotten }: ImportJob) {
  const reason =
    forgotten === 0
      ? 'ainda não terminou; espere até que termine'
      : 'não guarda mais seus resultados; altere os produtos de novo';
  return unprocessable([violated('nothingToCorrect', null, `A alteração ${id} ${reason}.`)]);
}
