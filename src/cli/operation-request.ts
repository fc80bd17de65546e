/** Builds the request of an operation from the words of a command line (contract section 16). */
import { basename } from 'node:path';
import { UsageError } from '../errors.ts';
import type { Operation, RawParams } from '../http/operation.ts';
import type { Caller } from '../session/model.ts';
import { BeyondLimit, readLargeFileUpTo } from '../system/bounded-file.ts';
import { reasonOf, systemCode } from '../system/errors.ts';
import { describe } from '../validation/decode.ts';
import { type Schema, asSchema } from '../validation/schema.ts';
import { formatValue } from '../validation/format-value.ts';
import { nearest } from '../validation/text.ts';

/** The parts of a request that hold members, in the order in which a name is looked up. */
const PLACES = ['path', 'query', 'header', 'body'] as const;
export type Place = (typeof PLACES)[number];

export interface OperationMember {
  readonly name: string;
  readonly place: Place;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

/** Returns the parameters of an operation and the top members of its body. */
export function membersOf(operation: Operation<Caller>): OperationMember[] {
  const { params, query, headers, body, bodyForm } = operation;
  const membersIn = (place: Place, { properties = {}, required = [] }: Schema): OperationMember[] =>
    Object.entries(properties).map(([name, schema]) => ({
      name,
      place,
      schema,
      isRequired: required.includes(name),
    }));
  const members = [
    ...(params === undefined ? [] : membersIn('path', asSchema(params))),
    ...(query === undefined ? [] : membersIn('query', asSchema(query))),
    ...membersIn('header', {
      properties: Object.fromEntries(
        Object.entries(headers).map(([name, schema]) => [name, asSchema(schema)]),
      ),
    }),
    ...(body === undefined || bodyForm === 'ignored' ? [] : membersIn('body', asSchema(body))),
  ];
  return members.filter(
    ({ name }, index) => members.findIndex((operationMember) => operationMember.name === name) === index,
  );
}

/** Returns true when the operation takes a body. */
export const takesBody = ({ method, bodyForm }: Operation<Caller>): boolean =>
  method !== 'GET' && bodyForm !== 'ignored';

/** Returns true when the members of the body are fields of a form, some of them files. */
const isForm = ({ accepts }: Operation<Caller>): boolean => accepts.includes('multipart/form-data');

/** A value as typed: its text, or a file. `-` is the standard input. */
type Value =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'file'; readonly file: string };

interface Words {
  readonly values: ReadonlyMap<OperationMember, readonly Value[]>;
  /** The file of the whole body; `undefined`: none is named. */
  readonly bodyFile: string | undefined;
}

export interface OperationRequest {
  readonly request: Request;
  readonly params: RawParams;
}

/**
 * Builds the request. `words`: `name=value`, `name=@FILE`, and `@FILE` for the body. `defaultBytes`: the size
 * limit of a body for which the operation has none. Throws `UsageError`.
 */
export async function operationRequest(
  operation: Operation<Caller>,
  words: readonly string[],
  defaultBytes: number,
): Promise<OperationRequest> {
  const { values, bodyFile } = readWords(operation, words);
  const maxBytes = operation.bodyLimit ?? defaultBytes;
  const params: Record<string, string> = {};
  const query = new URLSearchParams();
  const headers = new Headers();
  const body: (readonly [OperationMember, readonly Value[]])[] = [];
  for (const [member, all] of values) {
    if (member.place === 'body') {
      body.push([member, all]);
      continue;
    }
    const texts = await Promise.all(all.map((value) => textOf(value, maxBytes)));
    const [first = ''] = texts;
    if (member.place !== 'query' && texts.length > 1) throw repeatedMember(member.name, texts.length);
    if (member.place === 'path') params[member.name] = first;
    else if (member.place === 'header') headers.set(member.name, first);
    else for (const text of texts) query.append(member.name, text);
  }
  requirePath(operation, params);
  const path = operation.path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const url = `http://localhost${path}${query.size === 0 ? '' : `?${query.toString()}`}`;
  const content = await contentOf(operation, body, bodyFile, maxBytes);
  if (content?.type !== undefined) headers.set('Content-Type', content.type);
  const { method } = operation;
  return { request: new Request(url, { method, headers, ...(content && { body: content.body }) }), params };
}

/** Reads each word. Throws for a name that the operation lacks. */
function readWords(operation: Operation<Caller>, words: readonly string[]): Words {
  const members = membersOf(operation);
  const values = new Map<OperationMember, Value[]>();
  let bodyFile: string | undefined;
  for (const word of words) {
    if (word.startsWith('@')) {
      if (bodyFile !== undefined)
        throw new UsageError(
          `call: recebido ${formatValue(word)}; o corpo já vem de @${bodyFile}. Indique um só.`,
        );
      bodyFile = fileOf(word);
      continue;
    }
    const equals = word.indexOf('=');
    const name = equals < 0 ? word : word.slice(0, equals);
    const member = members.find((operationMember) => operationMember.name === name);
    if (member === undefined) throw unknownMember(operation, members, name);
    if (equals < 0)
      throw new UsageError(`call: recebido ${formatValue(word)}; aceita ${name}=valor ou ${name}=@ARQUIVO.`);
    const text = word.slice(equals + 1);
    const value: Value = text.startsWith('@') ? { kind: 'file', file: fileOf(text) } : { kind: 'text', text };
    values.set(member, [...(values.get(member) ?? []), value]);
  }
  if (bodyFile !== undefined) requireBody(operation, bodyFile, [...values.keys()]);
  return { values, bodyFile };
}

