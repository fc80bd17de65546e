/** Exact checks of the error body of contract section 3, and of the short one of section 2. */
import type { Reply } from '../support/app.ts';

const MEMBERS = ['message', 'code', 'field', 'path', 'tag', 'date', 'status', 'severity', 'detail', 'info'];
const SHORT_MEMBERS = ['status', 'message', 'code', 'tag', 'severity'];
const FACTS = ['attribute', 'suggestion', 'twin', 'missing'];
const PROBLEM_MEMBERS = ['message', 'code', 'field', 'path'];
const INFO_MEMBERS = ['mnemonico', 'ambiente', 'url', 'trackerId'];

const TYPE = 'application/json; charset=utf-8';
const CODE = /^(CATP|PLAT|CADA|APPL|PUCX)-ER\d{4}$/;
const TRACKER = /^[A-Z0-9]{10}$/;
const DATE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/;
const LONGEST_MESSAGE = 2000;
/** Content that no message may reveal: stacks, SQL, internal paths. */
const LEAK = /\bat \S+ \(|\.ts:\d|node_modules|SQLITE|\bSELECT \w|\bINSERT INTO\b|undefined|\[object /;

export interface Refused {
  readonly status: number;
  readonly mnemonico: string;
}

/** Returns the faults of the body of a refusal; empty when it is exactly the contract's. */
export function faultsOf(reply: Reply, { status, mnemonico }: Refused): string[] {
  if (reply.headers.get('content-type') !== TYPE)
    return [`Content-Type ${reply.headers.get('content-type')}`];
  const body = reply.json as Record<string, unknown>;
  return Object.keys(body).join() === SHORT_MEMBERS.join()
    ? [...shortFaults(body, status, mnemonico)]
    : [...longFaults(body, status, mnemonico)];
}

function* shortFaults(body: Record<string, unknown>, status: number, mnemonico: string): Generator<string> {
  if (status !== 422 || body['status'] !== 422) yield 'the short body is for 422 only';
  if (!/^(PUCX-ER01|PLAT-ER|CATP-ER19)/.test(String(body['code']))) yield `code ${String(body['code'])}`;
  if (!new RegExp(`^\\[${mnemonico}-[A-Z0-9]{10}\\]$`).test(String(body['tag'])))
    yield `tag ${String(body['tag'])}`;
  if (body['severity'] !== 'ERROR') yield 'severity';
  yield* messageFaults(body['message']);
}

function* longFaults(body: Record<string, unknown>, status: number, mnemonico: string): Generator<string> {
  const { message, code, field, path, tag, date, detail, severity } = body;
  if (Object.keys(body).join() !== MEMBERS.join()) yield `members ${Object.keys(body).join()}`;
  if (body['status'] !== status) yield `status ${String(body['status'])} in the body of a ${status}`;
  if (severity !== 'ERROR') yield `severity ${String(severity)}`;
  if (!CODE.test(String(code))) yield `code ${String(code)}`;
  if (!DATE.test(String(date))) yield `date ${String(date)}`;
  for (const one of [field, path])
    if (one !== null && typeof one !== 'string') yield 'field or path is no text';
  yield* messageFaults(message);

  const info = (body['info'] ?? {}) as Record<string, unknown>;
  if (Object.keys(info).join() !== INFO_MEMBERS.join()) yield `info ${Object.keys(info).join()}`;
  if (info['mnemonico'] !== mnemonico) yield `mnemonico ${String(info['mnemonico'])}, not ${mnemonico}`;
  if (!TRACKER.test(String(info['trackerId']))) yield `trackerId ${String(info['trackerId'])}`;
  if (tag !== `[${mnemonico}-${String(info['trackerId'])}]`) yield `tag ${String(tag)}`;
  if (typeof info['url'] !== 'string' || !info['url'].startsWith('/') || info['url'].includes('?'))
    yield `url ${String(info['url'])}`;

  if (!Array.isArray(detail)) yield 'detail is no list';
  else
    for (const problem of detail)
      yield* problemFaults(problem as Record<string, unknown>, mnemonico === 'APPL');
  if (status === 400 && !(Array.isArray(detail) && detail.length > 0)) yield 'a 400 without detail';
  if (status === 400 && code !== 'PUCX-ER0010') yield `code ${String(code)} of a 400`;
}

/**
 * Checks problems. Under `/appliance` a problem may name its subject; in operations of the specification it
 * never does.
 */
function* problemFaults({ about, ...problem }: Record<string, unknown>, isOurs: boolean): Generator<string> {
  if (Object.keys(problem).join() !== PROBLEM_MEMBERS.join())
    yield `members of a detail ${Object.keys(problem).join()}`;
  const facts = Object.keys(about ?? {});
  if (about !== undefined && (!isOurs || !facts.every((fact) => FACTS.includes(fact)) || facts.length === 0))
    yield `about of a detail ${JSON.stringify(about)}`;
  if (!CODE.test(String(problem['code']))) yield `code of a detail ${String(problem['code'])}`;
  yield* messageFaults(problem['message']);
}

function* messageFaults(message: unknown): Generator<string> {
  if (typeof message !== 'string' || message === '') yield 'no message';
  else if (message.length > LONGEST_MESSAGE) yield `a message of ${message.length} characters`;
  else if (LEAK.test(message.replaceAll(/"[^"]*"?/g, '')))
    yield `a message that reveals too much: ${message.slice(0, 200)}`;
}

/** Returns the module of a path (contract section 3). */
export function mnemonicOf(path: string): string {
  const [, first = ''] = /^\/([^/?]*)/.exec(path) ?? [];
  return { catp: 'CATP', portal: 'PLAT', cadatributos: 'CADA' }[first] ?? 'APPL';
}
