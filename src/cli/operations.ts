/**
 * Calls operations of the API on an open data folder, in the name of the command line (contract section 16).
 * They pass the checks of the server's pipeline.
 */
import { folderStateOf, requireOwnFolder } from '../replica/folder-owner.ts';
import { Holdings } from '../http/holdings.ts';
import type { Operation, RawParams } from '../http/operation.ts';
import { Pipeline } from '../http/pipeline.ts';
import { COMMAND_LINE, type Caller, localOperator } from '../session/model.ts';
import { localDateTime } from '../validation/calendar.ts';
import type { OpenFolder } from './open.ts';

/** Returns all operations of the features, in the order of the document. */
export async function listOperations({ features }: OpenFolder): Promise<Operation<Caller>[]> {
  const { ON_DEMAND: onDemand } = await import('../assembly/on-demand.ts');
  return features.flatMap(({ operations, lateOperations }) => [
    ...(operations?.() ?? []),
    ...(lateOperations?.(onDemand) ?? []),
  ]);
}

/** Returns true for an operation that the command line may call. */
export const isCallable = ({ retired, authenticates, needsUser }: Operation<Caller>): boolean =>
  !retired && !authenticates && !needsUser;

/** Returns the caller in whose name commands send requests. It represents all companies. */
export function commandCaller({ session }: OpenFolder): Caller {
  const companies = session.accounts.listCompanies().map(({ cpfCnpjRaiz }) => cpfCnpjRaiz);
  return { ...localOperator(companies), documento: COMMAND_LINE, administrador: true };
}

/** Stops the work of this process on the folder, after the steps under way. Queued work stays queued. */
export const stopWork = ({ features }: OpenFolder): Promise<unknown> =>
  Promise.all(features.map(async ({ stop }) => stop?.(0)));

/**
 * Calls an operation. Throws its refusal. Work that continues after the answer is only queued: two processes
 * would do it twice, so the server of the folder does it.
 */
export async function callOperation(
  open: OpenFolder,
  operation: Operation<Caller>,
  request: Request,
  params: RawParams,
): Promise<Response> {
  if (operation.method !== 'GET') requireOwnFolder(open.folder.path, folderStateOf(open.folder.path));
  await stopWork(open);
  let refusal: { readonly error: unknown } | undefined;
  const { settings, clock, stopwatch } = open;
  const caller = commandCaller(open);
  const pipeline = new Pipeline<Caller>({
    authenticate: () => ({
      caller,
      administrator: caller,
      documento: COMMAND_LINE,
      renewedHeaders: () => ({}),
    }),
    countAccess: () => undefined,
    quotaOwnerOf: () => ({ user: COMMAND_LINE }),
    holdings: new Holdings(settings['servidor.simultaneas'], settings['corpo.memoria']),
    bodyLimit: settings['corpo.maximo'],
    notesUnknown: settings['corpo.desconhecidos'] === 'anotar',
    ambiente: settings.ambiente,
    localDateTime: () => localDateTime(clock.now()),
    stopwatch,
    onExchange: ({ error }) => {
      if (error !== undefined) refusal = { error };
    },
    serverHeaders: () => ({}),
  });
  const answer = await pipeline.run(operation, request, params);
  if (refusal !== undefined) throw refusal.error;
  return answer;
}