function fileOf(word: string): string {
  if (word === '@') throw new UsageError('call: recebido "@"; aceita @ARQUIVO, ou @- para a entrada padrão.');
  return word.slice(1);
}

function unknownMember(
  { id }: Operation<Caller>,
  members: readonly OperationMember[],
  name: string,
): UsageError {
  const names = members.map((operationMember) => operationMember.name);
  const near = nearest(name, names);
  const hint = near === undefined ? '' : ` Você quis dizer ${near}?`;
  const accepted = names.length === 0 ? 'nenhum parâmetro' : names.join(', ');
  return new UsageError(
    `call: recebido ${formatValue(name)}; ${id} aceita ${accepted}.${hint} Veja catp call ${id} --help.`,
  );
}

function requireBody(operation: Operation<Caller>, file: string, members: readonly OperationMember[]): void {
  const { id } = operation;
  if (!takesBody(operation))
    throw new UsageError(`call: recebido @${file}; ${id} não tem corpo. Veja catp call ${id} --help.`);
  const inBody = members.find(({ place }) => place === 'body');
  if (inBody !== undefined)
    throw new UsageError(
      `call: recebido ${inBody.name} e @${file}; o arquivo é o corpo inteiro. Ponha ${inBody.name} nele, ou informe os membros um a um.`,
    );
}

const repeatedMember = (name: string, times: number): UsageError =>
  new UsageError(`call: ${name} recebido ${times} vezes; informe-o uma só vez.`);

function requirePath({ id, params }: Operation<Caller>, received: RawParams): void {
  const missing = Object.entries((params && asSchema(params).properties) ?? {}).filter(
    ([name]) => (received[name] ?? '') === '',
  );
  if (missing.length === 0) return;
  const names = missing.map(([name, schema]) => `${name}=… (${describe(schema)})`).join(', ');
  throw new UsageError(`call: falta ${names}. Veja catp call ${id} --help.`);
}

interface Content {
  readonly body: Uint8Array<ArrayBuffer> | string | FormData;
  /** `undefined`: the form names its own type. */
  readonly type: string | undefined;
}

const JSON_CONTENT = 'application/json';

async function contentOf(
  operation: Operation<Caller>,
  members: readonly (readonly [OperationMember, readonly Value[]])[],
  file: string | undefined,
  maxBytes: number,
): Promise<Content | undefined> {
  if (!takesBody(operation)) return undefined;
  if (file !== undefined) {
    const body = await bytesOf(file, maxBytes);
    const isZip = body[0] === 0x50 && body[1] === 0x4b; // PK
    return { body, type: isZip ? 'application/zip' : JSON_CONTENT };
  }
  if (isForm(operation)) return { body: await formOf(members, maxBytes), type: undefined };
  if (operation.bodyForm === 'raw')
    throw new UsageError(
      `call: falta @ARQUIVO, o corpo de ${operation.id} (${operation.accepts.join(', ')}).`,
    );
  if (members.length === 0 && operation.bodyForm === 'optional-json') return undefined;
  const texts = await Promise.all(
    members.map(async ([{ name, schema }, values]) => {
      const all = await Promise.all(values.map((value) => textOf(value, maxBytes)));
      return `${JSON.stringify(name)}:${jsonOf(name, all, schema)}`;
    }),
  );
  return { body: `{${texts.join(',')}}`, type: JSON_CONTENT };
}

async function formOf(
  members: readonly (readonly [OperationMember, readonly Value[]])[],
  maxBytes: number,
): Promise<FormData> {
  const form = new FormData();
  for (const [{ name, schema }, values] of members)
    for (const value of values) {
      if (schema.format !== 'binary') form.append(name, await textOf(value, maxBytes));
      else if (value.kind === 'file')
        form.append(name, new Blob([await bytesOf(value.file, maxBytes)]), basename(value.file));
      else
        throw new UsageError(
          `call: ${name}: recebido ${formatValue(value.text)}; aceita um arquivo: ${name}=@ARQUIVO.`,
        );
    }
  return form;
}

/** Returns the JSON of a member of that schema. Numbers keep their digits. */
function jsonOf(name: string, texts: readonly string[], schema: Schema): string {
  const [first = ''] = texts;
  if (schema.type === 'array') {
    if (texts.length === 1 && isJson(first) && first.trimStart().startsWith('[')) return first;
    return `[${texts.map((text) => jsonOf(name, [text], schema.items ?? {})).join(',')}]`;
  }
  if (texts.length > 1) throw repeatedMember(name, texts.length);
  return schema.type !== 'string' && isJson(first) ? first : JSON.stringify(first);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

async function textOf(value: Value, maxBytes: number): Promise<string> {
  if (value.kind === 'text') return value.text;
  const bytes = await bytesOf(value.file, maxBytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '');
  } catch {
    throw new UsageError(`call: @${value.file} não é um texto em UTF-8.`);
  }
}

/** Reads a file, or the standard input for `-`. Throws `UsageError` when it cannot be read. */
async function bytesOf(file: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const bytes = await (file === '-' ? standardInput(maxBytes) : readLargeFileUpTo(file, maxBytes));
    return new Uint8Array(bytes);
  } catch (error) {
    if (error instanceof BeyondLimit) throw new UsageError(`call: @${file} ${error.message}.`);
    if (systemCode(error) === undefined) throw error;
    throw new UsageError(`call: @${file} não pode ser lido (${reasonOf(error)}). Indique outro arquivo.`);
  }
}

async function standardInput(maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk as Uint8Array);
    length += (chunk as Uint8Array).length;
    if (length > maxBytes) throw new BeyondLimit(`tem mais de ${maxBytes} bytes, o limite deste corpo`);
  }
  return Buffer.concat(chunks);
}
