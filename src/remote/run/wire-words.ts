/** Builds the requests of a run in the terms of the specification, and reads their answers. */
import type { RemoteKind, Side } from '../compare/model.ts';
import { COMPARED_OPERATORS } from '../compare/operator.ts';
import { COMPARED_PRODUCTS } from '../compare/product.ts';
import { isObject } from '../../validation/json-value.ts';
import { foreignText } from '../../validation/text.ts';
import type { Comparable } from '../compare/side.ts';
import { codeOfKey } from '../forms.ts';
import type { Wire, WireAnswer, WireRequest } from '../wire/model.ts';
import type { Step, StepOperation } from './model.ts';

type NothingSent = Extract<WireAnswer, { kind: 'rest' | 'stopped' | 'tooLarge' }>;

/** Error: no request is allowed now. The step under way stays as it is. */
export class Interrupted extends Error {
  readonly answer: NothingSent;

  constructor(answer: NothingSent) {
    super(answer.reason);
    this.answer = answer;
  }
}

export interface Refusal {
  readonly status: number;
  readonly code: string | null;
  readonly message: string;
}

/** Error: the remote refuses a lookup. A repeat would be refused too, so a person must check the cause. */
export class LookupRefused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

const BASE = '/catp/api/ext';
const PATHS = { produto: `${BASE}/produto`, operador: `${BASE}/operador-estrangeiro` } as const;
const LISTS = { produto: 'listProducts', operador: 'listForeignOperators' } as const;
export const COMPARABLES: Readonly<Record<'produto' | 'operador', Comparable>> = {
  produto: COMPARED_PRODUCTS,
  operador: COMPARED_OPERATORS,
};

/** Returns the operation that reads the records of a kind in the remote. */
export const listOf = (kind: RemoteKind): string => (kind === 'vinculo' ? 'exportLinks' : LISTS[kind]);

/** Returns the operation that the hourly limit counts for a step. */
export function operationOf({ kind, operation }: Pick<Step, 'kind' | 'operation'>): string {
  if (kind === 'vinculo') return operation === 'link' ? 'linkManufacturer' : 'unlinkManufacturer';
  return OPERATIONS[operation as Exclude<StepOperation, 'link' | 'unlink'>][kind];
}

const OPERATIONS = {
  include: { produto: 'includeProduct', operador: 'includeForeignOperator' },
  newVersion: { produto: 'newProductVersion', operador: 'newForeignOperatorVersion' },
  deactivate: { produto: 'deactivateProduct', operador: 'deactivateForeignOperator' },
} as const;

/** Time until a read without an answer is repeated, in ms. */
const READ_AGAIN_MS = 5000;

/** Returns the remote records that a list filter finds. Throws `Interrupted`, `LookupRefused`. */
export async function listRemote(
  wire: Wire,
  kind: 'produto' | 'operador',
  filter: Readonly<Record<string, string>>,
  now: () => number,
): Promise<Side[]> {
  const withInactive = kind === 'operador' ? { exibirDesativados: 'true' } : {};
  const query = new URLSearchParams({ ...filter, ...withInactive });
  const answer = await wire.ask({
    operation: LISTS[kind],
    method: 'GET',
    path: `${PATHS[kind]}?${query}`,
    isList: true,
  });
  const { kind: answerKind } = answer;
  if (answerKind === 'rest' || answerKind === 'stopped' || answerKind === 'tooLarge')
    throw new Interrupted(answer);
  if (answerKind === 'answer' && answer.status >= 400)
    throw new LookupRefused(parseRefusal(answer.status, answer.body));
  const isList = answerKind === 'answer' && (answer.status === 204 || Array.isArray(answer.body));
  if (!isList) {
    const reason =
      answerKind === 'unknown' ? answer.reason : parseRefusal(answer.status, answer.body).message;
    const until = (answerKind === 'unknown' ? answer.until : undefined) ?? now() + READ_AGAIN_MS;
    throw new Interrupted({ kind: 'rest', operation: 'all', until, reason });
  }
  const items = Array.isArray(answer.body) ? (answer.body as unknown[]) : [];
  return items.filter(isObject).flatMap((item) => COMPARABLES[kind].readRemote(item) ?? []);
}

/** Returns the request of a step. `body`: the content, or the members of a link. */
export function requestOf(
  step: Step,
  cpfCnpjRaiz: string,
  { codigoPais = '', body }: { readonly codigoPais?: string; readonly body?: unknown },
): WireRequest {
  const { kind, operation, remoteKey, remoteVersao } = step;
  const request = { operation: operationOf(step), ...(body !== undefined && { body }) };
  if (kind === 'vinculo')
    return {
      ...request,
      method: operation === 'link' ? 'POST' : 'PUT',
      path: `${BASE}/fabricante/${cpfCnpjRaiz}`,
    };
  const parentPath = kind === 'produto' ? cpfCnpjRaiz : `${cpfCnpjRaiz}/${codigoPais}`;
  if (operation === 'include') return { ...request, method: 'POST', path: `${PATHS[kind]}/${parentPath}` };
  const codigo = encodeURIComponent(codeOfKey(kind, remoteKey ?? ''));
  if (operation === 'newVersion')
    return { ...request, method: 'PUT', path: `${PATHS[kind]}/${parentPath}/${codigo}` };
  const version = kind === 'produto' ? '' : `/${remoteVersao ?? ''}`;
  return { ...request, method: 'PUT', path: `${PATHS[kind]}/desativar/${parentPath}/${codigo}${version}` };
}

const textIn = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? foreignText(value) : null;

/** Returns the refusal in the remote's own words. */
export function parseRefusal(status: number, body: unknown): Refusal {
  const { message, code, detail } = isObject(body) ? body : {};
  const first = Array.isArray(detail) ? (detail as unknown[]).filter(isObject) : [];
  const messages = first.flatMap((problem) => textIn(problem['message']) ?? []);
  return {
    status,
    code: textIn(first[0]?.['code']) ?? textIn(code),
    message: messages.length > 0 ? foreignText(messages.join(' ')) : (textIn(message) ?? `status ${status}`),
  };
}

const IDENTICAL = 'produto idêntico';

/** Returns the product that a refusal names as identical. `undefined`: none. */
export function identicalProductOf({ message }: Refusal): string | undefined {
  const index = message.indexOf(IDENTICAL);
  return index === -1 ? undefined : /Código: (\d{1,10})/.exec(message.slice(index))?.[1];
}
